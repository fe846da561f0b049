"""Documents are read in a process of its own: what one does to its parser costs that document."""
