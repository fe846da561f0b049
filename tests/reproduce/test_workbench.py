"""Files are found or said to be missing; systems are run once, and what is answered is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna.evaluation.baselines import BaselineReader
from lacuna.evaluation.registry import NamedSystem
from lacuna_lab.data.sources import DataFile
from lacuna_lab.reproduce.workbench import (
    CorpusSource,
    NotHere,
    Search,
    Source,
    SystemRun,
    Workbench,
    after,
    chosen,
    first,
)

DIALOGS = Source(DataFile("quac", ("quac/dev.json",)))
MAJORITY = SystemRun("majority", DIALOGS, "majority")


@pytest.fixture
def data(tmp_path: Path, examples: Path) -> Path:
    folder = tmp_path / "data" / "quac"
    folder.mkdir(parents=True)
    (folder / "dev.json").write_bytes((examples / "quac.json").read_bytes())
    return folder.parent


@pytest.fixture
def bench(data: Path, tmp_path: Path) -> Workbench:
    return Workbench(data=data, cache=tmp_path / "cache")


def test_a_run_is_what_evaluate_says(bench: Workbench, data: Path) -> None:
    from lacuna import evaluate

    ours = bench.results(MAJORITY)[0].report.official
    assert ours == evaluate("majority", "quac", data / "quac/dev.json").systems[0].report.official


def test_what_is_not_at_hand_says_so_every_time(bench: Workbench) -> None:
    wanted = SystemRun("", Source(DataFile("quac", ("quac/test.json",))), "majority")
    for _ in range(2):
        with pytest.raises(NotHere, match=r"has no quac/test.json; `lacuna data fetch quac`"):
            bench.results(wanted)
    with pytest.raises(NotHere, match=r"no trained run of the recipe 'quac-0-ctx'"):
        bench.results(SystemRun("", DIALOGS, trained="quac-0-ctx"))
    assert bench.problems == []


def test_a_field_that_is_missing_is_a_reason_under_the_name_of_the_file(
    data: Path, examples: Path, tmp_path: Path
) -> None:
    (data / "iirc").mkdir()
    (data / "iirc/dev.json").write_bytes((examples / "iirc.json").read_bytes())
    bench = Workbench(data=data, cache=tmp_path / "cache")
    iirc = Source(DataFile("iirc", ("iirc/dev.json",)))
    with pytest.raises(NotHere) as reason:
        bench.results(SystemRun("", iirc, "always-none", "retrieved-context"))
    assert str(reason.value).startswith("No question of iirc/dev.json has the field retrieved_")
    assert str(data) not in str(reason.value)
    assert bench.problems == []


def test_a_broken_item_is_a_problem_and_the_rest_goes_on(bench: Workbench, data: Path) -> None:
    (data / "squad").mkdir()
    (data / "squad/dev.json").write_text('{"data": [{"title": 3}]}', encoding="utf-8")
    with pytest.raises(NotHere):
        bench.results(SystemRun("", Source(DataFile("squad", ("squad/dev.json",))), "abstain"))
    assert len(bench.problems) == 1
    assert bench.results(MAJORITY)


def test_what_was_answered_is_not_asked_again_in_another_process(
    bench: Workbench, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = bench.results(MAJORITY)[0].report.official

    @contextmanager
    def refuse(*arguments: Any) -> Iterator[None]:
        raise AssertionError("a system was opened")
        yield

    monkeypatch.setattr(NamedSystem, "open", refuse)
    again = Workbench(data=data, cache=tmp_path / "cache")
    assert again.results(MAJORITY)[0].report.official == before


def test_only_what_is_kept_can_be_taken(bench: Workbench, data: Path, tmp_path: Path) -> None:
    kept = Workbench(data=data, cache=tmp_path / "cache", only_kept=True)
    with pytest.raises(NotHere, match="not run yet"):
        kept.results(MAJORITY)
    before = bench.results(MAJORITY)[0].report.official
    again = Workbench(data=data, cache=tmp_path / "cache", only_kept=True)
    assert again.results(MAJORITY)[0].report.official == before


def test_a_run_that_was_killed_goes_on(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    read = BaselineReader.read

    def counted(self: BaselineReader, questions: Any, **more: Any) -> Any:
        asked.append(len(questions))
        if len(asked) == 2:
            raise KeyboardInterrupt
        return read(self, questions, **more)

    monkeypatch.setattr("lacuna.evaluation.system.AT_ONCE", 1)
    monkeypatch.setattr(BaselineReader, "read", counted)
    with pytest.raises(KeyboardInterrupt):
        Workbench(data=data, cache=tmp_path / "cache").results(MAJORITY)
    assert Workbench(data=data, cache=tmp_path / "cache").results(MAJORITY)
    assert asked == [1, 1, 1, 1]  # the first of three is not asked again


def test_changed_questions_are_asked_anew(bench: Workbench, data: Path, tmp_path: Path) -> None:
    bench.results(MAJORITY)
    raw = json.loads((data / "quac/dev.json").read_text(encoding="utf-8"))
    raw["data"][0]["paragraphs"][0]["qas"].pop()
    (data / "quac/dev.json").write_text(json.dumps(raw), encoding="utf-8")
    again = Workbench(data=data, cache=tmp_path / "cache").results(MAJORITY)
    assert again[0].report.questions == 2


def test_parts_of_a_file_have_its_items(bench: Workbench, examples: Path) -> None:
    hotpot = DataFile("hotpotqa", ("hotpotqa/dev.json",))
    quick = Workbench(cache=bench.cache, quick=True)
    for part, count in ((first(1), 1), (after(1), 1), (chosen(1), 1)):
        source = Source(hotpot, examples / "hotpotqa.json", quick_part=part)
        rows = quick.described((source,))[-1].table.rows
        assert rows[0][:2] == ("questions", count)
    with pytest.raises(NotHere, match="has nothing of all but the first 9 items"):
        quick.described((Source(hotpot, examples / "hotpotqa.json", quick_part=after(9)),))


def test_a_search_is_made_once(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    from lacuna_lab.reproduce.hotpotqa import QUESTIONS, WIKI

    search = Search(QUESTIONS, WIKI, "bm25", 20)
    scores = Workbench(cache=bench.cache, quick=True).searched(search)
    assert scores["questions"] == 8
    monkeypatch.setattr("lacuna_lab.reproduce.workbench.evaluate_retrieval", None)
    assert Workbench(cache=bench.cache, quick=True).searched(search) == scores
    (kept,) = (bench.cache / "searches").glob("*.json")
    kept.write_text('{"questions": ', encoding="utf-8")  # a disk that lost its end
    with pytest.raises(TypeError, match="not callable"):
        Workbench(cache=bench.cache, quick=True).searched(search)
    missing = Search(DIALOGS, CorpusSource((DataFile("hotpotqa", ("wiki.jsonl",)),), WIKI.quick),
                     "bm25", 20)  # fmt: skip
    with pytest.raises(NotHere, match=r"has no wiki.jsonl"):
        bench.searched(missing)


def test_folders_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="with the datasets as --data"):
        Workbench(data=tmp_path / "nowhere")
    with pytest.raises(LacunaError, match="with trained runs as --runs"):
        Workbench(runs=tmp_path / "nowhere")
    with pytest.raises(LacunaError, match="that of filled sheets as --sheets"):
        Workbench(sheets=tmp_path / "nowhere")
