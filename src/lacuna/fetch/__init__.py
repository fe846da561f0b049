"""Get the official files from where their authors publish them."""
