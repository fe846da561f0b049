"""What passages cost, how that grows, and how far it carries."""
