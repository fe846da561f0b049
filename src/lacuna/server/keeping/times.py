"""How long answers are kept where servers share them, and how long a store may take."""

KEPT_DAYS = 7
KEPT_SECONDS = KEPT_DAYS * 24 * 3600
PATIENCE = 5
"""Seconds after which a store that does not answer counts as unreachable."""
