"""Run the commands that the documents show, and write down what they print now.

Another model gives other answers: run ``make transcripts`` and read the differences.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(?<=^```console\n)(\$ .*?)(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.* \| )?(?:\.venv/bin/)?lacuna .*)$", re.MULTILINE)
SCRATCH = tempfile.TemporaryDirectory()
"""Stands in for /tmp, so that nothing is left from the last time."""
DEMO_NOTE = "Note: This asks the demo"


def main() -> None:
    """Rewrite every block that shows commands of Lacuna."""
    for path in DOCUMENTS:
        before = path.read_text(encoding="utf-8")
        after = BLOCK.sub(shown_anew, before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} has changed")


def shown_anew(block: re.Match[str]) -> str:
    """A block of commands, each with what it prints; one without any of ours stays as it is."""
    commands = COMMAND.findall(block[1])
    return "\n".join(f"$ {one}\n{printed(one)}" for one in commands) if commands else block[1]


def printed(command: str) -> str:
    """What a command prints, without the note that the demo corpus is asked."""
    here = command.removeprefix(".venv/bin/").replace("/tmp/", f"{SCRATCH.name}/")
    shell = f'lacuna() {{ "{sys.executable}" -m lacuna "$@"; }}; {here} 2>&1'
    out = subprocess.run(
        ["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.replace(f"{SCRATCH.name}/", "/tmp/")
    kept = [line.rstrip() for line in out.splitlines() if not line.startswith(DEMO_NOTE)]
    return "\n".join(kept).strip("\n") + "\n"


if __name__ == "__main__":
    main()
