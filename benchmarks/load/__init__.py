"""A server under load, and among clients that mean it harm."""
