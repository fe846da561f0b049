"""What people are asked to do: one folder per paper."""
