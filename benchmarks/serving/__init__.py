"""Several servers behind one address, with what they share."""
