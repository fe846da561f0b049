"""The web page and the JSON interface behind it: a door, with no logic of its own."""
