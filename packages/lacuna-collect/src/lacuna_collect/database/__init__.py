"""lacuna_collect.database"""
