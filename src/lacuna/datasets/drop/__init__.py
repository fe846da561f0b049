"""datasets/drop"""
