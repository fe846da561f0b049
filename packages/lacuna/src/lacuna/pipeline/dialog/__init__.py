"""Dialogs: what a follow-up means, where it is read, and which of the readings is right."""

from lacuna.pipeline.dialog.conversation import (
    Conversation,
    DialogAnswerer,
    DialogPipeline,
    ask_in_dialog,
    dialog_topic,
)

__all__ = ["Conversation", "DialogAnswerer", "DialogPipeline", "ask_in_dialog", "dialog_topic"]
