"""What a student may do with tools: functions of an env, their arguments checked, every fault told in words."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from reflact.errors import BackendError
from reflact.kit.text import shorten
from reflact.types import Tool

RESULT_CHARS = 4000


class Arguments(BaseModel):
    """Base of a tool's arguments: `class Read(Arguments): path: str; start: int = 1`. Unknown names are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Generic[A]):
    """A tool and what it does. `run` takes the checked arguments and returns a text, cut at `max_chars` characters."""

    name: str
    description: str
    arguments: type[A]
    run: Callable[[A], str]
    max_chars: int = RESULT_CHARS

    @property
    def tool(self) -> Tool:
        """The tool as the model is told of it."""
        schema = self.arguments.model_json_schema()
        return Tool(name=self.name, description=self.description, parameters=_untitled(schema))

    def __call__(self, written: str) -> tuple[str, bool]:
        """Return the result for the arguments as the model has *written* them, and whether it worked.

        Arguments that do not fit and exceptions of `run` come back as text in brackets, for the model to read;
        only a `BackendError`, the failure of a model the tool asks itself, is passed on.
        """
        try:
            arguments = self.arguments.model_validate_json(written.strip() or "{}")
        except ValidationError as error:
            return f"[{self.name}: {_say(error)}. It takes {self._signature()}.]", False
        try:
            return shorten(self.run(arguments), self.max_chars), True
        except BackendError:
            raise
        except Exception as error:
            return shorten(f"[{self.name} failed: {type(error).__name__}: {error}]", self.max_chars), False

    def _signature(self) -> str:
        fields = self.arguments.model_fields.items()
        told = (
            f"{name}{'' if field.is_required() else f' (default {json.dumps(field.default)})'}"
            for name, field in fields
        )
        return ", ".join(told) or "no arguments"


def _say(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in faults[:5])


def _untitled(node: Any, *, names: bool = False) -> Any:
    """Return a schema without the titles pydantic makes up; under `properties` a `title` is a name and stays."""
    if isinstance(node, list):
        return [_untitled(one) for one in node]
    if not isinstance(node, dict):
        return node
    kept = {key: value for key, value in node.items() if names or key != "title"}
    return {key: _untitled(value, names=key in ("properties", "$defs") and not names) for key, value in kept.items()}
