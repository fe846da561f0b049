"""train/data/yes_no"""
