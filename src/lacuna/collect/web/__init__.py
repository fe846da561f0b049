"""The collecting server: pages for workers, reviewers and requesters, and the interface behind."""
