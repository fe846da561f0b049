"""lacuna_collect.people"""
