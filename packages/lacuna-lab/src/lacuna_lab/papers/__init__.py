"""lacuna_lab.papers"""
