"""The rows of QuAC's table 4 that need no network."""

from __future__ import annotations

from lacuna.datasets.baseline import Baseline, always
from lacuna.datasets.quac.baselines.logistic_regression import learn_sentence_choice
from lacuna.datasets.quac.baselines.section_sentences import gold_sentence, random_sentence
from lacuna.datasets.quac.baselines.transition_matrix import (
    learn_gold_transitions,
    learn_transitions,
)
from lacuna.datasets.quac.metric import ABSTENTION

BASELINES = (
    Baseline("random-sentence", "a sentence of the section, or none, at random", random_sentence),
    Baseline("majority", "none, neither yes nor no, don't follow up", always(ABSTENTION)),
    Baseline(
        "transition-matrix",
        "the chunk that most often follows that of the previous answer",
        learn_transitions,
        learns=True,
    ),
    Baseline(
        "logistic-regression",
        "the likeliest sentence by its words, its place and the dialog",
        learn_sentence_choice,
        learns=True,
    ),
    Baseline(
        "gold-na-transition-matrix",
        "the transition matrix, told which questions have no answer",
        learn_gold_transitions,
        learns=True,
        upper_bound=True,
    ),
    Baseline(
        "gold-sentence",
        "the sentence nearest to the references, or none where that is right",
        gold_sentence,
        upper_bound=True,
    ),
)
