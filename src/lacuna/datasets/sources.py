"""The published addresses of the official files, with their sizes and checksums.

Sizes and SHA-256 sums are those that the Hugging Face ``datasets`` library published for the same
addresses (``dataset_infos.json``); where nobody has published one, there is none here.
"""

from __future__ import annotations

from dataclasses import dataclass

HOTPOT = "http://curtis.ml.cmu.edu/datasets/hotpot/"
SQUAD = "https://rajpurkar.github.io/SQuAD-explorer/dataset/"
QUAC = "https://s3.amazonaws.com/my89public/quac/"
IIRC = "https://iirc-dataset.s3.us-west-2.amazonaws.com/"
DROP = "https://s3-us-west-2.amazonaws.com/allennlp/datasets/drop/"
OPENBOOK = "https://s3-us-west-2.amazonaws.com/ai2-website/data/"


@dataclass(frozen=True, slots=True)
class Source:
    """One file to fetch; ``members`` are what is wanted of an archive."""

    address: str
    size: int | None = None
    sha256: str | None = None
    members: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.address.rsplit("/", 1)[1]


@dataclass(frozen=True, slots=True)
class Collection:
    """All that belongs to a dataset."""

    licence: str
    home: str
    sources: tuple[Source, ...]


SOURCES = {
    "iirc": Collection(
        "CC BY 4.0",
        "https://allennlp.org/iirc",
        (
            Source(
                IIRC + "iirc_train_dev.tgz",
                members=("iirc_train_dev/train.json", "iirc_train_dev/dev.json"),
            ),
            Source(IIRC + "iirc_test.json"),
            Source(IIRC + "context_articles.tar.gz", members=("context_articles.json",)),
        ),
    ),
    "hotpotqa": Collection(
        "CC BY-SA 4.0",
        "https://hotpotqa.github.io",
        (
            Source(
                HOTPOT + "hotpot_train_v1.1.json",
                566426227,
                "26650cf50234ef5fb2e664ed70bbecdfd87815e6bffc257e068efea5cf7cd316",
            ),
            Source(
                HOTPOT + "hotpot_dev_distractor_v1.json",
                46320117,
                "4e9ecb5c8d3b719f624d66b60f8d56bf227f03914f5f0753d6fa1b359d7104ea",
            ),
            Source(
                HOTPOT + "hotpot_dev_fullwiki_v1.json",
                47454698,
                "2f1f3e594a3066a3084cc57950ca2713c24712adaad03af6ccce18d1846d5618",
            ),
            Source(
                HOTPOT + "hotpot_test_fullwiki_v1.json",
                46213747,
                "c61a5274b9aa6deca3f7d2dc4d7757684c158fbd2264f759307699fb53801c2b",
            ),
        ),
    ),
    "openbookqa": Collection(
        "Apache-2.0",
        "https://allenai.org/data/open-book-qa",
        (
            Source(
                OPENBOOK + "OpenBookQA-V1-Sep2018.zip",
                1446098,
                "82368cf05df2e3b309c17d162e10b888b4d768fad6e171e0a041954c8553be46",
                members=(
                    "OpenBookQA-V1-Sep2018/Data/Main/openbook.txt",
                    "OpenBookQA-V1-Sep2018/Data/Additional/train_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/dev_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/test_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/crowdsourced-facts.txt",
                ),
            ),
        ),
    ),
    "quac": Collection(
        "CC BY-SA 4.0",
        "https://quac.ai",
        (
            Source(
                QUAC + "train_v0.2.json",
                68114819,
                "ff5cca5a2e4b4d1cb5b5ced68b9fce88394ef6d93117426d6d4baafbcc05c56a",
            ),
            Source(
                QUAC + "val_v0.2.json",
                8929167,
                "09e622916280ba04c9352acb1bc5bbe80f11a2598f6f34e934c51d9e6570f378",
            ),
        ),
    ),
    "squad": Collection(
        "CC BY-SA 4.0",
        "https://rajpurkar.github.io/SQuAD-explorer",
        (
            Source(
                SQUAD + "train-v1.1.json",
                30288272,
                "3527663986b8295af4f7fcdff1ba1ff3f72d07d61a20f487cb238a6ef92fd955",
            ),
            Source(
                SQUAD + "dev-v1.1.json",
                4854279,
                "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
            ),
            Source(
                SQUAD + "train-v2.0.json",
                42123633,
                "68dcfbb971bd3e96d5b46c7177b16c1a4e7d4bdef19fb204502738552dede002",
            ),
            Source(
                SQUAD + "dev-v2.0.json",
                4370528,
                "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
            ),
        ),
    ),
    "drop": Collection(
        "CC BY-SA 4.0",
        "https://allenai.org/data/drop",
        (
            Source(
                DROP + "drop_dataset.zip",
                8308692,
                "39d2278a29fd729de301b111a45f434c24834f40df8f4ff116d864589e3249d6",
                members=(
                    "drop_dataset/drop_dataset_train.json",
                    "drop_dataset/drop_dataset_dev.json",
                ),
            ),
        ),
    ),
}
