"""lacuna_collect.web"""
