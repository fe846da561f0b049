"""Who works here: accounts, invitations, log-ins, and people whom a crowd platform sends."""
