"""lacuna.web"""
