"""lacuna_lab.figures"""
