"""lacuna_collect.work"""
