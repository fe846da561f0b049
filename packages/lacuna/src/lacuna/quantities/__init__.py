"""Numbers, dates and units in a text, and calculating with them."""
