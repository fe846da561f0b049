"""Which links of a passage lead to what is missing (section 3.2.1)."""
