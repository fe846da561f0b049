"""From accepted work to the files of the dataset."""
