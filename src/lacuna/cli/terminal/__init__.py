"""What a person at a terminal gets, and a pipe does not: lines that fit, and signs of life."""
