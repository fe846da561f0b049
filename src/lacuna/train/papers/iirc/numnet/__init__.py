"""The reader of IIRC's paper: NumNet+, and heads for yes, no and no answer (section 3.2.3)."""
