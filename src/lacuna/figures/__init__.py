"""Charts as plain data, and drawing them as SVG and PNG; only drawing needs matplotlib."""
