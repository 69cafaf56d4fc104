"""Where a student may look for the answer to a task: nowhere, in documents, or on the web."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact import ConfigError, DataError, Task
from reflact.kit.actions import Action
from reflact.kit.web import Refused

from reflact_env_sealqa.config import Mode, SealQAConfig
from reflact_env_sealqa.documents import Document, Library, read_folders, to_document
from reflact_env_sealqa.environment import token
from reflact_env_sealqa.kept import Kept
from reflact_env_sealqa.offline import offline_tools
from reflact_env_sealqa.online import Visit, Web

_CHOICES = (
    "env.search_mode is not set, and there is nothing to search: give items documents (env.docs_field) or name folders "
    "of documents (env.data_dirs) for offline_docs; set env.search_api_url for web; set env.search_mode=closed_book to "
    "ask without sources"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What a run may look at. `library` holds the user's documents, for items without any of their own."""

    mode: Mode
    library: Library | None = None
    web: Web | None = None

    @property
    def network(self) -> bool:
        """Whether the student reaches the network."""
        return self.mode in ("web", "gold_urls")

    def documents(self, task: Task) -> Library:
        """Return the documents of *task*, else the user's."""
        own = [to_document(one, "", task.id) for one in task.data["docs"]]
        return self.library if not own and self.library else Library(own)

    def tools(self, task: Task) -> tuple[list[Action[Any]], Mapping[str, str]]:
        """Return the tools for *task*, and the pages it opens with them: address -> when, filled as it goes on."""
        if self.web and self.network:
            known = set(task.data["urls"]) if self.mode == "gold_urls" else set()
            visit = Visit(self.web, known)
            return visit.actions(), visit.opened
        return (offline_tools(self.documents(task)) if self.mode == "offline_docs" else []), {}

    def files(self, task: Task, *, most_mb: float) -> Mapping[str, str]:
        """Return what an agent finds in its folder: the documents, or the pages of `gold_urls`.

        Raises `ConfigError` when they are more than *most_mb* million characters.
        """
        if self.mode == "offline_docs":
            found: Sequence[Document] = self.documents(task).documents
        elif self.mode == "gold_urls" and self.web:
            found = [_page(self.web, url, str(number)) for number, url in enumerate(task.data["urls"], start=1)]
        else:
            found = []
        size = sum(len(one.text) for one in found) / 1e6
        if size > most_mb:
            raise ConfigError(
                f"an agent's folder would get {size:.0f} MB of documents for each task, more than env.exec_max_mb "
                f"({most_mb:g}); name smaller folders in env.data_dirs, or raise that"
            )
        return {f"docs/{place:02d}.md": _markdown(one) for place, one in enumerate(found, start=1)}


def find_sources(config: SealQAConfig, tasks: Sequence[Task]) -> Sources:
    """Return the sources *config* names for *tasks*.

    Raises `ConfigError` when there are none or a search is not set up, `DataError` with their number for tasks without
    what the mode needs.
    """
    questions = (config.data_path, config.split_dir, config.split_output_dir)
    found = read_folders(config.data_dirs, questions=questions)
    with_docs = [task for task in tasks if task.data["docs"]]
    mode = config.search_mode or _mode(config, has_documents=bool(found or with_docs))
    if mode == "offline_docs" and not found:
        _each_has(tasks, "docs", f"documents (env.docs_field {config.docs_field}), and env.data_dirs names none", mode)
    if mode == "gold_urls":
        _each_has(tasks, "urls", "addresses", mode)
    web = None
    if mode in ("web", "gold_urls"):
        web = Web(
            fetch=config.fetcher(),
            search=config.search(token(config.search_auth_env)) if mode == "web" else None,
            kept=Kept(Path(config.page_cache) if config.page_cache else None),
            pause=config.fetch_pause,
            results=config.search_max_num_results,
        )
    return Sources(mode=mode, library=Library(found) if found else None, web=web)


def _mode(config: SealQAConfig, *, has_documents: bool) -> Mode:
    if not has_documents and not config.search_api_url:
        raise ConfigError(_CHOICES)
    return "offline_docs" if has_documents else "web"


def _each_has(tasks: Sequence[Task], name: str, what: str, mode: Mode) -> None:
    without = [task.id for task in tasks if not task.data[name]]
    if without:
        told = f"{len(without)} of {len(tasks)} items have no {what}, first {', '.join(without[:3])}"
        raise DataError(f"env.search_mode {mode}: {told}; choose another mode, or leave these items out")


def _page(web: Web, url: str, number: str) -> Document:
    try:
        page = web.page(url)
    except Refused as error:
        return Document(id=number, title=url, text=f"[not to be had: {error}]", url=url)
    return Document(id=number, title=page.title, text=page.text, date=page.retrieved, url=url)


def _markdown(document: Document) -> str:
    about = " · ".join(part for part in (document.date, document.url) if part)
    return "\n\n".join(part for part in (f"# {document.title or document.id}", about, document.text) if part) + "\n"
