"""The verbs that answer the questions of a file, score the answers, and tune a model on them."""
