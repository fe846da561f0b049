"""A project made into a dataset that others can use."""
