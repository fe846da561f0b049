"""What a board keeps: its database, its log, its tables, teams and submissions."""
