"""Models that read: one small model for every kind of answer, run with onnxruntime alone."""
