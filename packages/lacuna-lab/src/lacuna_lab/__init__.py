"""lacuna_lab"""
