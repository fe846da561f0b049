"""lacuna_collect.tasks"""
