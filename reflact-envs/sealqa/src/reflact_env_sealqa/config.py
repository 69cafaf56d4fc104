"""The section `env` of a sealqa run."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator
from reflact.config.split import SplitConfig
from reflact.kit.judging import JudgingConfig
from reflact.kit.web import FetchConfig, SearchConfig

Mode = Literal["closed_book", "offline_docs", "web", "gold_urls"]


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class SealQAConfig(SearchConfig, FetchConfig, JudgingConfig, SplitConfig):
    """Where the questions are, where the student may look for answers, and how it is judged."""

    split_mode: Literal["ratio", "split_dir"] = "split_dir"
    """`split_dir` reads prepared folders; `ratio` cuts the raw data. A given `data_path` implies `ratio`."""
    split_dir: str = "data/sealqa_split"
    """A folder that holds `train/`, `val/` and `test/`."""
    search_mode: Mode | Literal[""] = ""
    """Where the student looks: `offline_docs` (the documents of the item, or those in `data_dirs`), `web` (a search at
    `search_api_url`, and the pages it finds), `gold_urls` (the pages the question was made from, which give the answer
    away), `closed_book` (nowhere). Empty takes `offline_docs` where there are documents, else `web` where there is an
    endpoint."""
    data_dirs: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    """Folders of documents for items that have none of their own: .jsonl or .json of records with `text`, .txt, .md."""
    docs_field: str = "12_docs"
    """Which field of an item holds its documents; `docs` is read where it is not there."""
    max_tool_turns: Annotated[int, Field(ge=1)] = 12
    """Replies a chat student has; in the last one it must answer."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 16384
    """The longest reply, in tokens, the model's reasoning included."""
    max_context_tokens: Annotated[int, Field(ge=1000)] = 100_000
    """From which length on the oldest results of tools are shortened, in tokens at 3 characters each."""
    task_timeout: Annotated[float, Field(gt=0)] = 900.0
    """Seconds after which a chat student is told to answer."""
    exec_max_mb: Annotated[float, Field(gt=0)] = 100.0
    """The most an agent's folder may hold of documents, which are written for each task."""
    search_auth_env: str = "SEALQA_SEARCH_AUTH"
    """The environment variable whose value is sent to the endpoint as the header `Authorization`."""
    search_max_num_results: Annotated[int, Field(ge=1, le=10)] = 5
    """How many results a search gives unless the student asks for another number."""
    fetch_pause: Annotated[float, Field(ge=0)] = 1.0
    """Seconds between two pages of one server."""
    page_cache: str = ""
    """A folder that keeps searches and pages, so that all skills see the same ones; empty keeps them for one run."""
    judge: Literal["llm", "string"] = "llm"
    """Who grades: `llm`, the judge under `model.judge`; `string`, a rule that compares words and asks nobody, with
    scores that cannot be compared with published ones."""
    reference_date: str = ""
    """What the student is told is today, as 2025-06-01; empty tells it nothing."""
    show_metadata: bool = False
    """Whether the student is told how fast the answer to a question changes."""

    @property
    def has_tools(self) -> bool:
        """Whether a chat student gets any."""
        return self.search_mode != "closed_book"

    @field_validator("reference_date")
    @classmethod
    def _a_date(cls, text: str) -> str:
        return date.fromisoformat(text).isoformat() if text else ""
