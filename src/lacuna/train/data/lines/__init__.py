"""Files with one object a line that are only trained on; a format each."""
