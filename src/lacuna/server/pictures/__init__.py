"""Pictures that documents show: found beside their files, looked at, and given out."""
