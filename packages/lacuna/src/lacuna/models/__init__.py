"""What the text says: one small model for every kind of answer, run with onnxruntime alone."""
