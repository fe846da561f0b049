"""IIRC's own system (section 3.2 of its paper): links, context, reader; and table 6."""
