"""lacuna_scale.cluster"""
