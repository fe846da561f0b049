"""BiDAF over one text: SQuAD's paragraphs, or core facts whose key span it finds."""
