"""Training GapQA: its network, its labels and its runs."""
