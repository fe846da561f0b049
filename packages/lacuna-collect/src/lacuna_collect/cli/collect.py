"""`lacuna collect`: run an annotation server."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import Host, HostNames, Json, Port
from lacuna.cli.settings import server_settings
from lacuna.errors import LacunaError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lacuna_collect.project import CollectProject
    from lacuna_collect.simulate.people import Diary
    from lacuna_collect.work.review import ReviewItem


ProjectFolder = Annotated[
    Path, typer.Argument(metavar="PROJECT", help="The project's folder.", show_default=False)
]
Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="An empty database of PostgreSQL, as postgresql://user:password@host/name; without "
        "it, the project's folder holds one of SQLite.",
        show_default=False,
    ),
]


def tell_address(words: str, address: str, host: str, unsafe: str) -> None:
    """Say where a server is, and what is sent unencrypted to it where that is so."""
    from lacuna.cli.console import notify, say
    from lacuna.web.access import is_loopback

    say(f"{words} {address}")
    sys.stdout.flush()  # whoever started it may wait for this line
    if unsafe and not is_loopback(host):
        notify(unsafe)


def opened_project(folder: Path) -> CollectProject:
    """The project in a folder."""
    from lacuna_collect.project import CollectProject

    return CollectProject.open(folder)


PORT = 8430
ADDRESS = f"http://127.0.0.1:{PORT}"
Address = Annotated[
    str, typer.Option("--url", help="The address that the server is reached under.")
]


def init(
    project: ProjectFolder,
    task: Annotated[
        str,
        typer.Option(
            help="Any task of the dataset to be made, such as iirc-questions, hotpotqa-questions "
            "or kgd-facts; the tasks that belong to it come along. human-check measures people.",
            show_default=False,
        ),
    ],
    corpus: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The documents that it is about: a corpus, a folder or a file. Tasks whose "
            "questions are in files need none.",
            exists=True,
            show_default=False,
        ),
    ] = None,
    database: Database = "",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting that is not to be the paper's, such as paragraphs=3; TASK.NAME=VALUE "
            "for one of another task. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    address: Address = ADDRESS,
) -> None:
    """Make a project: its folder, its settings, its database and its first items."""
    import shutil

    from lacuna.cli.console import notify, print_table, say
    from lacuna.cli.options import check_output_folder
    from lacuna_collect.people.accounts import JOIN, CollectRole
    from lacuna_collect.project import CollectProject, set_by_hand
    from lacuna_collect.tasks.families import family_of

    family = family_of(task)
    check_output_folder(project, reads=[corpus])
    tasks = set_by_hand({one.name: one.settings for one in family.tasks}, set_ or (), task)
    with CollectProject.create(project, family, corpus, database, tasks) as made:
        try:
            items = made.make_items()
        except LacunaError:
            # Whoever tries again with other settings does not want half a project in the way.
            shutil.rmtree(project)
            raise
        code = made.accounts.invitations.invite(CollectRole.REQUESTER, note="the first requester")
    rows = [(name, count or "made while people work") for name, count in items.items()]
    print_table(f"Items of {project}", ("task", "items"), rows)
    notify(
        f"{project} is made; its settings are in {project / 'project.toml'}. Start it with: "
        f"lacuna collect serve {project}",
        "Done",
    )
    notify("Whoever opens this address first becomes the requester:", "Next")
    say(f"{address.rstrip('/')}{JOIN}{code}")


def invite(
    project: ProjectFolder,
    role: Annotated[str, typer.Option(help="worker, reviewer or requester.")] = "worker",
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many invitations.")] = 1,
    note: Annotated[str, typer.Option(help="Whom they are for.")] = "",
    address: Address = ADDRESS,
) -> None:
    """Print links that make accounts; nothing of them can be printed again."""
    from lacuna.cli.console import say
    from lacuna.errors import no_such

    with opened_project(project) as opened:
        from lacuna_collect.people.accounts import JOIN, CollectRole

        if role not in list(CollectRole):
            raise no_such("role", role, list(CollectRole))
        for _ in range(count):
            code = opened.accounts.invitations.invite(CollectRole(role), note=note)
            say(f"{address.rstrip('/')}{JOIN}{code}")


def account(
    project: ProjectFolder,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose.", show_default=False)],
    role: Annotated[
        str, typer.Option(help="worker, reviewer or requester.", show_default=False)
    ] = "",
    new_password: Annotated[
        bool, typer.Option("--new-password", help="Print a new password for them.")
    ] = False,
) -> None:
    """Show somebody's account, change its role, or reset its password.

    Both changes log the person out everywhere. People change their own password in the browser.
    """
    from lacuna.cli.console import notify, say
    from lacuna.errors import no_such

    with opened_project(project) as opened:
        from lacuna_collect.people.accounts import CollectRole

        if role and role not in list(CollectRole):
            raise no_such("role", role, list(CollectRole))
        accounts = opened.accounts
        person = accounts.named(name)
        if role:
            accounts.set_role(person.id, CollectRole(role))
        if new_password:
            say(accounts.reset_password(person.id))
        person = accounts.person(person.id)
    blocked = f", blocked: {person.blocked_reason}" if person.is_blocked else ""
    notify(f"{person.name} is a {person.role}{blocked}.", "Done" if role else "Account")
    if new_password:
        notify(f"This is {person.name}'s password from now on; it is not printed again.", "Next")


def bonuses(
    project: ProjectFolder,
    pay: Annotated[
        bool, typer.Option("--pay", help="Enter them in the ledger; the workers see them.")
    ] = False,
) -> None:
    """Show the bonuses that are due by a task's rules, such as HotpotQA's for the best workers.

    What was entered once is not due again. Bonuses for other things are given in the console.
    """
    from lacuna.cli.console import notify, print_table

    with opened_project(project) as opened:
        found = opened.work.bonuses.pay() if pay else opened.work.bonuses.due()
    if found:
        print_table(
            "Entered now" if pay else "Due",
            ("worker", "task", "$", "for"),
            [(one.name, one.task, f"{one.cents / 100:.2f}", one.reason) for one in found],
        )
    if not found:
        notify("No bonus is due.", "Done")
    elif not pay:
        notify(f"Enter them with: lacuna collect bonuses {project} --pay", "Next")


def export(
    project: ProjectFolder,
    out: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder to write to.", show_default=False)
    ],
) -> None:
    """Write the accepted work in the dataset's own format; people may go on working."""
    from lacuna.cli.console import notify, print_json
    from lacuna.cli.options import check_output_folder

    check_output_folder(out, reads=[project])
    with opened_project(project) as opened:
        out.mkdir(parents=True, exist_ok=True)
        report = opened.export(out)
        is_begun = any(opened.work.finished.all().values())
    print_json(report)
    if not any(out.iterdir()):
        notify(f"No work is accepted that could be written: {out} is empty.", "Note")
    elif not is_begun:
        notify(f"No work is accepted yet: the files in {out} hold no questions.", "Note")
    else:
        notify(f"The dataset is in {out}.", "Done")


def import_(
    project: ProjectFolder,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="JSON lines, each with task, key and payload, and if need be copies, split, gold "
            "and not_for. Without it, what is new in the corpus is taken.",
            exists=True,
            dir_okay=False,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Add further items; those whose keys are there already stay as they are."""
    from lacuna.cli.console import notify, print_table

    with opened_project(project) as opened:
        if file is None:
            added = opened.make_items()
        else:
            from lacuna_collect.work.work import add_item_file

            added = add_item_file(opened.work, file)
    print_table(f"New items of {project}", ("task", "items"), added.items())
    notify(f"{sum(added.values()):,} items were added.", "Done")


def backup(
    project: ProjectFolder,
    target: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the copy.")],
) -> None:
    """Copy a project as it is at this moment; the copy is a project too."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_output_folder
    from lacuna_collect.project import back_up_project

    check_output_folder(target, reads=[project])
    rows = back_up_project(project, target)
    notify(f"{rows:,} rows copied to {target}. The corpus was not copied.", "Done")


def restore(
    source: Annotated[Path, typer.Argument(metavar="DIR", help="A backup.", show_default=False)],
    project: ProjectFolder,
    database: Database = "",
) -> None:
    """Make a project from a backup: PROJECT is a new folder, and its database an empty one."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_output_folder
    from lacuna_collect.project import restore_project

    check_output_folder(project, reads=[source])
    rows = restore_project(source, project, database)
    notify(f"{rows:,} rows restored; start it with: lacuna collect serve {project}", "Done")


def status(project: ProjectFolder, as_json: Json = False) -> None:
    """Show how far each task is, what it costs, and how well people work."""
    from dataclasses import asdict

    from lacuna.cli.console import print_json, print_table

    with opened_project(project) as opened:
        tasks = opened.work.progress.all()
        workers = opened.work.workers.all()
    if as_json:
        print_json({"tasks": [*map(asdict, tasks)], "workers": [*map(asdict, workers)]})
        return
    print_table(
        f"Tasks of {project}",
        ("task", "items", "wanted", "accepted", "waiting", "open", "qualified", "$", "$/hour"),
        [
            (
                task.task,
                task.items,
                task.wanted,
                task.accepted,
                task.states.get("waiting", 0),
                task.states.get("open", 0) + task.states.get("returned", 0),
                task.qualified,
                f"{(task.pay_cents + task.bonus_cents) / 100:.2f}",
                _hundredths(task.dollars_per_hour),
            )
            for task in tasks
        ],
    )
    print_table(
        "Workers",
        ("worker", "task", "accepted", "sent back", "gold", "agreement", "minutes", "$"),
        [
            (
                f"{worker.name}{' (blocked)' if worker.is_blocked else ''}",
                worker.task,
                worker.accepted,
                worker.sent_back,
                _hundredths(worker.gold),
                _hundredths(worker.agreement),
                "" if worker.median_seconds is None else f"{worker.median_seconds / 60:.1f}",
                f"{worker.cents / 100:.2f}",
            )
            for worker in workers
        ],
    )


def review(
    project: ProjectFolder,
    decision: Annotated[
        str | None,
        typer.Argument(
            metavar="[accept|send-back|reject]",
            help="Without one, what waits is listed; reject leaves work out.",
            show_default=False,
        ),
    ] = None,
    numbers: Annotated[
        list[int] | None,
        typer.Argument(metavar="NUMBER…", help="The submissions.", show_default=False),
    ] = None,
    reason: Annotated[
        str, typer.Option(help="Tell the worker why; send-back and reject want it.")
    ] = "",
    sample: Annotated[
        int, typer.Option(min=0, help="Show so much accepted work that nobody has looked at.")
    ] = 0,
    as_json: Json = False,
) -> None:
    """List what waits for a reviewer, or decide about it.

    With --json, the work itself is printed as well; the page of the server shows it best.
    """
    from lacuna.cli.console import notify

    with opened_project(project) as opened:
        reviews = opened.work.reviews
        decisions: dict[str, tuple[Callable[[int], None], str]] = {
            "accept": (reviews.accept, "accepted"),
            "send-back": (partial(reviews.send_back, reason=reason), "sent back"),
            "reject": (partial(reviews.reject, reason=reason), "left out"),
        }
        if decision is not None and (decision not in decisions or not numbers):
            raise LacunaError(
                "Say what to do with which submissions: accept NUMBER, send-back NUMBER --reason "
                "TEXT, or reject NUMBER --reason TEXT."
            )
        if decision is not None:
            decide, done = decisions[decision]
            for number in numbers or ():
                decide(number)
                notify(f"Submission {number} is {done}.", "Done")
            return
        items = reviews.inspection_sample(sample) if sample else reviews.queue()
    _print_reviews(items, "Samples" if sample else "Waiting for a reviewer", as_json)


def _print_reviews(items: Sequence[ReviewItem], title: str, as_json: bool) -> None:
    from dataclasses import asdict

    from lacuna.cli.console import print_json, print_table

    if as_json:
        print_json([asdict(item) for item in items])
        return
    print_table(
        title,
        ("number", "task", "worker", "item", "minutes", "late"),
        [
            (
                item.submission,
                item.task,
                item.name,
                item.item_key,
                f"{item.seconds / 60:.1f}",
                "yes" if item.late else "",
            )
            for item in items
        ],
    )


def _hundredths(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def serve(
    project: ProjectFolder,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    allow_host: HostNames = None,
) -> None:
    """Let people work on a project in the browser, and see how far it is.

    Workers, reviewers and requesters log in with accounts that `lacuna collect invite` lets them
    make. Only this machine can reach it unless --host says otherwise; others need https before it,
    since passwords are typed. Ctrl+C ends it, and nothing is lost.
    """
    https = server_settings().https
    with opened_project(project) as opened:
        from lacuna.cli.options import chosen_model
        from lacuna.web.access import AllowedHosts
        from lacuna_collect.web.app import run_collect_server

        unsafe = (
            "Passwords are sent unencrypted. Put TLS before it, and set LACUNA_HTTPS=1, "
            "before you invite anybody."
        )
        run_collect_server(
            opened,
            host=host,
            port=port,
            hosts=AllowedHosts.of(host, allow_host or []),
            secure=https,
            model=chosen_model(),
            ready=lambda address: tell_address(
                "Lacuna collects at", address, host, "" if https else unsafe
            ),
        )


def simulate(
    project: ProjectFolder,
    address: Annotated[
        str, typer.Option("--url", help="Where `lacuna collect serve PROJECT` runs.")
    ] = ADDRESS,
    people: Annotated[int, typer.Option(min=1, max=2000, help="How many work.")] = 10,
    seconds: Annotated[float, typer.Option(min=1, help="How long they work.")] = 60,
) -> None:
    """Let scripted people work on a project over its running server, and a reviewer with them.

    What they write has the right shape and no sense: give it a project of its own.
    """

    with opened_project(project) as opened:
        from lacuna_collect.simulate.people import Habits, Simulation

        simulation = Simulation(opened, address, habits=Habits())
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
) -> None:
    """Make a project over the demo's articles or questions, filled by scripted people."""
    from lacuna.cli.console import notify, say
    from lacuna.cli.options import check_output_folder
    from lacuna_collect.simulate.demo_project import fill_demo, make_demo, requester_link

    check_output_folder(project, reads=[])
    with make_demo(project, task) as made:
        _tell(fill_demo(made, seconds))
        link = requester_link(made, f"{ADDRESS}/")
    notify(f"Start it with: lacuna collect serve {project}", "Done")
    notify("Then open this address, which makes you its requester:", "Next")
    say(link)


def _tell(diary: Diary) -> None:
    from lacuna.cli.console import print_table
    from lacuna_collect.simulate.people import slow_save

    rows: list[tuple[object, ...]] = [
        *sorted(diary.happened.items()),
        ("pieces of work handed in", len(diary.receipts)),
    ]
    if diary.save_seconds:  # what two people say to each other has no drafts
        rows.append(("drafts saved", len(diary.save_seconds)))
        rows.append(("95 of 100 saves took less than", f"{slow_save(diary) * 1000:.0f} ms"))
    print_table("What happened", ("what", "how often"), rows)


def release(
    project: ProjectFolder,
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.", show_default=False)],
    title: Annotated[
        str, typer.Option(help="What the dataset is called; without it, as the project's folder.")
    ] = "",
    licence: Annotated[
        str,
        typer.Option(help="CC0-1.0, CC-BY-4.0, CC-BY-SA-4.0 or CC-BY-NC-4.0; blank without it."),
    ] = "",
    board: Annotated[
        str, typer.Option(metavar="URL", help="Where predictions for test are scored.")
    ] = "",
) -> None:
    """Write a dataset for others, with its datasheet.

    Its page, statistics, loading code and checksums come along. The answers of test stay in the
    project's folder, for `lacuna board add`.
    """
    from lacuna.cli.console import notify, print_table
    from lacuna.cli.options import check_output_folder

    check_output_folder(out, reads=[project])
    with opened_project(project) as opened:
        from lacuna_collect.releasing import release as write_release

        shown = title or project.resolve().name
        data = write_release(opened, out, title=shown, licence=licence, board=board)
    rows = list(data.public.items())
    print_table(f"Released in {out}", ("file", "questions"), rows)
    for path in data.kept_back:
        notify(f"{path} stays with you: its answers are not released.", "Kept back")
    notify(f"Fill in the blanks of {out / 'DATASHEET.md'} and of LICENSE.txt.", "Next")
