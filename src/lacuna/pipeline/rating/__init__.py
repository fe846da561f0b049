"""How likely each answer that was read is right, and which one is given."""
