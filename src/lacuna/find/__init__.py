"""Where the missing piece may be: search over documents, triples and sentences."""
