"""The pipeline, dialogs and the server: how good, what each stage loses, how long it takes."""
