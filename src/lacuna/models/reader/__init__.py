"""models/reader"""
