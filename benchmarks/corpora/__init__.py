"""Benchmarks of reading documents."""
