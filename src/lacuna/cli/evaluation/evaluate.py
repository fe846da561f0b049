"""``lacuna evaluate``: answer the questions of a file, score the answers, compare systems."""

from __future__ import annotations

from lacuna.cli.options import (
    DatasetName,
    HumanFile,
    Json,
    Knowledge,
    OnRay,
    OptionalFile,
    PredictionsOutput,
    ReaderName,
    Resume,
    RetrieverName,
    SettingCorpora,
    SettingName,
    SkipBad,
    SystemModel,
    Systems,
    Threads,
)


def evaluate(
    dataset: DatasetName,
    file: OptionalFile = None,
    setting: SettingName = None,
    system: Systems = None,
    reader: ReaderName = None,
    model: SystemModel = None,
    threads: Threads = None,
    corpus: SettingCorpora = None,
    retriever: RetrieverName = None,
    knowledge: Knowledge = None,
    output: PredictionsOutput = None,
    human: HumanFile = None,
    skip_bad: SkipBad = False,
    resume: Resume = False,
    as_json: Json = False,
    ray: OnRay = None,
) -> None:
    """Answer the questions of a file, and score the answers as `lacuna score` does.

    Beside the official numbers stand the breakdowns of the dataset's paper, and the risk where
    only the most confident answers are given. Where the questions were asked over a corpus: how
    often it rightly abstained, and whether the gold links were followed. With several systems
    (--system A --system B) their scores stand side by side, and each is tested against the first.
    What is answered is kept until the end: after Ctrl-C or a crash, --resume goes on. With --human,
    what people reach stands beside them.
    """
    from lacuna.cli.cluster import answering_at, exit_if_failed
    from lacuna.cli.console import notify, print_json, print_tables, say, warn
    from lacuna.cli.evaluation.answering import (
        check_answer_files,
        exit_if_left_out,
        keeping,
        named_systems,
        print_notes,
        show_progress,
    )
    from lacuna.errors import LacunaError
    from lacuna.experiment import run
    from lacuna.metrics.human_row import HumanRow
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.registry import Resources

    systems = named_systems(system, reader=reader, model=model)
    if output is not None and len(systems) > 1:
        raise LacunaError("--output takes the predictions of one system. Name one --system.")
    resources = Resources(corpus or None, knowledge, retriever, threads)
    assignment = Assignment(
        dataset, file, setting, systems, resources, skip_bad=skip_bad, needs_gold=True
    )
    check_answer_files(assignment, output)
    people = None if human is None else HumanRow.read(human)
    if people is not None:
        people.check(assignment.dataset.name, assignment.setting.name)
    print_notes(assignment)
    with answering_at(ray) as elsewhere, keeping(assignment, resume=resume) as work:
        experiment = run(assignment, progress=show_progress, unfinished=work, elsewhere=elsewhere)
        if output is not None:
            assignment.dataset.write_predictions(output, experiment.systems[0].predictions)
    if people is not None:
        experiment = experiment.beside_people(people)
    for warning in experiment.warnings:
        warn(warning)
    for note in experiment.notes:
        notify(note)
    if as_json:
        print_json(experiment.to_json())
    else:
        say(experiment.heading)
        print_tables(experiment.tables())
    exit_if_failed({id_: why for each in experiment.systems for id_, why in each.failed.items()})
    exit_if_left_out(experiment.left_out)
