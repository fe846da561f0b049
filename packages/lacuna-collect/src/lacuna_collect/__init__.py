"""lacuna_collect"""
