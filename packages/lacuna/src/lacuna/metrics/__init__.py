"""What the official scorers share, and what stands around their numbers."""
