"""What the JSON interface takes and gives; each field says what it is."""
