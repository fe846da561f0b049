"""The official HotpotQA scorer's algorithm, written down plainly, as a baseline.

Like the official script, it loads both files whole with ujson, normalises each text with the same
steps, counts tokens, and sums as it goes.
"""

from __future__ import annotations

import re
import string
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import ujson


def normal(text: str) -> str:
    """Lower case, no punctuation, no articles, single blanks."""
    lowered = text.lower()
    excluded = set(string.punctuation)
    bare = "".join(character for character in lowered if character not in excluded)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def tokens_f1(prediction: str, truth: str) -> tuple[float, float, float]:
    """F1, precision and recall; closed answers are all or nothing."""
    predicted, wanted = normal(prediction), normal(truth)
    for one, other in ((predicted, wanted), (wanted, predicted)):
        if one in ("yes", "no", "noanswer") and one != other:
            return 0.0, 0.0, 0.0
    same = sum((Counter(predicted.split()) & Counter(wanted.split())).values())
    if same == 0:
        return 0.0, 0.0, 0.0
    precision, recall = same / len(predicted.split()), same / len(wanted.split())
    return 2 * precision * recall / (precision + recall), precision, recall


def facts_f1(prediction: list[Any], truth: list[Any]) -> tuple[float, float, float, float]:
    """Exact match, F1, precision and recall of two sets of sentences."""
    predicted, wanted = set(map(tuple, prediction)), set(map(tuple, truth))
    right = sum(fact in wanted for fact in predicted)
    precision = right / len(predicted) if predicted else 0.0
    recall = right / len(wanted) if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return float(predicted == wanted), f1, precision, recall


def main(gold_file: str, prediction_file: str) -> None:
    """Score and print."""
    gold = ujson.loads(Path(gold_file).read_text(encoding="utf-8"))
    predictions = ujson.loads(Path(prediction_file).read_text(encoding="utf-8"))
    sums = {
        f"{part}{name}": 0.0
        for part in ("", "sp_", "joint_")
        for name in ("em", "f1", "prec", "recall")
    }
    for item in gold:
        both = True
        em = precision = recall = 0.0
        sp_em = sp_precision = sp_recall = 0.0
        if item["_id"] in predictions["answer"]:
            given = predictions["answer"][item["_id"]]
            em = float(normal(given) == normal(item["answer"]))
            f1, precision, recall = tokens_f1(given, item["answer"])
            for name, value in (("em", em), ("f1", f1), ("prec", precision), ("recall", recall)):
                sums[name] += value
        else:
            both = False
        if item["_id"] in predictions["sp"]:
            facts = predictions["sp"][item["_id"]]
            sp_em, f1, sp_precision, sp_recall = facts_f1(facts, item["supporting_facts"])
            sums["sp_em"] += sp_em
            sums["sp_f1"] += f1
            sums["sp_prec"] += sp_precision
            sums["sp_recall"] += sp_recall
        else:
            both = False
        if both:
            joint_precision, joint_recall = precision * sp_precision, recall * sp_recall
            together = joint_precision + joint_recall
            sums["joint_em"] += em * sp_em
            sums["joint_f1"] += 2 * joint_precision * joint_recall / together if together else 0.0
            sums["joint_prec"] += joint_precision
            sums["joint_recall"] += joint_recall
    print(ujson.dumps({name: value / len(gold) for name, value in sums.items()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
