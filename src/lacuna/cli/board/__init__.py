"""``lacuna board``: a board on which systems are compared."""
