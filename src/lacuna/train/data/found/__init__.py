"""Questions with windows that a retriever found in a pool of texts: with an answer or without."""
