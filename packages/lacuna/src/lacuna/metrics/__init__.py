"""Measures that the official scorers share, and statistics about their numbers."""
