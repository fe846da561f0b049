"""What can be found in a corpus beside answers."""
