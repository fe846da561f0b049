"""Curation of the categories that bridges come from (appendix A.2), and of lists to compare."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.collect.tasks.hotpotqa import qualification
from lacuna.collect.tasks.hotpotqa.candidate_pairs import BridgePairs, ComparisonPairs, PairSource
from lacuna.collect.tasks.hotpotqa.curation import CurationTask
from lacuna.collect.tasks.hotpotqa.groups import Groups, categories_of, lists_of
from lacuna.collect.tasks.task import NewItem, TaskSettings
from lacuna.corpus.store import Store


class HotpotCategoriesTask(CurationTask):
    """Sample links to the documents of a category: could a question take both paragraphs?"""

    name = "hotpotqa-categories"
    title = "Look at categories"
    instructions = "hotpotqa-categories"
    form = "hotpotqa-categories"
    chosen_name = "chosen_categories"
    file_name = "categories_file"

    def groups(self, corpus: Store, file: str) -> Groups:
        """The categories of the file, or the kinds of documents that there are."""
        return categories_of(corpus, file)

    def pairs(self, corpus: Store, group: str, titles: Sequence[str]) -> PairSource:
        """Links to the documents of the category."""
        return BridgePairs(corpus, titles)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """A category of ours."""
        return qualification.categories()


class HotpotListsTask(CurationTask):
    """Sample pairs of a list: could the two be compared?"""

    name = "hotpotqa-lists"
    title = "Look at lists"
    instructions = "hotpotqa-lists"
    form = "hotpotqa-lists"
    chosen_name = "chosen_lists"
    file_name = "lists_file"

    def groups(self, corpus: Store, file: str) -> Groups:
        """The lists of the file, or the documents of one kind."""
        return lists_of(corpus, file)

    def pairs(self, corpus: Store, group: str, titles: Sequence[str]) -> PairSource:
        """Any two entities of the list."""
        return ComparisonPairs({group: titles}, 0.0)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """A list of ours."""
        return qualification.lists()
