"""Training GapQA's model: labels from a distance, rows, two encoders, the paper's heads."""
