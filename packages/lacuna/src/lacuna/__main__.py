"""``python -m lacuna``."""

from lacuna.cli import main

main()
