"""datasets/hotpotqa"""
