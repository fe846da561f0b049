"""Tables of values: CSV and TSV."""
