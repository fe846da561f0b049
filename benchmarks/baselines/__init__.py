"""Plain versions of published algorithms, and other engines: what we measure ourselves against."""
