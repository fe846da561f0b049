"""Write the pages of this folder: each paper's tables and figures for the data at hand.

``LACUNA_DATA=FOLDER python docs/papers/write.py`` counts the real files in that folder, draws the
figures and writes ``NAME-data.md``; read the differences before you commit them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from lacuna import get_dataset
from lacuna.figures.draw import save_figure

HERE = Path(__file__).parent
FIGURES = "figures"


@dataclass(frozen=True)
class Counted:
    """Files that are counted together, and which parts are shown; all, if none is named."""

    files: tuple[str, ...]
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """One paper: its dataset, the files that are counted, and how they differ from the paper's."""

    dataset: str
    title: str
    counted: tuple[Counted, ...]
    differs: str


PAGES = (
    Page(
        "iirc",
        "IIRC: the data",
        (Counted(("iirc/dev.json.gz",)),),
        "Counted are all 1,301 questions of the official dev set; the paper counts 13,441 of all "
        "three splits. The file at hand lists only those links of a passage that some question or "
        "system used, so links a passage cannot be compared; all else can.\n\n"
        "The paper does not say which questions are about time. Ages and durations "
        "alone come near its 15 %, and were chosen for that and for its examples; with points in "
        "time it would be 27 %.",
    ),
    Page(
        "hotpotqa",
        "HotpotQA: the data",
        (Counted(("hotpotqa/train.json.gz", "hotpotqa/dev.json.gz")),),
        "Counted are the 6,901 questions at hand, 996 of the official training set and 5,905 of "
        "the dev set, where all are hard; the paper has 112,779. Levels are therefore not those of "
        "the paper.",
    ),
    Page(
        "quac",
        "QuAC: the data",
        (
            Counted(("quac/train.json.gz",)),
            Counted(("quac/dev.json.gz",), ("averages", "turns")),
            Counted(("quac/train_acts.json.gz", "quac/dev_acts.json.gz"), ("averages", "turns")),
        ),
        "Counted are 82,358 of the training set's 83,568 questions, 3,344 of the dev set's 7,354 "
        "(the only ones with several references), both without dialog acts, and 45 dialogs that "
        "have them. Where an answer of the training set stands is its first occurrence in the "
        "section.\n\n"
        "Three things the paper leaves open were settled by what comes near its numbers, "
        "so that their agreement proves little. Words are split at blanks: with punctuation marks "
        "as tokens of their own, the training set has 490 a section and 7.5 a question (paper: "
        "396.8 and 6.5). An answer is in the chunk where it begins: dialogs cover 4.5 chunks so, "
        "and 5.8 if every chunk counts that an answer touches (paper: around five). A question has "
        "several answers if two annotators' spans share nothing, and all questions with two "
        "references are the whole: so the share stays about the same over the turns of dev, and "
        "among answerable questions alone it rises, from 60 % to 67 % at the second turn and "
        "around 70 % later. The paper reports a fall, which is thus not reproduced on this part of "
        "dev.",
    ),
    Page(
        "openbookqa",
        "GapQA: the data",
        (
            Counted(("openbookqa/train_complete.jsonl.gz",)),
            Counted(("openbookqa/dev_complete.jsonl.gz",), ("short", "averages")),
        ),
        "Counted are OpenBookQA's training and dev sets, both whole. KGD's annotations of gaps are "
        "not at hand, so the table about them shows the paper's numbers alone; the paper counts "
        "the short questions of the test set.",
    ),
)


def main() -> None:
    """Write every page."""
    data = Path(os.environ["LACUNA_DATA"])
    for page in PAGES:
        path = HERE / f"{page.dataset}-data.md"
        sections = (written(page.dataset, data, counted) for counted in page.counted)
        text = "\n\n".join((f"# {page.title}", page.differs, *sections))
        path.write_text(text + "\n", encoding="utf-8")
        print(f"{path.relative_to(HERE.parent)} is written")


def written(dataset: str, data: Path, counted: Counted) -> str:
    """What the command prints for some files, with its figures, below the command itself."""
    description = get_dataset(dataset).description()
    for file in counted.files:
        with get_dataset(dataset).open(data / file) as reader:
            for item in reader:
                description.add(item)
    named = " ".join(f"$LACUNA_DATA/{file}" for file in counted.files)
    stem = Path(counted.files[0]).name.split(".")[0].replace("_", "-")
    command = f"lacuna describe {dataset} {named} --figures {FIGURES}"
    pieces = [f"## {', '.join(counted.files)}", f"```sh\n{command}\n```"]
    for part in description.parts():
        if counted.parts and part.name not in counted.parts:
            continue
        pieces.append(part.to_markdown())
        if part.chart is not None:
            name = f"{dataset}-{stem}-{part.name.replace('_', '-')}"
            vector, pixels = save_figure(part.chart, HERE / FIGURES, name)
            pixels.unlink()  # a page needs one of the two
            pieces.append(f"![{part.chart.title}]({FIGURES}/{vector.name})")
    return "\n\n".join(pieces)


if __name__ == "__main__":
    main()
