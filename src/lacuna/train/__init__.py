"""Training and export; the only room that needs torch."""
