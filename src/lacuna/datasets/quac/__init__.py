"""datasets/quac"""
