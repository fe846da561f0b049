"""The kinds of tables and figures: counted, scored, searched, labelled, shown."""
