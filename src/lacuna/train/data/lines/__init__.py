"""Training files with one object a line, in the formats of their authors; one file here for each."""
