"""What people hand in is looked at: accepted, rejected, or sent back."""
