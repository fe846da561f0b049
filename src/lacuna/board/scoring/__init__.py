"""From a file of predictions to scores, in a process of its own."""
