"""One reader per source format; each gives documents, redirects and skips, one at a time."""
