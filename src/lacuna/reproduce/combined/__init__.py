"""IIRC's combined evaluation (section 5): questions that need no link among those that do."""
