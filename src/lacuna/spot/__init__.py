"""Spot: which links hold what the text at hand leaves out."""
