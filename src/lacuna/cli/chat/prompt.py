"""What is typed or piped in; a terminal gets a prompt, a line editor, and two ways out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

PROMPT = "> "
STOPPED = "Ctrl-C once more leaves."
LEAVES = ("/quit", "/exit", "/q", "quit", "exit")


class TypedLines:
    """Lines up to the end; Ctrl-C is taken once, and leaves when nothing was typed since."""

    def __init__(self, commands: Sequence[str]) -> None:
        self._warned = False
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        self.is_terminal = sys.stdin.isatty()
        if self.is_terminal:
            _complete(commands)

    def __iter__(self) -> Iterator[str]:
        while True:
            try:
                line = input(PROMPT) if self.is_terminal else input()
            except EOFError:
                return
            except KeyboardInterrupt:
                self.interrupted()
                continue
            if line.strip() in LEAVES:
                return
            if line.strip():
                self._warned = False
                yield line.strip()

    def interrupted(self, what: str = "") -> None:
        """Ctrl-C: said once; the next one, and any where nobody types, ends it all."""
        from lacuna.cli.console import notify

        if self._warned or not self.is_terminal:
            raise KeyboardInterrupt
        self._warned = True
        sys.stderr.flush()
        notify(f"{what}{STOPPED}", "\nStopped" if what else "\nNote")


def _complete(commands: Sequence[str]) -> None:
    """Tab completes commands, and the arrows bring earlier lines back."""
    with suppress(ImportError):  # Windows has none
        import readline

        def fitting(text: str, index: int) -> str | None:
            found = [name for name in commands if text and name.startswith(text)]
            return found[index] if index < len(found) else None

        readline.set_completer(fitting)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")
