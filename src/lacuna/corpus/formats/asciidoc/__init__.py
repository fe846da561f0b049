"""AsciiDoc, read line by line."""
