"""Prompt templates: found by file name, the most specific place first.

A template is jinja2 with undefined variables refused. A line holding only `---user---` parts the system text from the
user text. Values are never parsed as templates, so braces in a skill or a trajectory are inert.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound

from reflact.errors import ConfigError, unknown
from reflact.types import Message

SPLIT = re.compile(r"^---user---[ \t]*\n", re.MULTILINE)
ENDING = ".md.j2"


def fenced(text: str) -> str:
    """Return *text* in a code fence that it cannot close itself: the data of a prompt, marked as such."""
    runs = [len(run) for run in re.findall(r"`+", text)]
    fence = "`" * max(3, max(runs, default=0) + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"


@dataclass(frozen=True, slots=True)
class Prompts:
    """The templates of a run. `roots` are folders, most specific first; `suffix` is the update mode's."""

    roots: tuple[Traversable, ...]
    suffix: str = ""

    def messages(self, name: str, **values: Any) -> tuple[Message, ...]:
        """Return template *name* rendered as a system and a user message (whichever is not blank)."""
        environment = self._environment()
        parts = SPLIT.split(self.source(name), maxsplit=1)
        roles = ("user",) if len(parts) == 1 else ("system", "user")
        texts = (environment.from_string(part).render(values).strip() for part in parts)
        return tuple(Message(role=role, content=text) for role, text in zip(roles, texts, strict=True) if text)  # type: ignore[arg-type]

    def text(self, name: str, **values: Any) -> str:
        """Return template *name* rendered as one text."""
        template: Template = self._environment().from_string(self.source(name))
        return template.render(values).strip()

    def source(self, name: str) -> str:
        """Return the template's text. Raises `ConfigError` when no folder has it."""
        found = self._find(f"{name}{self.suffix}{ENDING}") or self._find(f"{name}{ENDING}")
        if found is None:
            raise ConfigError(unknown("prompt template", name, self.names()))
        return found.read_text(encoding="utf-8").replace("\r\n", "\n")

    def schema(self, name: str) -> Mapping[str, Any] | None:
        """Return the reply schema that stands beside the template, in the folder the template came from."""
        for root in self.roots:
            for stem in dict.fromkeys((f"{name}{self.suffix}", name)):
                if (root / f"{stem}{ENDING}").is_file():
                    beside = root / f"{stem}.schema.json"
                    return json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else None
        return None

    def names(self) -> list[str]:
        """Return the names of all templates, sorted."""
        return sorted({file.name.removesuffix(ENDING) for file in self._files()})

    @property
    def digest(self) -> str:
        """The identity of all templates and schemas together."""
        seen = sha256()
        for file in self._files():
            seen.update(f"{file.name}\0{file.read_text(encoding='utf-8')}\0".encode())
        return seen.hexdigest()[:16]

    def _files(self) -> Iterator[Traversable]:
        for root in self.roots:
            yield from sorted(
                (file for file in root.iterdir() if file.name.endswith((ENDING, ".schema.json"))),
                key=lambda file: file.name,
            )

    def _find(self, file: str) -> Traversable | None:
        return next((root / file for root in self.roots if (root / file).is_file()), None)

    def _environment(self) -> Environment:
        environment = Environment(
            loader=_Includes(self), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
        )
        environment.filters["fenced"] = fenced
        return environment


class _Includes(BaseLoader):
    """Lets a template include another by name, looked up the same way."""

    def __init__(self, prompts: Prompts) -> None:
        self.prompts = prompts

    def get_source(self, environment: Environment, template: str) -> tuple[str, None, None]:
        try:
            return self.prompts.source(template.removesuffix(ENDING)), None, None
        except ConfigError as error:
            raise TemplateNotFound(template) from error
