"""lacuna_collect.live"""
