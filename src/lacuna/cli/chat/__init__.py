"""``lacuna chat``: the prompt, its commands, and dialogs that are kept."""
