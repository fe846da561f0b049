"""Mail: single messages and folders of them in mbox files."""
