"""lacuna_lab.reproduce"""
