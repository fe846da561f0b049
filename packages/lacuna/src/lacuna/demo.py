"""The demo: documents and questions that come with the package.

A linked encyclopedia of islands that do not exist, with questions and dialogs about them; and, for
questions with choices, everyday knowledge as triples and sentences.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

FOLDER = Path(__file__).parent / "assets" / "demo"
ARTICLES = FOLDER / "articles"
QUESTIONS = FOLDER / "questions.json"
DIALOGS = FOLDER / "dialogs.json"
TRIPLES = FOLDER / "knowledge" / "triples.tsv"
SENTENCES = FOLDER / "knowledge" / "sentences.tsv"
OPENBOOK = FOLDER / "openbook.jsonl"
"""Questions in OpenBookQA's format, whose gaps that knowledge can fill."""
ASKS_CORPUS = "This asks the demo corpus; --corpus DIR asks your own notes."
ASKS_KNOWLEDGE = "This asks the demo's knowledge; --knowledge DIR asks your own."


def knowledge_digest() -> str:
    """Changes when the knowledge does, wherever the package is installed and whenever it was."""
    state = blake2b(digest_size=8)
    for path in (TRIPLES, SENTENCES):
        content = path.read_bytes()
        state.update(f"{path.name}\n{len(content)}\n".encode() + content)
    return state.hexdigest()
