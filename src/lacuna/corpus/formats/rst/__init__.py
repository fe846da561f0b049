"""reStructuredText, with the roles and directives of Sphinx."""
