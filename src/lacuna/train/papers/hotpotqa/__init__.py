"""HotpotQA's baseline."""
