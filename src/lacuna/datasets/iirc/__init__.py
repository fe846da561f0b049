"""datasets/iirc"""
