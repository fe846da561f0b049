"""What can be asked of the collecting server, by who asks."""
