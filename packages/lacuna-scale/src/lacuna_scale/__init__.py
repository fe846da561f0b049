"""lacuna_scale"""
