"""What a user has chosen once and for all: corpus, model, minimal confidence."""
