"""The papers' tables and figures, each made again with what is at hand, beside the paper's own."""
