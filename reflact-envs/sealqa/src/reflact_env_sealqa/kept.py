"""What was found on the web, kept so that every skill is shown the same."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from reflact import DataError


@dataclass(frozen=True, slots=True)
class Kept:
    """Answers by what was asked: for the life of the object, and in *folder* for longer where one is named."""

    folder: Path | None = None
    _known: dict[str, Any] = field(default_factory=dict, repr=False)

    def get(self, asked: str, find: Callable[[], Mapping[str, Any]]) -> Any:
        """Return the answer to *asked*, found with *find* the first time. What *find* raises is not kept."""
        if asked not in self._known:
            known = self._read(asked)
            self._known.setdefault(asked, known if known is not None else self._written(asked, find()))
        return self._known[asked]

    def _file(self, asked: str) -> Path | None:
        return self.folder / f"{sha256(asked.encode()).hexdigest()[:32]}.json" if self.folder else None

    def _read(self, asked: str) -> Any:
        file = self._file(asked)
        if file is None or not file.is_file():
            return None
        try:
            entry = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            return None
        return entry["found"] if isinstance(entry, dict) and entry.get("asked") == asked else None

    def _written(self, asked: str, found: Mapping[str, Any]) -> Mapping[str, Any]:
        file = self._file(asked)
        if file is not None:
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                fresh = file.with_suffix(f".{id(found)}.new")
                fresh.write_text(json.dumps({"asked": asked, "found": found}, ensure_ascii=False), encoding="utf-8")
                fresh.replace(file)
            except OSError as error:
                raise DataError(f"env.page_cache {self.folder} cannot be written to: {error}") from error
        return found
