"""Answers: what can be said of a question once the text is found."""
