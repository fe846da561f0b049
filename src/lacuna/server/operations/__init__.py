"""For who runs servers: health, metrics, logs with request ids."""
