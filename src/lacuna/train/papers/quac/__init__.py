"""QuAC's BiDAF++ with the answers of earlier turns."""
