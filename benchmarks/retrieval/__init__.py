"""Searching and adding, beside other engines and plain versions of the same algorithms."""
