"""The first two stages together: the context that is predicted for a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.models.model_folder import CONFIG, ModelSystem, find_model
from lacuna.train.papers.iirc.articles import FindsArticle
from lacuna.train.papers.iirc.context.reading import WindowChooser, load_window_chooser
from lacuna.train.papers.iirc.links.reading import LinkChooser, load_link_chooser
from lacuna.types import Question

LINKS, CONTEXT = "links", "context"
"""The folders of the two models."""


@dataclass(frozen=True, slots=True)
class ContextStages:
    """Chooses links, follows them, and keeps one window of each article and of the passage."""

    links: LinkChooser
    windows: WindowChooser

    def predicted(
        self, questions: Sequence[Question], article_of: FindsArticle, *, all_links: bool = False
    ) -> list[Question]:
        """The questions with the windows as their documents; the passage is one itself then.

        ``all_links`` follows every link, where others than the gold ones were taken away.
        """
        chosen = [every_title(q) for q in questions] if all_links else self.links.chosen(questions)
        return [
            self._with_windows(question, titles, article_of)
            for question, titles in zip(questions, chosen, strict=True)
        ]

    def _with_windows(
        self, question: Question, titles: Sequence[str], article_of: FindsArticle
    ) -> Question:
        found = (article_of(title) for title in titles)
        by_title = {article.title: article for article in found if article is not None}
        articles = list(by_title.values())  # two links may lead to one article
        windows = self.windows.best(question.text, articles, len(articles))
        passage = [question.context] if question.context else []
        own = self.windows.best(question.text, passage, len(articles)) or passage
        return replace(question, context=next(iter(own), None), documents=tuple(windows))


def every_title(question: Question) -> tuple[str, ...]:
    """The titles that a passage links to, each once."""
    links = question.context.links if question.context else ()
    return tuple(dict.fromkeys(link.target for link in links))


def stage_folders(folder: Path) -> dict[str, Path]:
    """Where the two models are, by their names; one that is a run with seeds gives its first."""
    found = {}
    for name in (LINKS, CONTEXT):
        places = [folder / name, *sorted((folder / name).glob("seed-*"))]
        whole = [place for place in places if (place / CONFIG).is_file()]
        if not whole:
            raise LacunaError(
                f"{folder} has no trained model in {name}. Train one with `lacuna train "
                f"recipes/iirc-{name}.toml --data DIR --encoder DIR|NAME --out "
                f"{folder / name}`."
            )
        found[name] = whole[0]
    return found


def load_stages(folder: Path, threads: int | None = None) -> ContextStages:
    """The two models of a folder."""
    places = stage_folders(folder)
    links = find_model(str(places[LINKS].resolve()), system=ModelSystem.IIRC_LINKS)
    context = find_model(str(places[CONTEXT].resolve()), system=ModelSystem.IIRC_CONTEXT)
    return ContextStages(load_link_chooser(links, threads), load_window_chooser(context, threads))
