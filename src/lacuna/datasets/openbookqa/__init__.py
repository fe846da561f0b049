"""datasets/openbookqa"""
