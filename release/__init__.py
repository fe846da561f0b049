"""What goes with a release: the packages that it was tested with, and the list of its parts."""
