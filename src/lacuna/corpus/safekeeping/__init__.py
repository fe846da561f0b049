"""That a store stays what it was: checksums, checks, repairs, backups, older formats."""
