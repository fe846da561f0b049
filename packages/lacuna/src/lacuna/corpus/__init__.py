"""Documents with stable character offsets, and the links between them."""
