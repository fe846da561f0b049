"""Who does what, and what becomes of it: assignment, drafts, submission, review, pay."""
