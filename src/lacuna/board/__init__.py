"""A board on which systems are compared, by answers that stay hidden."""
