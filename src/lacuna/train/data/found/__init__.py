"""Questions with windows that the retriever found in a pool of texts, with and without an answer."""
