"""What can be typed at the prompt beside questions."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lacuna.cli.cleaning import safe
from lacuna.cli.console import console_for_results, notify, print_table, say
from lacuna.errors import LacunaError, shown

if TYPE_CHECKING:
    from lacuna.cli.chat.session import Session

WITHOUT_SLASH = {"help": "/help", "?": "/help"}


class Command(NamedTuple):
    """What a command takes, what it is for, and what it does."""

    takes: str
    about: str
    run: Callable[[Session, str], None]


def is_command(line: str) -> bool:
    """Whether a line is one; a bare "help" is meant as one."""
    return line.startswith("/") or line.casefold() in WITHOUT_SLASH


def run_command(session: Session, line: str) -> None:
    """Run it; an unknown one is told, with the nearest there is."""
    name, _, rest = WITHOUT_SLASH.get(line.casefold(), line).partition(" ")
    rest = rest.strip()
    command = COMMANDS.get(name)
    if command is None:
        close = get_close_matches(name, COMMANDS, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise LacunaError(f"{shown(line)} is no command.{hint} /help lists them.")
    if rest and not command.takes:
        raise LacunaError(f"{name} takes nothing after it, but there is {shown(rest)}.")
    command.run(session, rest)


def show_dialogs() -> None:
    """The dialogs that are kept; one that cannot be read is told, and the others are listed."""
    from lacuna.cli.chat.kept_dialogs import dialogs_folder, kept_dialogs, open_dialog

    rows = []
    for number, path in enumerate(kept_dialogs(), 1):
        try:
            dialog = open_dialog(path)
        except LacunaError as error:
            notify(str(error), "Left out")
            continue
        first = dialog.results[0].question if dialog.results else ""
        rows.append((f"{number}. {safe(first)}", dialog.begun[:10], len(dialog.results)))
    if rows:
        print_table("Dialogs", ("first question", "begun", "questions"), rows)
    where = f"They are kept in {dialogs_folder()}" if rows else f"None in {dialogs_folder()}"
    notify(f"{where}; `lacuna chat --resume NUMBER` goes on with one.")


def _help(session: Session, rest: str) -> None:
    from lacuna.cli.terminal.wrapping import say_hanging

    say("Ask a question, or:")
    for name, command in COMMANDS.items():
        say_hanging(f"  {f'{name} {command.takes}'.strip():<16}", command.about)
    say("Ctrl-C stops a question; at the prompt, twice, it leaves.")


def _sources(session: Session, rest: str) -> None:
    from rich.text import Text

    from lacuna.cli.quoted import place_of, source_line
    from lacuna.cli.terminal.wrapping import print_hanging

    quotes = session.results[-1].quotes if session.results else ()
    if not quotes:
        notify("The last answer has no sources." if session.results else "Nothing was asked yet.")
    console = console_for_results()
    for number, quote in enumerate(quotes, 1):
        lead = f"{number:>2}. "
        where = "  ".join(filter(None, (place_of(quote), source_line(quote))))
        print_hanging(console, Text(lead), Text(where, "cyan"))
        print_hanging(console, Text("    "), Text(safe(quote.text)))


def _why(session: Session, rest: str) -> None:
    from lacuna.cli.answers import show_steps

    steps = session.results[-1].steps if session.results else ()
    if not steps:
        asked = "The steps of an earlier day are not kept." if session.results else ""
        notify(asked or "Nothing was asked yet.")
    show_steps(steps)


def _history(session: Session, rest: str) -> None:
    from lacuna.cli.terminal.wrapping import say_hanging

    for number, result in enumerate(session.results, 1):
        say_hanging(f"{number:>2}. ", f"{safe(result.question)}  {safe(result.answer.text)}")
    if not session.results:
        notify("Nothing was asked yet.")


def _show(session: Session, rest: str) -> None:
    from lacuna.cli.terminal.wrapping import say_document

    if not rest:
        raise LacunaError("Say which document: /show TITLE")
    document = session.pipeline.store.document(rest)
    say_document(f"{document.title}\n\n{document.text}")


def _corpus(session: Session, rest: str) -> None:
    info = session.pipeline.store.info()
    for path in session.corpora or ("the demo corpus",):
        say(safe(str(path)))
    say(f"{info.documents:,} documents")


def _in(session: Session, rest: str) -> None:
    if not rest:
        raise LacunaError("Say which document: /in TITLE")
    session.begin(rest)


def _save(session: Session, rest: str) -> None:
    from lacuna.cli.chat.kept_dialogs import as_bytes
    from lacuna.cli.chat.markdown import dialog_as_markdown
    from lacuna.cli.outputs import check_outputs
    from lacuna.files.writing import replace_bytes

    if not rest or not session.results:
        raise LacunaError("Ask something first." if rest else "Say where to: /save dialog.md")
    path = Path(rest).expanduser()
    check_outputs([path], reads=session.corpora)
    if path.exists() and path.resolve() not in session.written:
        raise LacunaError(f"{path} is there already. Choose another name.")
    is_json = path.suffix in (".jsonl", ".json")
    dialog = session.saved
    content = as_bytes(dialog) if is_json else dialog_as_markdown(dialog).encode("utf-8", "replace")
    with replace_bytes(path) as out:
        out.write(content)
    session.written.add(path.resolve())
    notify(f"The dialog was written to {path}.", "Done")


def _resume(session: Session, rest: str) -> None:
    from lacuna.cli.chat.kept_dialogs import find_dialog

    session.resume(find_dialog(rest))


COMMANDS = {
    "/sources": Command("", "where the last answer stands, sentence by sentence", _sources),
    "/why": Command("", "how the last answer came about, step by step", _why),
    "/history": Command("", "what was asked and answered so far", _history),
    "/show": Command("TITLE", "a document of the corpus", _show),
    "/corpus": Command("", "what is asked", _corpus),
    "/in": Command("TITLE", "start again, about one document", _in),
    "/new": Command(
        "", "start again; earlier questions are forgotten", lambda session, _: session.begin(None)
    ),
    "/save": Command("FILE", "write the dialog: Markdown, or JSON lines in a .jsonl file", _save),
    "/dialogs": Command("", "list earlier dialogs", lambda session, _: show_dialogs()),
    "/resume": Command("[DIALOG]", "go on with an earlier dialog, or the last one", _resume),
    "/help": Command("", "this list", _help),
    "/quit": Command("", "leave, as Ctrl-D does", lambda session, _: None),
}
"""In the order of /help; leaving is the prompt's own matter."""
