"""Prompt templates: found by file name, the most specific place first.

A template is jinja2 with undefined variables refused. A line holding only `---user---` parts the system text from the
user text. Values are never parsed as templates, so braces in a skill or a trajectory are inert.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import Any, Literal

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound

from reflact.errors import ConfigError, unknown
from reflact.types import Message

SPLIT = re.compile(r"^---user---[ \t]*\n", re.MULTILINE)
ENDING = ".md.j2"
SCHEMA = ".schema.json"
ROLES: tuple[Literal["system", "user"], ...] = ("system", "user")


def fenced(text: str) -> str:
    """Return *text* in a code fence that it cannot close itself: the data of a prompt, marked as such."""
    runs = [len(run) for run in re.findall(r"`+", text)]
    fence = "`" * max(3, max(runs, default=0) + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"


@dataclass(frozen=True, slots=True)
class Prompts:
    """The templates of a run. `roots` are folders, most specific first; `suffix` is the update mode's.

    A template with the suffix, in any folder, comes before one without. Each is read and compiled once.
    """

    roots: tuple[Traversable, ...]
    suffix: str = ""
    _environment: Environment = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_environment", _environment(self))

    def messages(self, name: str, **values: Any) -> tuple[Message, ...]:
        """Return template *name* rendered as a system and a user message (whichever is not blank)."""
        texts = ((role, self._render(f"{name}#{role}", values)) for role in ROLES)
        return tuple(Message(role=role, content=text) for role, text in texts if text)

    def text(self, name: str, **values: Any) -> str:
        """Return template *name* rendered as one text."""
        return self._render(name, values)

    def source(self, name: str) -> str:
        """Return the template's text. Raises `ConfigError` when no folder has it."""
        found = self._find(name)
        if found is None:
            raise ConfigError(unknown("prompt template", name, self.names()))
        root, stem = found
        return (root / f"{stem}{ENDING}").read_text(encoding="utf-8").replace("\r\n", "\n")

    def schema(self, name: str) -> Mapping[str, Any] | None:
        """Return the reply schema that stands beside the template, in the folder the template came from.

        Raises `ConfigError` when it is not JSON.
        """
        found = self._find(name)
        if found is None:
            return None
        root, stem = found
        beside = root / f"{stem}{SCHEMA}"
        if not beside.is_file():
            return None
        try:
            schema: Mapping[str, Any] = json.loads(beside.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ConfigError(f"{beside} is not JSON: {error}") from error
        return schema

    def names(self) -> list[str]:
        """Return the names of all templates, sorted."""
        return sorted({file.name.removesuffix(ENDING) for file in self._files() if file.name.endswith(ENDING)})

    @property
    def digest(self) -> str:
        """The identity of all templates and schemas together."""
        seen = sha256()
        for file in self._files():
            seen.update(f"{file.name}\0{file.read_text(encoding='utf-8')}\0".encode())
        return seen.hexdigest()[:16]

    def _render(self, name: str, values: Mapping[str, Any]) -> str:
        try:
            template = self._environment.get_template(name)
        except TemplateNotFound as error:
            raise ConfigError(unknown("prompt template", name.partition("#")[0], self.names())) from error
        return template.render(values).strip()

    def _files(self) -> Iterator[Traversable]:
        for root in self.roots:
            if not root.is_dir():
                raise ConfigError(f"there is no folder of prompts at {root}")
            yield from sorted(
                (file for file in root.iterdir() if file.name.endswith((ENDING, SCHEMA))), key=lambda file: file.name
            )

    def _find(self, name: str) -> tuple[Traversable, str] | None:
        """Return the folder and the stem of template *name*."""
        places = ((root, stem) for stem in dict.fromkeys((f"{name}{self.suffix}", name)) for root in self.roots)
        return next(((root, stem) for root, stem in places if (root / f"{stem}{ENDING}").is_file()), None)


def _environment(prompts: Prompts) -> Environment:
    environment = Environment(
        loader=_Parts(prompts),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["fenced"] = fenced
    return environment


class _Parts(BaseLoader):
    """Gives jinja2 a template by its name, or one part of it: `rank`, `rank#system`, `rank#user`."""

    def __init__(self, prompts: Prompts) -> None:
        self.prompts = prompts

    def get_source(self, environment: Environment, template: str) -> tuple[str, None, None]:
        name, _, role = template.removesuffix(ENDING).partition("#")
        try:
            source = self.prompts.source(name)
        except ConfigError as error:
            raise TemplateNotFound(template) from error
        *system, user = SPLIT.split(source, maxsplit=1)
        return {"system": "".join(system), "user": user}.get(role, source), None, None
