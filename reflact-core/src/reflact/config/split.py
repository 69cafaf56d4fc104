"""Where a dataset's tasks come from: the keys every dataset env shares."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from reflact.config.schema import Config


def ratio_text(value: Any) -> Any:
    """Return `[2, 1, 7]` as `2:1:7`, and everything else as it is."""
    if isinstance(value, list | tuple) and all(type(part) is int for part in value):
        return ":".join(str(part) for part in value)
    return value


class SplitConfig(Config):
    """Base of a dataset env's section: how tasks are split into train, val and test."""

    split_mode: Literal["ratio", "split_dir"] = "ratio"
    """`ratio` cuts the raw data at `data_path`; `split_dir` reads prepared folders. A given `split_dir` implies it."""
    split_ratio: Annotated[str, BeforeValidator(ratio_text)] = "2:1:7"
    """Shares of train, val and test: three positive integers, as `2:1:7` or `[2, 1, 7]`."""
    split_seed: int = 42
    """Shuffles the raw data before they are cut."""
    split_method: Literal["shuffle", "hash"] = "shuffle"
    """`shuffle` cuts exact shares; `hash` places each item by what it says, so that adding items moves none."""
    split_dir: str = ""
    """A folder that holds `train/`, `val/` and `test/`."""
    data_path: str = ""
    """The raw data: a file, or a folder with one."""
    split_output_dir: str = ""
    """Where a ratio split is written; empty puts it in the run's folder."""
    bad_records: Literal["refuse", "skip"] = "refuse"
    """`skip` leaves out records that cannot be read or used, with a warning that counts them; `refuse` stops."""
    limit: Annotated[int, Field(ge=0)] = 0
    """Keeps the first so many tasks of each split; 0 keeps all."""
    group_by: str = ""
    """A field of the raw data: items that share its value stay in one split."""
    stratify_by: str = ""
    """A field of the raw data: every split gets its share of each of its values."""

    @model_validator(mode="before")
    @classmethod
    def _what_is_named_implies_the_mode(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "split_mode" in given:
            return given
        if given.get("split_dir"):
            return {**given, "split_mode": "split_dir"}
        return {**given, "split_mode": "ratio"} if given.get("data_path") and "split_dir" not in given else given

    @field_validator("split_ratio")
    @classmethod
    def _three_positive_integers(cls, text: str) -> str:
        parts = [part.strip() for part in text.split(":")]
        if len(parts) != 3 or not all(part.isascii() and part.isdigit() and int(part) > 0 for part in parts):
            raise ValueError("must be three positive integers, such as 2:1:7")
        return ":".join(str(int(part)) for part in parts)

    @model_validator(mode="after")
    def _a_hash_has_no_strata(self) -> SplitConfig:
        if self.split_method == "hash" and self.stratify_by:
            raise ValueError("split_method hash places each item by itself and cannot stratify; remove stratify_by")
        return self

    @model_validator(mode="after")
    def _a_prepared_split_has_a_folder(self) -> SplitConfig:
        if self.split_mode == "split_dir" and not self.split_dir:
            raise ValueError("split_mode is split_dir, so split_dir must name the folder with train/, val/ and test/")
        return self

    @property
    def shares(self) -> tuple[int, int, int]:
        """The ratio as integers: train, val, test."""
        train, val, test = (int(part) for part in self.split_ratio.split(":"))
        return train, val, test
