"""Who may ask: the token, the names of the server, and the folders that may be opened."""
