"""The reader by itself: how fast it is, and what it gets wrong."""
