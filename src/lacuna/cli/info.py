"""``lacuna info``: what a bug report needs."""

from __future__ import annotations

from lacuna.cli.options import Json


def info(as_json: Json = False) -> None:
    """Print versions and folders, for bug reports."""
    import platform
    import re
    from importlib.metadata import requires, version

    from lacuna.cli.console import print_json, print_table
    from lacuna.datasets import dataset_names
    from lacuna.files.cache import cache_folder
    from lacuna.version import __version__

    needed = (line for line in requires("lacuna-qa") or () if "extra ==" not in line)
    packages = sorted(re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in needed)
    facts = {
        "lacuna": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{package: version(package) for package in packages},
        "cache": str(cache_folder()),
        "tasks": ", ".join(dataset_names()),
    }
    if as_json:
        print_json(facts)
    else:
        print_table("Lacuna", ("what", "value"), facts.items())
