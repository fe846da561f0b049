"""lacuna_lab.gapqa"""
