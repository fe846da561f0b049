"""lacuna_collect.board"""
