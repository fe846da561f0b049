"""Learning the vectors of terms that the hybrid search ranks by."""
