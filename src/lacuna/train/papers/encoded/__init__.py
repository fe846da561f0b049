"""Networks of the papers that begin with a pretrained encoder: pieces, batches, runs."""
