"""lacuna.evaluation"""
