"""Training questions: the files they come from, and one module for each way of making them."""
