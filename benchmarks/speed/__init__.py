"""Time and memory of whole commands, beside the official script or another checkout."""
