"""DOCX: the text documents of Word and of other word processors."""
