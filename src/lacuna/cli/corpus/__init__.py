"""``lacuna corpus``: look into a corpus, and mine it for questions."""
