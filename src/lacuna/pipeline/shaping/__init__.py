"""From what was found to what was asked for: kinds, lists, definitions, comparisons."""
