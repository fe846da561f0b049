"""Which window of each linked article to read (section 3.2.2)."""
