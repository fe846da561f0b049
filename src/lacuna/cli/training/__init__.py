"""The verbs that need torch: training a model, and writing it as one file that needs none."""
