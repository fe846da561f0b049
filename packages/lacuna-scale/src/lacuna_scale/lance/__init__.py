"""lacuna_scale.lance"""
