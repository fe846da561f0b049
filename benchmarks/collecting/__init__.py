"""Many people on a collecting server for a while; servers that are killed; backups meanwhile."""
