"""Scripted people, who work over the real interface: for tests, for the demo, and for load."""
