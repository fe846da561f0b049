"""Doors for other programs than a browser."""
