"""Finding where what is missing may be: searches over documents, triples and sentences."""
