"""A small part of each kind that Lacuna can be extended by."""
