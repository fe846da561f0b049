"""Loading code that goes with a released dataset; each file runs by itself."""
