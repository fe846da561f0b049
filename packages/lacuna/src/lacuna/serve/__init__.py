"""lacuna.serve"""
