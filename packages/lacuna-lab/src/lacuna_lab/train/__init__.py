"""lacuna_lab.train"""
