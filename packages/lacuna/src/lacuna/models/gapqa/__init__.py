"""GapQA: name the gap between a core fact and a choice, fill it from knowledge, choose."""
