"""lacuna_lab.describe"""
