"""Reading documents in a process of its own: whatever one does to its parser costs that document."""
