"""A corpus kept as Lance tables, on a shared disk or in an object store; needs the extra scale."""

import os

# Before Lance is loaded: what matters is raised, and told in our words.
os.environ.setdefault("LANCE_LOG", "error")
