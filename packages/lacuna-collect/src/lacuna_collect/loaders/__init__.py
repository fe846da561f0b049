"""lacuna_collect.loaders"""
