"""Dialogs that two people hold at the same moment: pairing, talking, leaving, ending."""
