"""datasets/squad"""
