"""The reader ``llm``: any language model behind an OpenAI-compatible server (docs/llm.md)."""
