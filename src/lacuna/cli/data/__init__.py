"""``lacuna data``: check, convert and fetch dataset files."""
