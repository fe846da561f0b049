"""What can be evaluated: a reader, the pipeline over a corpus, GapQA, or a system of one's own."""
