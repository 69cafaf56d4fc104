"""The section `env` of an officeqa run."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator
from reflact.config.split import SplitConfig
from reflact.contracts import Ability, Kind
from reflact.kit.web import SearchConfig


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class OfficeQAConfig(SearchConfig, SplitConfig):
    """Where questions and documents are, how much of the right documents is given away, and how answers are scored."""

    split_mode: Literal["ratio", "split_dir"] = "split_dir"
    """`split_dir` reads prepared folders; `ratio` cuts the raw data. A given `data_path` implies `ratio`."""
    split_dir: str = "data/officeqa_split"
    """A folder that holds `train/`, `val/` and `test/`."""
    data_dirs: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ("data/officeqa_docs_official",)
    """The folders of the documents. Where none of them is there: those in `OFFICEQA_DOCS_DIR`, else `docs` beside the
    questions."""
    evidence_mode: Literal["oracle_files", "oracle_pages", "full_corpus"] = "oracle_files"
    """What the student is given of the documents a question was made from: their names (and nothing else to read),
    their pages as well, or nothing, with the whole corpus to search."""
    use_local_tools: bool = True
    """Whether the student may read documents; without, it has to answer from the pages of `oracle_pages`."""
    max_tool_turns: Annotated[int, Field(ge=1)] = 24
    """Replies a chat student has; in the last one it must answer."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 10000
    """The longest reply, in tokens, the model's reasoning included."""
    max_context_tokens: Annotated[int, Field(ge=1000)] = 100_000
    """From which length on the oldest results of tools are shortened, in tokens at 3 characters each."""
    task_timeout: Annotated[float, Field(gt=0)] = 900.0
    """Seconds after which a chat student is told to answer."""
    exec_max_runs: Annotated[int, Field(ge=1)] = 2
    """How often an agent is run until it gives a complete answer tag."""
    exec_max_mb: Annotated[float, Field(gt=0)] = 100.0
    """The most an agent's folder may hold of documents, which are copied for each task."""
    search_mode: Literal["offline", "custom_search", "azure_search"] = "offline"
    """`custom_search` adds a tool that searches the web at `search_api_url`. `azure_search` is one call in which the
    student's provider searches the web itself, with its own `web_search`; no documents can be read. Both are for chat
    students only."""
    search_auth_env: str = "OFFICEQA_CUSTOM_SEARCH_AUTH"
    """The environment variable whose value is sent to the endpoint as the header `Authorization`."""
    max_queries_per_turn: Annotated[int, Field(ge=1, le=10)] = 4
    """Searches one call of that tool may make."""
    scorer: Literal["official", "legacy"] = "official"
    """`official` is the benchmark's own; `legacy` the exact match after dropping units, with which older figures were
    made and in which 5 million equals 5 billion."""
    answer_tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """By which share of the right number an answer may be off (`official` only)."""
    soft_metric: Literal["hard", "token_f1"] = "hard"
    """The partial credit: the same as success, or the F1 of the tokens."""

    @property
    def has_local_tools(self) -> bool:
        """Whether the student may read documents."""
        return self.use_local_tools and self.search_mode != "azure_search"

    @property
    def has_documents(self) -> bool:
        """Whether documents are needed at all: to be read, or to be named."""
        return self.has_local_tools or self.evidence_mode != "full_corpus"

    @property
    def needs(self) -> frozenset[Ability]:
        """What a chat student must be able to do."""
        if self.search_mode == "azure_search":
            return frozenset({"web_search"})
        return frozenset({"tools"} if self.use_local_tools or self.search_mode == "custom_search" else ())

    def misfit(self, kind: Kind) -> str:
        """Return why a student of *kind* cannot do the tasks; empty when it can."""
        searching = kind == "exec" and self.search_mode != "offline"
        return f"env.search_mode={self.search_mode} is for chat students; an agent needs offline" if searching else ""

    @model_validator(mode="after")
    def _something_to_go_by(self) -> "OfficeQAConfig":
        if not self.needs and self.evidence_mode != "oracle_pages":
            raise ValueError("use_local_tools false leaves the student nothing to read; set evidence_mode oracle_pages")
        return self
