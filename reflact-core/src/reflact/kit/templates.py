"""An env's own templates: jinja2 files from a package folder, missing variables refused."""

from importlib.resources.abc import Traversable

from jinja2 import Environment, FunctionLoader, StrictUndefined


class Templates:
    """The templates of one folder. Values are put in as they are: braces in a skill or a question do nothing."""

    def __init__(self, root: Traversable) -> None:
        self._root = root
        self._environment = Environment(
            loader=FunctionLoader(self._source),
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def render(self, name: str, /, **values: object) -> str:
        """Return the template *name* (`question.md.j2`) filled with *values*.

        Raises `jinja2.UndefinedError` for a variable that is not given, `jinja2.TemplateNotFound` for the name.
        """
        return self._environment.get_template(name).render(**values)

    def _source(self, name: str) -> str | None:
        file = self._root.joinpath(name)
        return file.read_text(encoding="utf-8") if file.is_file() else None
