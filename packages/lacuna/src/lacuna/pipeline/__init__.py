"""Ask: from a question and a partial text to a typed answer, or to what is missing."""
