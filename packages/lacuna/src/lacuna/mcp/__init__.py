"""A door for agents: the corpus as tools and resources of the Model Context Protocol."""
