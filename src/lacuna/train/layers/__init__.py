"""Layers that networks over words share, each in a file of its own."""
