"""95% intervals by resampling passages, so that questions about one text stay together."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.metrics.metric import QuestionScore

SAMPLES = 1000
SEED = 20201116
BATCH = 50


def intervals(
    scores: Sequence[QuestionScore], measures: Sequence[str], scale: float
) -> dict[str, tuple[float, float] | None]:
    """The interval of each measure's mean; None where there are too few passages to tell."""
    import numpy as np

    if not scores or scores[0].group == scores[-1].group:
        return dict.fromkeys(measures)
    table = np.array(
        [[score.values.get(measure) for measure in measures] for score in scores], dtype=float
    )
    counts = ~np.isnan(table)
    first = np.unique([score.group for score in scores], return_index=True)[1]
    totals = np.add.reduceat(np.where(counts, table, 0.0), first)  # groups x measures
    sizes = np.add.reduceat(counts.astype(float), first)
    groups = len(first)
    random = np.random.default_rng(SEED)
    means = []
    for _ in range(SAMPLES // BATCH):
        drawn = random.integers(groups, size=(BATCH, groups))
        drawn += groups * np.arange(BATCH)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=BATCH * groups).reshape(BATCH, groups)
        size = weights @ sizes
        means.append(
            np.divide(weights @ totals, size, out=np.full_like(size, np.nan), where=size > 0)
        )
    sampled = np.concatenate(means)  # samples x measures
    bounds: dict[str, tuple[float, float] | None] = {}
    for column, measure in enumerate(measures):
        values = sampled[~np.isnan(sampled[:, column]), column]
        low, high = np.percentile(values, [2.5, 97.5]) if len(values) else (0.0, 0.0)
        bounds[measure] = (scale * float(low), scale * float(high)) if len(values) else None
    return bounds
