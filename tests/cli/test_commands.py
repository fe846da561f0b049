"""The commands as a user types them, and every bad input with its paragraph and exit code."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from lacuna.cli.app import make_app
from lacuna.files import json as json_decode

BOUND = 170
"""Options of all commands together; what only experts need is a setting, or stands in Python."""

FILES = {
    "iirc": ("iirc.json", "iirc_predictions.json"),
    "hotpotqa": ("hotpotqa.json", "hotpotqa_predictions.json"),
    "openbookqa": ("openbookqa.jsonl", "openbookqa_predictions.csv"),
    "quac": ("quac.json", "quac_predictions.jsonl"),
    "squad": ("squad.json", "squad_predictions.json"),
    "drop": ("drop.json", "drop_predictions.json"),
}


@pytest.mark.parametrize("task", FILES)
def test_check_counts_and_shows_the_floor(lacuna: Any, examples: Path, task: str) -> None:
    ran = lacuna("data", "check", task, examples / FILES[task][0])
    assert ran.code == 0
    assert "questions" in ran.out
    assert "always-abstain floor" in ran.out


def test_check_as_json(lacuna: Any, examples: Path) -> None:
    ran = lacuna("data", "check", "iirc", examples / "iirc.json", "--json")
    found = json.loads(ran.out)
    assert (found["questions"], found["texts"], found["links"]) == (7, 2, 7)
    assert found["answer_kinds"] == {
        "number": 1, "span": 1, "no": 1, "none": 2, "spans": 1, "yes": 1
    }  # fmt: skip
    assert found["always_abstain_floor"]["f1"] == pytest.approx(2 / 7)


def test_the_floor_of_iirc_dev(lacuna: Any, data_folder: Path) -> None:
    ran = lacuna("data", "check", "iirc", data_folder / "iirc" / "dev.json.gz")
    assert ran.out.split("always-abstain floor, %")[1].split() == ["em", "26.7", "f1", "26.7"]


@pytest.mark.parametrize("task", FILES)
def test_score_prints_tables(lacuna: Any, examples: Path, task: str) -> None:
    gold, predictions = (examples / name for name in FILES[task])
    ran = lacuna("score", task, gold, predictions)
    assert ran.code == 0
    assert "always abstain" in ran.out
    assert "By kind of answer" in ran.out


def test_score_has_the_keys_of_the_official_scorers(lacuna: Any, parity: Path) -> None:
    for task, name in (
        ("hotpotqa", "hotpotqa"),
        ("drop", "drop"),
        ("iirc", "iirc"),
        ("quac", "quac"),
    ):
        predictions = parity / f"{name}_pred.json{'l' if name == 'quac' else ''}"
        ran = lacuna("score", task, parity / f"{name}_gold.json", predictions, "--json")
        wanted = json.loads((parity / f"{name}_expected.json").read_text())
        assert wanted.keys() <= json.loads(ran.out).keys()
        assert "HAVE NO PREDICTION" in ran.err
    arguments = ["score", "squad", parity / "squad2_gold.json", parity / "squad2_pred.json"]
    ran = lacuna(*arguments, "--na-prob", parity / "squad2_na_prob.json", "--json")
    wanted = json.loads((parity / "squad2_expected.json").read_text())
    assert wanted.keys() <= json.loads(ran.out).keys()
    assert "best_f1" not in json.loads(lacuna(*arguments, "--json").out)


def test_score_openbookqa(lacuna: Any, examples: Path) -> None:
    gold, predictions = (examples / name for name in FILES["openbookqa"])
    found = json.loads(lacuna("score", "openbookqa", gold, predictions, "--json").out)
    assert (found["accuracy"], found["always_abstain_floor"]["accuracy"]) == (0.75, 0.25)


def test_score_writes_each_question(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    gold, predictions = (examples / name for name in FILES["drop"])
    out = tmp_path / "each.jsonl"
    assert lacuna("score", "drop", gold, predictions, "--per-question", out).code == 0
    assert [json.loads(line)["f1"] for line in out.read_text().splitlines()] == [1.0, 0.5, 1.0]


def test_acts_that_the_gold_does_not_have_are_null(
    lacuna: Any, examples: Path, tmp_path: Path
) -> None:
    content = json.loads((examples / "quac.json").read_text())
    for question in content["data"][0]["paragraphs"][0]["qas"]:
        question["yesno"] = question["followup"] = None
    gold = tmp_path / "quac.json"
    gold.write_text(json.dumps(content))
    ran = lacuna("score", "quac", gold, examples / "quac_predictions.jsonl", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["yes/no"] is None
    assert lacuna("score", "quac", gold, examples / "quac_predictions.jsonl").code == 0


def test_convert(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    out = tmp_path / "quac.json.gz"
    ran = lacuna("data", "convert", "squad", examples / "squad.json", "--to", "quac", "-o", out)
    assert ran.code == 0
    assert "3 questions written" in ran.err
    assert lacuna("data", "check", "quac", out).code == 0


def test_fetch_lists_what_it_would_fetch(lacuna: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path))
    ran = lacuna("data", "fetch", "squad", "--only", "dev", "--list")
    rows = [line for line in ran.out.splitlines() if "dev-" in line]
    assert ["dev-v1.1.json" in rows[0], "dev-v2.0.json" in rows[1]] == [True, True]
    assert all("not yet" in row for row in rows)
    assert len(rows) == 2
    assert "CC BY-SA 4.0" in ran.err
    assert lacuna("data", "fetch", "squad", "--only", "test").code == 2


def test_info(lacuna: Any) -> None:
    split = (line.split(maxsplit=1) for line in lacuna("info").out.splitlines())
    rows = dict(words for words in split if len(words) == 2)
    assert rows["tasks"].startswith("iirc, hotpotqa")
    assert {"numpy", "tantivy", "typer"} <= rows.keys()
    assert rows["lacuna"].strip() == lacuna("--version").out.strip()


def test_help_names_every_verb(lacuna: Any) -> None:
    ran = lacuna("--help")
    assert ran.code == 0
    assert all(verb in ran.out for verb in ("data", "score", "info", "--install-completion"))


def test_help_is_one_screen_with_every_command_in_a_group(lacuna: Any) -> None:
    lines = lacuna("--help").out.rstrip().splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    groups = [line.split()[0] for line in lines if line[:1].isalpha() and line[11:12] != " "]
    assert groups[2:-1] == ["Ask", "Documents", "Evaluate", "Train", "Collect", "Serve"]
    for name in get_command(make_app([])).commands:  # type: ignore[attr-defined]
        (line,) = (line for line in lines if line[11:].split(" ")[0] == name)
        assert line.endswith("."), line


def test_there_are_no_more_options_than_anybody_needs() -> None:
    """Each is counted once for each command that has it, --help aside."""
    assert sum(len(options) for options in options_by_command().values()) <= BOUND


def options_by_command() -> dict[str, list[str]]:
    """The options of every command of all packages."""

    def leaves(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        below = getattr(command, "commands", None)
        if below is None:
            yield name, command
        for word, each in (below or {}).items():
            yield from leaves(f"{name} {word}", each)

    return {
        name: [one.name for one in command.params if one.param_type_name == "option"]
        for name, command in leaves("lacuna", get_command(make_app([])))
    }


@pytest.mark.parametrize("verb", ["ask", "serve", "mcp", "index"])
def test_help_breaks_its_lines_where_the_terminal_does(
    lacuna: Any, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    about = lacuna(verb, "--help").out.partition("╭")[0]
    lines = [line.strip() for line in about.splitlines()]
    for line, following in pairwise(lines[3:]):
        if line and following:
            assert len(f"{line} {following.split()[0]}") > 78, "the next word had room in it"


def test_a_reader_that_goes_away_is_no_error(examples: Path) -> None:
    command = [sys.executable, "-m", "lacuna", "score", "iirc"]
    files = [str(examples / name) for name in FILES["iirc"]]
    with subprocess.Popen(
        [*command, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


# Bad input: one paragraph, exit code 2, no traceback, nothing left behind.


def assert_refused(ran: Any, *words: str) -> None:
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("Error: ")
    assert ran.err.count("\n") == 1, "one paragraph"
    assert "Traceback" not in ran.err
    for word in words:
        assert word in ran.err


def hotpot(**changes: Any) -> dict[str, Any]:
    return {"_id": "a", "question": "?", "context": [], "answer": "x", "supporting_facts": [],
            **changes}  # fmt: skip


BAD_FILES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "truncated.json.gz": (
        gzip.compress(json.dumps([hotpot(_id=str(n)) for n in range(999)]).encode())[:-500],
        ("gzip file that is cut off", "download it again"),
    ),
    "middle.json": (
        (json.dumps([hotpot()])[:-1] + ', {"_id": "b", }]').encode(),
        ("not valid JSON", "item 2", "near character"),
    ),
    "middle.jsonl": (
        (json.dumps(hotpot()) + '\n{"_id": \n').encode(),
        ("line 2", "expected a JSON value"),
    ),
    "quac.json": (
        b'{"data": [{"paragraphs": [{"id": "C", "context": "", "qas": []}]}]}',
        ("is not a file of hotpotqa: it looks like quac",),
    ),
    "duplicate.json": (
        json.dumps([hotpot(), hotpot()]).encode(),
        ("item 2", "'a' a second time"),
    ),
    "nan.json": (b'[{"_id": "a", "question": "?", "context": [], "level": NaN}]', ("NaN",)),
    "infinite.json": (
        b'[{"_id": "a", "question": "?", "context": [], "level": 1e999}]',
        ("large",),
    ),
    "surrogate.json": (
        b'[{"_id": "a", "question": "\\ud800?", "context": []}]',
        ("item 1", "field question", "half of a surrogate pair"),
    ),
    "nul.json": (
        b'[{"_id": "a", "question": "?", "context": [["T", ["x\\u0000"]]]}]',
        ("item 1", "field context[0][1][0]", "NUL"),
    ),
    "latin.json": ('[{"_id": "é"}]'.encode("latin-1"), ("is not UTF-8",)),
    "empty.json": (b"", ("is empty",)),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_check_refuses_bad_files(lacuna: Any, tmp_path: Path, name: str) -> None:
    content, words = BAD_FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    assert_refused(lacuna("data", "check", "hotpotqa", path), str(path), *words)


# Scoring does not look at the paragraphs, where the NUL is.
@pytest.mark.parametrize("name", [name for name in BAD_FILES if name != "nul.json"])
def test_score_refuses_bad_gold(lacuna: Any, tmp_path: Path, name: str) -> None:
    content, words = BAD_FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    predictions = tmp_path / "pred.json"
    predictions.write_text('{"answer": {"a": "x"}, "sp": {}}')
    out = tmp_path / "out.jsonl"
    assert_refused(lacuna("score", "hotpotqa", path, predictions, "--per-question", out), *words)
    assert not out.exists()


def test_a_missing_file_and_a_folder(lacuna: Any, tmp_path: Path) -> None:
    assert_refused(lacuna("data", "check", "squad", tmp_path / "dev.json"), "There is no file")
    assert_refused(lacuna("data", "check", "squad", tmp_path), "is a folder")
    assert_refused(lacuna("score", "squad", tmp_path, tmp_path), "is a folder")


def test_an_endless_line(lacuna: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_decode, "LARGEST_VALUE", 1 << 16)
    for name in ("long.jsonl", "long.json"):
        path = tmp_path / name
        path.write_text('[{"_id": "' + "x" * (1 << 20))
        assert_refused(lacuna("data", "check", "hotpotqa", path), "longer than")


def test_predictions_for_unknown_questions(
    lacuna: Any, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    predictions = tmp_path / "pred.json"
    predictions.write_text('{"q_1": "27", "zzz": "1"}')
    arguments = ["score", "iirc", examples / "iirc.json", predictions]
    assert_refused(lacuna(*arguments), "'zzz'", "LACUNA_SKIP_BAD")
    monkeypatch.setenv("LACUNA_SKIP_BAD", "1")
    ran = lacuna(*arguments, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["unknown_predictions"] == 1


def test_a_name_that_is_too_long(lacuna: Any, examples: Path) -> None:
    gold, predictions = (examples / name for name in FILES["hotpotqa"])
    assert_refused(lacuna("score", "hotpotqa", "x" * 300, predictions), "File name too long")
    assert_refused(lacuna("score", "hotpotqa", gold, predictions, "--per-question", "x" * 300))


def test_a_full_disk_behind_standard_output(examples: Path) -> None:
    command = [sys.executable, "-m", "lacuna", "data", "check", "iirc", str(examples / "iirc.json")]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.startswith("Error: ")) == (2, True)


def test_brackets_are_no_markup(lacuna: Any, tmp_path: Path) -> None:
    path = tmp_path / "dev[old].json"
    path.write_text(json.dumps([hotpot(type="[/b]")]))
    ran = lacuna("data", "check", "hotpotqa", path)
    assert ran.code == 0
    assert "dev[old].json" in ran.out
    assert "[/b]" in ran.out


def test_the_floor_of_dialogs_is_the_same_in_check_and_score(lacuna: Any, tmp_path: Path) -> None:
    def paragraph(id_: str, answer: str) -> dict[str, Any]:
        context = "a cook CANNOTANSWER"
        found = {"text": answer, "answer_start": context.index(answer)}
        qa = {"id": f"{id_}_q#0", "question": "?", "answers": [found], "orig_answer": found}
        return {"id": id_, "context": context, "qas": [qa]}

    paragraphs = [paragraph("C", "CANNOTANSWER"), paragraph("D", "a cook")]
    gold = tmp_path / "quac.json"
    gold.write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}))
    predictions = tmp_path / "pred.jsonl"
    predictions.write_text('{"qid": ["C_q#0", "D_q#0"], "best_span_str": ["x", "y"]}\n')
    checked = json.loads(lacuna("data", "check", "quac", gold, "--json").out)
    scored = json.loads(lacuna("score", "quac", gold, predictions, "--json").out)
    assert checked["always_abstain_floor"]["DHEQ"] == 50
    assert scored["always_abstain_floor"]["DHEQ"] == 50
    assert "–" in lacuna("data", "check", "quac", gold).out, "there are no acts to be right about"


def test_an_unknown_task(lacuna: Any, examples: Path) -> None:
    assert_refused(lacuna("data", "check", "squat", examples / "squad.json"), "Did you mean squad?")


def test_na_prob_belongs_to_squad(lacuna: Any, examples: Path) -> None:
    gold, predictions = (examples / name for name in FILES["drop"])
    assert_refused(
        lacuna("score", "drop", gold, predictions, "--na-prob", gold), "belongs to SQuAD 2.0"
    )
    gold, predictions = (examples / name for name in FILES["squad"])
    assert_refused(
        lacuna("score", "squad", gold, predictions, "--na-prob", predictions), "a number"
    )


def test_skip_bad_goes_on_and_says_so(
    lacuna: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LACUNA_SKIP_BAD", "1")
    path = tmp_path / "some.json"
    path.write_text(json.dumps([hotpot(), {"_id": "b"}, hotpot(_id="c")]))
    ran = lacuna("data", "check", "hotpotqa", path, "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["questions"] == 2
    assert json.loads(ran.out)["broken_items"] == 1
    assert "item 2" in ran.err
    assert "1 broken items were left out" in ran.err


def test_a_broken_conversion_leaves_nothing_behind(lacuna: Any, tmp_path: Path) -> None:
    source = tmp_path / "squad.json"
    article = {"title": "T", "paragraphs": [{"context": "x", "qas": []}]}
    source.write_text(json.dumps({"data": [article] * 50 + [{"paragraphs": 5}]}))
    out = tmp_path / "out" / "quac.json"
    assert_refused(lacuna("data", "convert", "squad", source, "--to", "quac", "-o", out), "item 51")
    assert list(out.parent.iterdir()) == []


def test_a_conversion_that_makes_no_sense(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    arguments = ["data", "convert", "openbookqa", examples / "openbookqa.jsonl", "--to", "drop"]
    assert_refused(lacuna(*arguments, "-o", tmp_path / "x.json"), "cannot be converted")
