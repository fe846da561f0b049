"""Reading and writing files: compressed or plain, streamed, and never half-written."""
