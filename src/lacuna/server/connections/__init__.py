"""Connections: how many, how long, and what is logged about them."""
