"""`lacuna chat`: the prompt, its commands, and dialogs that are kept."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from lacuna.cli.answers import place_of, source_line
from lacuna.cli.console import (
    console_for_results,
    notify,
    print_error,
    print_table,
    safe,
    say,
    warn,
)
from lacuna.cli.options import (
    Alternatives,
    Corpora,
    InTitle,
    ModelName,
    Watch,
)
from lacuna.errors import LacunaError, shown
from lacuna.files.writing import replace_text
from lacuna.pipeline.result import Degree, Result

if TYPE_CHECKING:  # `lacuna --help` reads this file, and needs no pipeline
    from lacuna.pipeline.dialog.conversation import DialogAnswerer
    from lacuna.pipeline.dialog.saved_dialog import SavedDialog

PROMPT = "> "
PROMPT_STOPPED = "Ctrl-C once more leaves."
LEAVES = ("/quit", "/exit", "/q", "quit", "exit")


class TypedLines:
    """Lines up to the end; Ctrl-C is taken once, and leaves when nothing was typed since."""

    def __init__(self, commands: Sequence[str]) -> None:
        self._warned = False
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        self.is_terminal = sys.stdin.isatty()
        if self.is_terminal:
            _complete(commands)

    def __iter__(self) -> Iterator[str]:
        while True:
            try:
                line = input(PROMPT) if self.is_terminal else input()
            except EOFError:
                return
            except KeyboardInterrupt:
                self.interrupted()
                continue
            if line.strip() in LEAVES:
                return
            if line.strip():
                self._warned = False
                yield line.strip()

    def interrupted(self, what: str = "") -> None:
        """Ctrl-C: said once; the next one, and any where nobody types, ends it all."""
        from lacuna.cli.console import notify

        if self._warned or not self.is_terminal:
            raise KeyboardInterrupt
        self._warned = True
        sys.stderr.flush()
        notify(f"{what}{PROMPT_STOPPED}", "\nStopped" if what else "\nNote")


def _complete(commands: Sequence[str]) -> None:
    """Tab completes commands, and the arrows bring earlier lines back."""
    with suppress(ImportError):  # Windows has none
        import readline

        def fitting(text: str, index: int) -> str | None:
            found = [name for name in commands if text and name.startswith(text)]
            return found[index] if index < len(found) else None

        readline.set_completer(fitting)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")


SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def dialog_as_markdown(dialog: SavedDialog) -> str:
    """Questions as headings, answers below them, and what they were taken from."""
    asked = ", ".join(map(_plain, dialog.corpora)) or "the demo corpus"
    about = f", about {_plain(dialog.title)}" if dialog.title else ""
    head = [f"# Dialog of {dialog.begun[:10]}", f"Asked of {asked}{about}."]
    return (
        "\n\n".join([*head, *(part for result in dialog.results for part in _turn(result))]) + "\n"
    )


def _turn(result: Result) -> Iterator[str]:
    yield f"## {_plain(result.question)}"
    if result.read_as:
        yield f"Read as: {_plain(result.read_as)}"
    sure = "" if result.confidence is None else f" ({100 * result.confidence:.0f} % sure)"
    if result.degree is Degree.NONE:
        yield f"No answer{sure}"
        yield from (_plain(gap.missing) for gap in result.prediction.gaps)
    else:
        probably = "Probably " if result.degree is Degree.PROBABLE else ""
        yield f"{probably}**{_plain(result.answer.text)}**{sure}"
    for number, quote in enumerate(result.quotes, 1):
        where = ", ".join(filter(None, (_plain(place_of(quote)), _plain(source_line(quote)))))
        yield f"> {_plain(quote.text)}\n>\n> — [{number}] {where}"


def _plain(text: str) -> str:
    """The text as it is: nothing in it means anything to Markdown."""
    return SPECIAL.sub(r"\\\1", safe(text))


ENDING = ".jsonl"
LONGEST_NAME = 40
"""Characters of a question in the name of its dialog."""


def dialogs_folder() -> Path:
    """The user's folder, which need not be there; the variable LACUNA_DIALOGS names another."""
    if chosen := os.environ.get("LACUNA_DIALOGS"):
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("lacuna") / "dialogs"


def kept_dialogs() -> list[Path]:
    """The files, the one written last first."""
    return sorted(
        dialogs_folder().glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime, reverse=True
    )


def open_dialog(path: Path) -> SavedDialog:
    """The dialog in a file."""
    from lacuna.pipeline.dialog.saved_dialog import read_dialog

    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise LacunaError(f"{path} cannot be read: {error.strerror}.") from error
    return read_dialog(text.splitlines(), str(path))


LAST = "last"


def find_dialog(name: str) -> Path:
    """A dialog by its number in the list, by its name, or by its file; "last" is the last one."""
    kept = kept_dialogs()
    if name == LAST:
        if not kept:
            raise LacunaError(f"There is no dialog to resume in {dialogs_folder()}.")
        return kept[0]
    if name.isascii() and name.isdigit():
        if not 1 <= int(name[:9]) <= len(kept):
            raise LacunaError(f"There is no dialog {name}: there are {len(kept)} of them.")
        return kept[int(name) - 1]
    named = [path for path in kept if path.stem == name]
    if not named and not Path(name).is_file():
        raise LacunaError(
            f"There is no dialog or file {name!r}. `/dialogs` in `lacuna chat` lists the dialogs "
            "there are; each goes by its number or its name."
        )
    return named[0] if named else Path(name)


def name_for(question: str, begun: str) -> str:
    """The name of a new dialog: when it began, and its first question.

    >>> name_for("Who founded it?", "2026-03-01T09:30:00")
    '2026-03-01-0930-who-founded-it'
    """
    words = re.sub(r"[^\w]+", "-", question.casefold())[:LONGEST_NAME].strip("-_")
    when = begun[:16].replace("T", "-").replace(":", "")
    return f"{when}-{words}".strip("-")


class DialogKeeper:
    """Writes a dialog to its file; what someone else wrote there meanwhile is never lost."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._content = None if path is None else path.read_bytes()

    def write(self, dialog: SavedDialog) -> None:
        """Write all of it."""
        content = as_bytes(dialog)
        if self.path is None or self._is_changed():
            question = dialog.results[0].question
            self.path = _free(dialogs_folder(), name_for(question, dialog.begun))
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # it tells what was asked
        with replace_text(self.path) as out:
            out.write(content.decode())
        self._content = content

    def _is_changed(self) -> bool:
        """Whether another terminal goes on with the same dialog."""
        assert self.path is not None
        return self.path.exists() and self.path.read_bytes() != self._content


def as_bytes(dialog: SavedDialog) -> bytes:
    """The file of a dialog; half a surrogate pair cannot be written, and becomes "?"."""
    return "".join(f"{line}\n" for line in dialog.lines()).encode("utf-8", "replace")


def _free(folder: Path, name: str) -> Path:
    return next(path for path in _names(folder, name) if not path.exists())


def _names(folder: Path, name: str) -> Iterator[Path]:
    yield folder / f"{name}{ENDING}"
    number = 2
    while True:
        yield folder / f"{name}-{number}{ENDING}"
        number += 1


WITHOUT_SLASH = {"help": "/help", "?": "/help"}


class Command(NamedTuple):
    """What a command takes, what it is for, and what it does."""

    takes: str
    about: str
    run: Callable[[Session, str], None]


def is_command(line: str) -> bool:
    """Whether a line is one; a bare "help" is meant as one."""
    return line.startswith("/") or line.casefold() in WITHOUT_SLASH


def run_command(session: Session, line: str) -> None:
    """Run it; an unknown one is told, with the nearest there is."""
    name, _, rest = WITHOUT_SLASH.get(line.casefold(), line).partition(" ")
    rest = rest.strip()
    command = COMMANDS.get(name)
    if command is None:
        close = get_close_matches(name, COMMANDS, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise LacunaError(f"{shown(line)} is no command.{hint} /help lists them.")
    if rest and not command.takes:
        raise LacunaError(f"{name} takes nothing after it, but there is {shown(rest)}.")
    command.run(session, rest)


def show_dialogs() -> None:
    """The dialogs that are kept; one that cannot be read is told, and the others are listed."""

    rows = []
    for number, path in enumerate(kept_dialogs(), 1):
        try:
            dialog = open_dialog(path)
        except LacunaError as error:
            notify(str(error), "Left out")
            continue
        first = dialog.results[0].question if dialog.results else ""
        rows.append((f"{number}. {safe(first)}", dialog.begun[:10], len(dialog.results)))
    if rows:
        print_table("Dialogs", ("first question", "begun", "questions"), rows)
    where = f"They are kept in {dialogs_folder()}" if rows else f"None in {dialogs_folder()}"
    notify(f"{where}; `lacuna chat --resume NUMBER` goes on with one.")


def _help(session: Session, rest: str) -> None:
    from lacuna.cli.console import say_hanging

    say("Ask a question, or:")
    for name, command in COMMANDS.items():
        say_hanging(f"  {f'{name} {command.takes}'.strip():<16}", command.about)
    say("Ctrl-C stops a question; at the prompt, twice, it leaves.")


def _sources(session: Session, rest: str) -> None:
    from rich.text import Text

    from lacuna.cli.answers import place_of, source_line
    from lacuna.cli.console import print_hanging

    quotes = session.results[-1].quotes if session.results else ()
    if not quotes:
        notify("The last answer has no sources." if session.results else "Nothing was asked yet.")
    console = console_for_results()
    for number, quote in enumerate(quotes, 1):
        lead = f"{number:>2}. "
        where = "  ".join(filter(None, (place_of(quote), source_line(quote))))
        print_hanging(console, Text(lead), Text(where, "cyan"))
        print_hanging(console, Text("    "), Text(safe(quote.text)))


def _why(session: Session, rest: str) -> None:
    from lacuna.cli.answers import show_steps

    steps = session.results[-1].steps if session.results else ()
    if not steps:
        asked = "The steps of an earlier day are not kept." if session.results else ""
        notify(asked or "Nothing was asked yet.")
    show_steps(steps)


def _history(session: Session, rest: str) -> None:
    from lacuna.cli.console import say_hanging

    for number, result in enumerate(session.results, 1):
        say_hanging(f"{number:>2}. ", f"{safe(result.question)}  {safe(result.answer.text)}")
    if not session.results:
        notify("Nothing was asked yet.")


def _show(session: Session, rest: str) -> None:
    from lacuna.cli.console import say_document

    if not rest:
        raise LacunaError("Say which document: /show TITLE")
    document = session.pipeline.store.document(rest)
    say_document(f"{document.title}\n\n{document.text}")


def _corpus(session: Session, rest: str) -> None:
    info = session.pipeline.store.info()
    for path in session.corpora or ("the demo corpus",):
        say(safe(str(path)))
    say(f"{info.documents:,} documents")


def _in(session: Session, rest: str) -> None:
    if not rest:
        raise LacunaError("Say which document: /in TITLE")
    session.begin(rest)


def _save(session: Session, rest: str) -> None:
    from lacuna.cli.options import check_outputs
    from lacuna.files.writing import replace_bytes

    if not rest or not session.results:
        raise LacunaError("Ask something first." if rest else "Say where to: /save dialog.md")
    path = Path(rest).expanduser()
    check_outputs([path], reads=session.corpora)
    if path.exists() and path.resolve() not in session.written:
        raise LacunaError(f"{path} is there already. Choose another name.")
    is_json = path.suffix in (".jsonl", ".json")
    dialog = session.saved
    content = as_bytes(dialog) if is_json else dialog_as_markdown(dialog).encode("utf-8", "replace")
    with replace_bytes(path) as out:
        out.write(content)
    session.written.add(path.resolve())
    notify(f"The dialog was written to {path}.", "Done")


def _resume(session: Session, rest: str) -> None:

    session.resume(find_dialog(rest or LAST))


COMMANDS = {
    "/sources": Command("", "where the last answer stands, sentence by sentence", _sources),
    "/why": Command("", "how the last answer came about, step by step", _why),
    "/history": Command("", "what was asked and answered so far", _history),
    "/show": Command("TITLE", "a document of the corpus", _show),
    "/corpus": Command("", "what is asked", _corpus),
    "/in": Command("TITLE", "start again, about one document", _in),
    "/new": Command(
        "", "start again; earlier questions are forgotten", lambda session, _: session.begin(None)
    ),
    "/save": Command("FILE", "write the dialog: Markdown, or JSON lines in a .jsonl file", _save),
    "/dialogs": Command("", "list earlier dialogs", lambda session, _: show_dialogs()),
    "/resume": Command("[DIALOG]", "go on with an earlier dialog, or the last one", _resume),
    "/help": Command("", "this list", _help),
    "/quit": Command("", "leave, as Ctrl-D does", lambda session, _: None),
}
"""In the order of /help; leaving is the prompt's own matter."""


STOPPED = "The question was stopped; nothing of it is kept. "


class Session:
    """One dialog after the other, over one corpus.

    ``on_stop`` is told when Ctrl-C stopped a question; it says so, or ends it all. ``keeps`` says
    whether each dialog is kept in a file.
    """

    def __init__(
        self,
        pipeline: DialogAnswerer,
        corpora: Sequence[Path],
        *,
        alternatives: int,
        keeps: bool,
        on_stop: Callable[[str], None],
    ) -> None:
        self.pipeline = pipeline
        self.corpora = tuple(corpora)
        self.written: set[Path] = set()
        """Files that /save wrote, and may write again."""
        self._alternatives = alternatives
        self._keeps = keeps
        self._on_stop = on_stop
        self.begin(None)

    def begin(self, title: str | None) -> None:
        """Start again, about a document or about everything."""
        from lacuna.pipeline.dialog.conversation import Conversation

        self._dialog = Conversation(self.pipeline, title=title)
        self._title = title
        self._begun = datetime.now().astimezone().isoformat(timespec="seconds")
        self._keeper = DialogKeeper() if self._keeps else None

    def resume(self, path: Path) -> None:
        """Go on with a dialog; what the corpus no longer says is not taken for evidence."""
        from lacuna.pipeline.dialog.saved_dialog import still_there

        saved = open_dialog(path)
        for problem in saved.damage:
            warn(f"{path}: {problem}.")
        if {Path(path) for path in saved.corpora} != {path.absolute() for path in self.corpora}:
            notify(f"This dialog began with {' and '.join(saved.corpora) or 'the demo corpus'}.")
        self.begin(saved.title)
        self._begun = saved.begun
        # What could not be read stays in its file, and the dialog goes on in another.
        if self._keeps and not saved.damage:
            self._keeper = DialogKeeper(path)
        store = self.pipeline.store
        self._dialog.results.extend(still_there(result, store) for result in saved.results)
        count = len(saved.results)
        notify(f"{count} {'question was' if count == 1 else 'questions were'} asked before.")

    @property
    def results(self) -> list[Result]:
        """What was answered so far."""
        return self._dialog.results

    @property
    def saved(self) -> SavedDialog:
        """The dialog so far."""
        from lacuna.pipeline.dialog.saved_dialog import SavedDialog

        corpora = tuple(str(path.absolute()) for path in self.corpora)
        return SavedDialog(self._begun, corpora, self._title, tuple(self.results))

    def handle(self, line: str) -> bool:
        """Answer a question or run a command; False where that is not possible."""

        before = len(self.results)
        try:
            if is_command(line):
                run_command(self, line)
            else:
                self._ask(line)
        except KeyboardInterrupt:
            if len(self.results) > before:  # it came after the answer
                self._keep()
                self._on_stop("")
            else:
                self._on_stop(STOPPED)
        except LacunaError as error:
            print_error(str(error))
            return False
        return True

    def _ask(self, question: str) -> None:
        from lacuna.cli.answers import show
        from lacuna.cli.console import safe, stages_shown
        from lacuna.pipeline.result import Stage
        from lacuna.pipeline.stages import nearest_quote

        with stages_shown(Stage.SPOT if self._title else Stage.START) as on_step:
            result = self._dialog.ask(question, on_step=on_step)
        piped = not sys.stdin.isatty()
        if piped:
            say(f"question: {safe(question)}")
        nearest = nearest_quote(self.pipeline.store, result)
        show(result, nearest=nearest, alternatives=self._alternatives)
        if piped:
            say()
        sys.stdout.flush()
        self._keep()

    def _keep(self) -> None:
        """A dialog that cannot be kept goes on all the same."""
        if self._keeper is None or not self.results:
            return
        try:
            self._keeper.write(self.saved)
        except (LacunaError, OSError) as error:
            self._keeper, self._keeps = None, False
            warn(f"This dialog is not kept from here on: {error}")


def chat(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUESTION]", help="The first question.", show_default=False),
    ] = None,
    title: InTitle = None,
    corpus: Corpora = None,
    model: ModelName = None,
    alternatives: Alternatives = 0,
    watch: Watch = False,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="DIALOG",
            help="Go on with an earlier dialog: last, its number in the list of /dialogs, its "
            "name, or a file.",
            show_default=False,
        ),
    ] = None,
    no_save: Annotated[
        bool, typer.Option("--no-save", help="Keep no record of this dialog.")
    ] = False,
) -> None:
    """Ask questions that build on each other.

    Type one question a line, such as "And when did she leave?"; /help lists commands. Without
    --corpus, questions go to the demo. Lacuna keeps what you ask at a terminal, so that you can go
    on with --resume. It exits with 1 if it could not ask some lines of a pipe.
    """
    from contextlib import ExitStack

    from lacuna.cli.console import say, warn
    from lacuna.cli.options import (
        chosen_confidence,
        chosen_corpora,
        chosen_model,
        one_text,
        opened_pipeline,
    )
    from lacuna.errors import LacunaError
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.open_corpus import SteadyPipeline

    first = one_text(words, "question") if words else None
    if resume is not None and title is not None:
        raise LacunaError("Give --in or --resume, not both: a dialog is about what it began with.")
    path = None if resume is None else find_dialog(resume)
    saved = None if path is None else open_dialog(path)
    corpora = chosen_corpora(corpus) if corpus or saved is None else _began_with(saved)
    with opened_pipeline(
        corpora,
        model=chosen_model(model),
        retriever=None,
        config=PipelineConfig(min_confidence=chosen_confidence()),
    ) as pipeline:
        lines = TypedLines(list(COMMANDS))
        keeps = (lines.is_terminal or resume is not None) and not no_save
        session = Session(
            SteadyPipeline(pipeline),
            corpora,
            alternatives=alternatives,
            keeps=keeps,
            on_stop=lines.interrupted,
        )
        if path is None:
            session.begin(title)
        else:
            session.resume(path)
        with ExitStack() as stack:
            if watch:
                from lacuna.pipeline.open_corpus import Watcher

                stack.enter_context(Watcher(lambda: [pipeline.store], on_problem=warn))
            if lines.is_terminal:
                say("Type a question; /help lists what else there is.")
            every = lines if first is None else chain([first], lines)
            refused = sum(not session.handle(line) for line in every)
    if refused and not sys.stdin.isatty():
        raise typer.Exit(1)


def _began_with(saved: SavedDialog) -> list[Path]:
    """What the dialog was asked of, whatever is set by now; nothing stands for the demo."""
    return [Path(path) for path in saved.corpora]
