"""lacuna_lab.data"""
