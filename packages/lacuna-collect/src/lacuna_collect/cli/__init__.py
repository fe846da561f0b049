"""lacuna_collect.cli"""
