"""Questions that documents answer: made from what they say, and shown only once they were asked."""
