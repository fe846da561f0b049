"""What a tool is: arguments that are checked, work over the library, a result and its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lacuna.agents.library import Library
from lacuna.errors import LacunaError

Told = Callable[[str], None]
"""Called by the work with what it has done, "" for nothing that is worth a word; it raises where
nobody waits for the result any more."""
LONGEST_TITLE = 1_000
LONGEST_QUERY = 500


class ToolArguments(BaseModel, use_attribute_docstrings=True):
    """What a tool takes; the text under a field is its description for the model."""

    model_config = ConfigDict(extra="forbid")


class ToolResult(BaseModel, use_attribute_docstrings=True):
    """What a tool gives, as structured output."""


DocumentName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_TITLE,
        description="The title of a document, in any case, or its lacuna:// address.",
    ),
]
Skip = Annotated[
    int,
    Field(ge=0, le=1_000_000, description="How many to leave out from the start: next_skip."),
]

A = TypeVar("A", bound=ToolArguments)
R = TypeVar("R", bound=ToolResult)


@dataclass(frozen=True, slots=True)
class AgentTool(Generic[A, R]):
    """A tool that an agent can call; it changes nothing."""

    name: str
    title: str
    description: str
    arguments: type[A]
    result: type[R]
    run: Callable[[Library, A, Told], R]
    text: Callable[[R], str]
    """The result as a model reads it best."""
    answers: bool = False
    """Whether it takes long: a question, in contrast to a lookup."""

    def parse(self, given: dict[str, Any] | None) -> A:
        """The arguments, checked; the error names each that is wrong, and what it must be."""
        try:
            return self.arguments.model_validate(given or {})
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
                for one in error.errors(include_url=False, include_input=False)[:5]
            )
            known = ", ".join(self.arguments.model_fields)
            raise LacunaError(
                f"{self.name} cannot be called so. {problems}. Its arguments are: {known}."
            ) from error
