"""PDF: text in reading order, with the page that each part of it stands on."""
