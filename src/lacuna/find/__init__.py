"""Where the missing text may be: searching a store."""
