"""The networks of the papers, as they describe them: over words, without a pretrained encoder."""
