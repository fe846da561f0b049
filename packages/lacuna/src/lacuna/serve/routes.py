"""The routes of the interface: what is at which address, and what they work with."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Mapping,
)
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI, File, Path, Query, Request, Response, UploadFile
from fastapi.responses import StreamingResponse
from msgspec.json import encode
from starlette.types import Receive, Scope, Send

from lacuna.corpus.titles import search_titles
from lacuna.json_form import plain
from lacuna.pipeline.gapqa import ChoiceResult
from lacuna.serve import page_files
from lacuna.serve.corpora import AllowedFolders, CorpusOpener, OpenCorpora, OpenCorpus
from lacuna.serve.document_schemas import (
    DocumentLinks,
    DocumentSchema,
    LinkPath,
    LinksQuery,
    Neighbourhood,
    NeighbourhoodQuery,
    PassageHits,
    PathQuery,
    PictureQuery,
    PreviewSchema,
    SearchQuery,
    TitleQuery,
    TitlesQuery,
)
from lacuna.serve.exploring import (
    document_links,
    document_schema,
    find_passages,
    link_path,
    neighbourhood,
    picture_of,
    preview,
)
from lacuna.serve.feedback import FeedbackService
from lacuna.serve.language_models import LanguageModels
from lacuna.serve.operations import METRICS, Metrics, metrics_response
from lacuna.serve.questions import ChoiceService, QuestionService, Ticket
from lacuna.serve.schemas import (
    AskRequest,
    ChoiceRequest,
    CorpusSchema,
    DialogSchema,
    Event,
    FeedbackRequest,
    FeedbackSchema,
    FolderRequest,
    LanguageModelRequest,
    LanguageModelsSchema,
    ModelSchema,
    ProblemEvent,
    ReadingSchema,
    ResultSchema,
    ServerSchema,
    SuggestedQuestion,
    SuggestionsSchema,
    SuggestRequest,
    TitlesSchema,
    TogetherRequest,
    schema_of,
)
from lacuna.serve.shared import AnswerKeeper
from lacuna.serve.suggestions import SuggestionService
from lacuna.serve.uploads import taken_suffixes
from lacuna.version import __version__
from lacuna.web.access import PERSON
from lacuna.web.limits import Limits
from lacuna.web.listening import Stopping
from lacuna.web.refusals import Problem, Refusal, note_refusal
from lacuna.web.work_queue import WorkQueue

Responses = dict[int | str, dict[str, Any]]

ALWAYS = {
    400: "The request cannot be understood",
    401: "No token, or a wrong one",
    403: "Not allowed: a folder that was not named, another site's page, what was not uploaded",
    405: "Nothing of this method is at this address",
    408: "The rest of the request did not come in time",
    413: "Too large",
    421: "The server does not answer under this name",
    422: "Not as expected; a field that is not known is refused too",
    500: "A mistake of the server; its own output says more",
    503: "Busy, ending, or without a store that it needs; Retry-After says when to come again",
    504: "It took too long",
}
NOT_FOUND = {404: "The corpus, document or answer is not there, or is another person's"}
GONE = {410: "The corpus was deleted while the server was running"}


def refused(*descriptions: Mapping[int, str]) -> Responses:
    """The refusals of a route, beside those that every route may have."""
    return {
        status: {"model": Problem, "description": description}
        for some in descriptions
        for status, description in some.items()
    }


CLIENT_GONE = 499


@dataclass(frozen=True, slots=True)
class Services:
    """One of each; made when the app is."""

    corpora: OpenCorpora
    opener: CorpusOpener
    answers: AnswerKeeper
    questions: QuestionService
    suggestions: SuggestionService
    choices: ChoiceService
    feedback: FeedbackService
    limits: Limits
    models: Collection[str]
    """What a question may choose, the usual one first."""
    language_models: LanguageModels | None
    """Looks for more on this machine; None for who does not sit at it."""
    folders: AllowedFolders
    local: bool
    """Whether whoever asks sits at this machine, and may be told where files lie."""
    several_people: bool
    """Whether people are told apart; one alone may get another token with every start."""
    watches: bool
    lookups: ThreadPoolExecutor
    """For short lookups; few threads, since each opens a connection to every corpus."""
    indexing: WorkQueue
    """For corpora that are opened: one at a time, because that takes the cores of answers."""
    stopping: Stopping
    metrics: Metrics


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


def _person(request: Request) -> str:
    return str(request.scope.get(PERSON, ""))


AppServices = Annotated[Services, Depends(_services)]
CorpusId = Annotated[str, Path(description="The id of a corpus.")]
AnswerId = Annotated[str, Path(description="The id of an answer.")]
Person = Annotated[str, Depends(_person)]
"""Who a request is from: a name for its token, the same for all where there is none."""


async def lookup(services: Services, look_up: Callable[[], T]) -> T:
    """What a short lookup gives, done beside the loop."""
    return await asyncio.get_running_loop().run_in_executor(services.lookups, look_up)


async def unless_gone(request: Request, answer: Awaitable[T]) -> T | Response:
    """The answer; an empty response where the client has closed the connection before."""
    answered = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(_disconnected(request))
    done, _ = await asyncio.wait({answered, gone}, return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    return answered.result() if answered in done else Response(status_code=CLIENT_GONE)


class JsonForm(Response):
    """What is made of dataclasses, in its JSON form."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes to send."""
        return encode(plain(content))


async def said_unless_gone(request: Request, answer: Awaitable[T]) -> Response:
    """The same in its JSON form."""
    said = await unless_gone(request, answer)
    return said if isinstance(said, Response) else JsonForm(said)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


HERE = refused(NOT_FOUND, GONE)
ask_router = APIRouter(tags=["Questions"])


@ask_router.post("/ask", responses=HERE, response_model=schema_of(ResultSchema))
async def ask(
    question: AskRequest, request: Request, services: AppServices, person: Person
) -> Response:
    """Ask, and wait for the answer."""
    ticket = await services.questions.take(question, person)
    try:
        return await said_unless_gone(request, ticket.answer())
    finally:
        ticket.leave()


@ask_router.post(
    "/ask/stream",
    responses={
        200: {
            "content": {"text/event-stream": {}},
            "description": "Server-sent events: `waiting`, `step`, and one `answer` or `problem`",
        },
        **HERE,
    },
    response_class=StreamingResponse,
)
async def ask_stream(
    question: AskRequest, request: Request, services: AppServices, person: Person
) -> StreamingResponse:
    """Ask, and get every step as it is done."""
    return _EventStream(await services.questions.take(question, person), request.scope)


@ask_router.get(
    "/answers/{answer}", responses=refused(NOT_FOUND), response_model=schema_of(DialogSchema)
)
async def dialog(answer: AnswerId, services: AppServices, person: Person) -> Response:
    """An answer that was given to the same person, and the dialog before it."""
    cached = await asyncio.to_thread(services.answers.dialog, answer, person)
    return JsonForm({"answers": [one.result for one in cached]})


class _EventStream(StreamingResponse):
    """The events of a ticket, which is given up when nobody listens any more."""

    def __init__(self, ticket: Ticket, asked: Scope) -> None:
        self._ticket = ticket
        super().__init__(_encoded(ticket, asked), media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ticket.leave()


async def _encoded(ticket: Ticket, asked: Scope) -> AsyncIterator[bytes]:
    async for event in ticket.events():
        if isinstance(event, ProblemEvent):  # its status was sent long ago
            note_refusal(asked, event.code)
        yield _event(event)


def _event(event: Event) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event.event.encode(), encode(plain(event)))


choices_router = APIRouter(tags=["Questions"])


@choices_router.post("/choose", response_model=schema_of(ChoiceResult))
async def choose(question: ChoiceRequest, request: Request, services: AppServices) -> Response:
    """Ask with a core fact and choices: the choice, the gap between the two, and what fills it."""
    future = services.choices.take(question)
    try:
        return await said_unless_gone(request, asyncio.wrap_future(future))
    finally:
        services.choices.leave(future)


NOT_TAKEN = {415: "No file of a kind that can be read"}
EXAMPLE_WITH_CHOICES = ChoiceRequest(
    question="Through which of these would heat pass quickly?",
    fact="heat passes quickly through metals",
    choices=["a wooden spoon", "a steel ladle", "a woollen mitten", "a rubber ball"],
)
READING = "A name of the client's, under which it asks how far the reading is."
Files = Annotated[list[UploadFile], File(description="Files of any kind that can be read.")]
corpora_router = APIRouter(tags=["Corpora"])


@corpora_router.get("/server")
async def server(services: AppServices, person: Person) -> ServerSchema:
    """What this server is, may do, and takes on."""
    limits = services.limits
    return ServerSchema(
        version=__version__,
        default=services.corpora.default,
        person=person if services.several_people else "",
        opens_folders=bool(services.folders),
        folders=services.folders.names() if services.local else [],
        longest_question=limits.question,
        longest_fact=limits.fact,
        longest_choice=limits.choice,
        most_choices=limits.choices,
        example_with_choices=EXAMPLE_WITH_CHOICES,
        largest_upload=limits.upload,
        upload_suffixes=taken_suffixes(),
        models=list(services.models),
        finds_language_models=services.language_models is not None,
        watches=services.watches,
        upload_hours=limits.upload_hours,
        feedback=services.feedback.is_taken,
        limits=limits,
        corpora=await lookup(services, services.corpora.public),
    )


@corpora_router.get("/language-models")
async def find_language_models(services: AppServices) -> LanguageModelsSchema:
    """The servers of language models that answer at the usual ports of the server's machine.

    Nothing is looked for before this is called. Only who sits at that machine may.
    """
    finder = _finder(services)
    return LanguageModelsSchema(servers=await lookup(services, finder.found))


@corpora_router.post("/language-models")
async def take_language_model(chosen: LanguageModelRequest, services: AppServices) -> ModelSchema:
    """Let questions choose one of those models, until the server ends."""
    finder = _finder(services)
    return ModelSchema(model=await lookup(services, lambda: finder.take(chosen.port, chosen.model)))


def _finder(services: Services) -> LanguageModels:
    if services.language_models is None:
        raise Refusal(
            403,
            "not-here",
            "Language models are looked for only for who sits at the server's machine. Start it "
            "with --model llm:NAME, and LACUNA_LLM_URL set to the server of the model.",
        )
    return services.language_models


@corpora_router.post("/corpora/folder", responses=refused(NOT_TAKEN), response_model=CorpusSchema)
async def open_folder(
    folder: FolderRequest, request: Request, services: AppServices
) -> CorpusSchema | Response:
    """Open a folder of the server's machine; only one that the server was told to allow."""
    return await _indexed(
        request, services, lambda: services.opener.open_folder(folder.path, services.corpora)
    )


@corpora_router.post("/corpora/upload", responses=refused(NOT_TAKEN), response_model=CorpusSchema)
async def upload(
    files: Files,
    request: Request,
    services: AppServices,
    person: Person,
    reading: Annotated[str, Query(max_length=64, description=READING)] = "",
) -> CorpusSchema | Response:
    """Make a corpus of documents, or of a `.zip` of them; it is deleted after a while.

    `upload_suffixes` of `/api/v1/server` says what can be read; `skipped` names what could not be.
    Only who uploaded it, with the same token, can see it, and only by its id.
    """
    return await _indexed(request, services, lambda: _upload(files, services, person, reading))


@corpora_router.get("/readings/{reading}")
async def reading(
    reading: Annotated[str, Path(max_length=64, description=READING)],
    services: AppServices,
    person: Person,
) -> ReadingSchema:
    """How far an upload is that is being read; zero of what is not, or waits."""
    read, files = services.opener.readings.of(person, reading)
    return ReadingSchema(read=read, files=files)


@corpora_router.post(
    "/corpora/together", responses=refused(NOT_FOUND, GONE), response_model=CorpusSchema
)
async def open_together(
    wanted: TogetherRequest, request: Request, services: AppServices, person: Person
) -> CorpusSchema | Response:
    """Make one corpus of several, to be asked together; quotes say which of them they are from.

    It is a copy of them as they are now, for one person, and is deleted like an upload.
    """
    opener, corpora = services.opener, services.corpora
    return await _indexed(
        request, services, lambda: opener.open_together(wanted.corpora, corpora, person)
    )


@corpora_router.get("/corpora/{corpus}", responses=refused(NOT_FOUND, GONE))
async def corpus(corpus: CorpusId, services: AppServices, person: Person) -> CorpusSchema:
    """One corpus."""
    return await lookup(services, lambda: services.corpora.get(corpus, person).schema())


@corpora_router.delete("/corpora/{corpus}", status_code=204, responses=refused(NOT_FOUND, GONE))
async def delete_upload(corpus: CorpusId, services: AppServices, person: Person) -> None:
    """Delete an upload before its time, with all that was read from it."""
    await lookup(services, lambda: services.corpora.delete(corpus, person))


def _upload(files: list[UploadFile], services: Services, person: str, reading: str) -> OpenCorpus:
    with services.opener.folder_for_files() as folder:
        named = []
        for number, file in enumerate(files):
            path = folder / str(number)  # a name of ours: theirs is not to be trusted
            with path.open("wb") as out:
                shutil.copyfileobj(file.file, out)
            named.append((file.filename or "", path))
        return services.opener.open_upload(named, services.corpora, person, reading)


async def _indexed(
    request: Request, services: Services, open_corpus: Callable[[], OpenCorpus]
) -> CorpusSchema | Response:
    """The corpus when its turn has come; who is gone by then gets none."""
    future = services.indexing.join(lambda: open_corpus().schema())
    try:
        return await unless_gone(request, asyncio.wrap_future(future))
    finally:
        services.indexing.leave(future)


T = TypeVar("T")
MEDIA_TYPES = ("image/gif", "image/jpeg", "image/png", "image/webp")
documents_router = APIRouter(
    prefix="/corpora/{corpus}", tags=["Documents"], responses=refused(NOT_FOUND, GONE)
)


class CorpusLookup:
    """Looks something up in the corpus of a request, beside the loop."""

    def __init__(self, corpus: CorpusId, services: AppServices, person: Person) -> None:
        self._corpus = corpus
        self._services = services
        self._person = person

    async def __call__(self, find: Callable[[OpenCorpus], T]) -> T:
        """What is found."""
        corpora = self._services.corpora
        return await lookup(self._services, lambda: find(corpora.get(self._corpus, self._person)))


Opened = Annotated[CorpusLookup, Depends(CorpusLookup)]
Titled = Annotated[TitleQuery, Query()]


@documents_router.get("/titles")
async def titles(opened: Opened, asked: Annotated[TitlesQuery, Query()]) -> TitlesSchema:
    """Titles that begin with, hold, or come near to what is typed; without it the first ones."""
    found = await opened(lambda corpus: search_titles(corpus.answerer.store, asked.q, asked.limit))
    return TitlesSchema(titles=found)


@documents_router.get("/search", response_model=schema_of(PassageHits))
async def search(opened: Opened, asked: Annotated[SearchQuery, Query()]) -> Response:
    """Passages with these words, the best first, each with a snippet and where the words stand."""
    return JsonForm(await opened(lambda corpus: find_passages(corpus, asked)))


@documents_router.get("/document", response_model=schema_of(DocumentSchema))
async def document(opened: Opened, asked: Titled) -> Response:
    """A document: its text, the blocks that it is made of, and where its links lead."""
    return JsonForm(await opened(lambda corpus: document_schema(corpus, asked.title)))


@documents_router.get("/preview", response_model=schema_of(PreviewSchema))
async def preview_document(opened: Opened, asked: Titled) -> Response:
    """How a document begins, for who points at a link."""
    return JsonForm(await opened(lambda corpus: preview(corpus, asked.title)))


@documents_router.get(
    "/picture",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in MEDIA_TYPES}}},
)
async def picture(opened: Opened, asked: Annotated[PictureQuery, Query()]) -> Response:
    """A picture that a document shows: PNG, JPEG, GIF or WebP, by what its bytes say."""
    data, media_type = await opened(lambda corpus: picture_of(corpus, asked.title, asked.number))
    return Response(data, media_type=media_type)


@documents_router.get("/links", response_model=schema_of(DocumentLinks))
async def links(opened: Opened, asked: Annotated[LinksQuery, Query()]) -> Response:
    """The links of a document, and those that lead back to it."""
    return JsonForm(await opened(lambda corpus: document_links(corpus, asked)))


@documents_router.get("/path", response_model=schema_of(LinkPath))
async def path(opened: Opened, asked: Annotated[PathQuery, Query()]) -> Response:
    """A shortest way along links from one document to another."""
    return JsonForm(await opened(lambda corpus: link_path(corpus, asked)))


@documents_router.get("/graph", response_model=schema_of(Neighbourhood))
async def graph(opened: Opened, asked: Annotated[NeighbourhoodQuery, Query()]) -> Response:
    """The documents around a document, and the links between them all."""
    return JsonForm(await opened(lambda corpus: neighbourhood(corpus, asked)))


FULL = {507: "There is no room for more"}
feedback_router = APIRouter(tags=["Questions"])


@feedback_router.post("/feedback", responses=refused(NOT_FOUND, GONE, FULL))
async def feedback(said: FeedbackRequest, services: AppServices, person: Person) -> FeedbackSchema:
    """Say whether an answer is right, and what would be; the last word about an answer counts.

    It is kept in the file that the server was told of, for testing: `feedback` of `/api/v1/server`
    says whether there is one.
    """
    return await lookup(services, lambda: services.feedback.take(said, person))


suggestions_router = APIRouter(tags=["Questions"])


@suggestions_router.post("/suggest", responses=HERE, response_model=SuggestionsSchema)
async def suggest(
    wanted: SuggestRequest, request: Request, services: AppServices, person: Person
) -> SuggestionsSchema | Response:
    """Up to three questions that the corpus answers, to begin with or to go on `after` an answer.

    Each was made from a sentence or a heading, asked while nobody else waited, and answered from
    there. That may take a while; who closes the connection ends it.
    """
    found = asyncio.ensure_future(services.suggestions.suggest(wanted, person))
    try:
        return await unless_gone(request, found)
    finally:
        found.cancel()


@suggestions_router.post(
    "/suggest/stream",
    responses={
        200: {
            "content": {"text/event-stream": {}},
            "description": "Server-sent events: `suggestion`, with a `SuggestedQuestion` as data",
        },
        **HERE,
    },
    response_class=StreamingResponse,
)
async def suggest_stream(
    wanted: SuggestRequest, services: AppServices, person: Person
) -> StreamingResponse:
    """The same questions, each as soon as it was answered; with the last, the stream ends."""
    found = await services.suggestions.look(wanted, person)
    return StreamingResponse(_encoded_suggestions(found), media_type="text/event-stream")


async def _encoded_suggestions(
    found: AsyncGenerator[SuggestedQuestion, None],
) -> AsyncIterator[bytes]:
    async with aclosing(found):
        try:
            async for question in found:
                yield f"event: suggestion\ndata: {question.model_dump_json()}\n\n".encode()
        except Refusal:  # the corpus was deleted meanwhile: there are no more
            return


router = APIRouter(include_in_schema=False)


@router.get("/")
async def page() -> Response:
    """The page."""
    return page_files.page("index.html")


@router.get("/docs")
async def docs() -> Response:
    """The JSON interface described; FastAPI's own page would load scripts from other sites."""
    return page_files.page("docs.html")


@router.get("/status")
async def status() -> Response:
    """The server and its limits, for people."""
    return page_files.page("status.html")


@router.get(METRICS)
async def metrics(services: AppServices) -> Response:
    """What the server has counted, for Prometheus; with the token, as all else."""
    return metrics_response(services.metrics)


def add_pages(app: FastAPI) -> None:
    """The pages and what they are made of, all from the package."""
    app.include_router(router)
    app.mount(page_files.AT, page_files.PageFiles(), name="static")


ROUTERS = (
    ask_router, suggestions_router, choices_router, corpora_router, documents_router,
    feedback_router,
)  # fmt: skip
"""In the order in which the description of the interface lists them."""
