"""What is claimed about speed, memory and quality, measured: ``python -m benchmarks NAME``."""
