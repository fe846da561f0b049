"""The links between documents: rows become a graph, a graph a file, and what is missing."""
