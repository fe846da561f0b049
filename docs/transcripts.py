"""Run the commands that the documents show, and write down what they print now.

Another model gives other answers: run ``make transcripts`` and read the differences.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(?<=^```console\n)(\$ lacuna .*?)(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (lacuna .*)$", re.MULTILINE)
DEMO_NOTE = "Note: This asks the demo"


def main() -> None:
    """Rewrite every block that shows commands of Lacuna."""
    for path in DOCUMENTS:
        before = path.read_text(encoding="utf-8")
        after = BLOCK.sub(lambda block: run_all(COMMAND.findall(block[1])), before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} has changed")


def run_all(commands: list[str]) -> str:
    """A block of commands, each with what it printed."""
    return "\n".join(f"$ {command}\n{printed(command)}" for command in commands)


def printed(command: str) -> str:
    """What a command prints, without the note that the demo corpus is asked."""
    shell = f'lacuna() {{ "{sys.executable}" -m lacuna "$@"; }}; {command} 2>&1'
    out = subprocess.run(
        ["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    kept = [line.rstrip() for line in out.splitlines() if not line.startswith(DEMO_NOTE)]
    return "\n".join(kept).strip("\n") + "\n"


if __name__ == "__main__":
    main()
