"""The same work over several machines."""
