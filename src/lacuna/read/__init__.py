"""Read the texts at hand, and answer from them."""
