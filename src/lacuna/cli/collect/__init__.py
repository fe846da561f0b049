"""``lacuna collect``: a server on which people make such data."""
