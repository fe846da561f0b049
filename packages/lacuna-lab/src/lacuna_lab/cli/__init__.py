"""lacuna_lab.cli"""
