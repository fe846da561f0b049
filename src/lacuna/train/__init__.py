"""Questions to train the reader on, made from the datasets."""
