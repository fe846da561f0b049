"""Describing a dataset as its paper does: tables, charts, and sheets to label by hand."""
