"""What is at which address."""
