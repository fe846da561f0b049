"""lacuna_collect.simulate"""
