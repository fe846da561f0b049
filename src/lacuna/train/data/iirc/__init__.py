"""Training questions made from IIRC: hard negatives, surroundings, links."""
