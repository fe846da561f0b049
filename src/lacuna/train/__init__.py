"""Training: from datasets to what a model learns from."""
