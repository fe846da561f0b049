"""Questions for yes or no, made from other questions and from articles."""
