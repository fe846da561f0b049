"""``lacuna collect simulate|demo``: scripted people, for load and for a first look."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.collect.project_argument import ProjectFolder

if TYPE_CHECKING:
    from lacuna.collect.simulate.person import Diary


def simulate(
    project: ProjectFolder,
    address: Annotated[
        str, typer.Option("--url", help="Where `lacuna collect serve PROJECT` runs.")
    ] = "http://127.0.0.1:8430",
    people: Annotated[int, typer.Option(min=1, max=2000, help="How many work.")] = 10,
    seconds: Annotated[float, typer.Option(min=1, help="How long they work.")] = 60,
    errors: Annotated[
        float, typer.Option(min=0, max=1, help="The share of work with an error.")
    ] = 0.1,
    dropouts: Annotated[
        float, typer.Option(min=0, max=1, help="How often somebody leaves within a set.")
    ] = 0.02,
    pause: Annotated[
        float, typer.Option(min=0, help="Seconds between two saves, on average.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Others with another number.")] = 1,
) -> None:
    """Let scripted people work on a project over its running server, and a reviewer with them.

    What they write has the right shape and no sense: give it a project of its own.
    """
    from lacuna.cli.collect.project_argument import opened_project

    with opened_project(project) as opened:
        from lacuna.collect.simulate.person import Habits
        from lacuna.collect.simulate.simulation import Simulation

        habits = Habits(errors=errors, dropouts=dropouts, pause=pause)
        simulation = Simulation(opened, address, habits=habits, seed=seed)
        _tell(simulation.run(people, seconds))


def demo(
    project: Annotated[
        Path, typer.Argument(metavar="PROJECT", help="A new folder.", show_default=False)
    ],
    task: Annotated[
        str,
        typer.Option(
            help="iirc-questions, hotpotqa-questions, quac-dialogs, kgd-facts or human-check."
        ),
    ] = "iirc-questions",
    seconds: Annotated[float, typer.Option(min=1, help="How long people work in it.")] = 45,
    port: Annotated[int, typer.Option(min=0, max=65535, help="For `serve` afterwards.")] = 8430,
) -> None:
    """Make a project over the demo's articles or questions, filled by scripted people."""
    from lacuna.cli.collect.project_argument import check_installed
    from lacuna.cli.console import notify, say
    from lacuna.cli.outputs import check_output_folder

    check_installed()
    from lacuna.collect.simulate.demo_project import fill_demo, make_demo, requester_link

    check_output_folder(project, reads=[])
    with make_demo(project, task) as made:
        _tell(fill_demo(made, seconds))
        link = requester_link(made, f"http://127.0.0.1:{port}/")
    notify(f"Start it with: lacuna collect serve {project} --port {port}", "Done")
    notify("Then open this address, which makes you its requester:", "Next")
    say(link)


def _tell(diary: Diary) -> None:
    from lacuna.cli.console import print_table
    from lacuna.collect.simulate.simulation import slow_save

    rows: list[tuple[object, ...]] = [
        *sorted(diary.happened.items()),
        ("pieces of work handed in", len(diary.receipts)),
    ]
    if diary.save_seconds:  # what two people say to each other has no drafts
        rows.append(("drafts saved", len(diary.save_seconds)))
        rows.append(("95 of 100 saves took less than", f"{slow_save(diary) * 1000:.0f} ms"))
    print_table("What happened", ("what", "how often"), rows)
