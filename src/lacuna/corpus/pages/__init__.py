"""Pages: documents as their files tell them, and how they become a linked set of documents."""
