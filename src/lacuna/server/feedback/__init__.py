"""What people say of answers, kept as test data."""
