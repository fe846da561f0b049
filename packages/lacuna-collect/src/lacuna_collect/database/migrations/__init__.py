"""lacuna_collect.database.migrations"""
