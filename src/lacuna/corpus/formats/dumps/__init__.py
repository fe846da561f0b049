"""Sources that are one large file, or a set of them: dumps and files of JSON."""
