"""A folder of artifacts. `keep` writes an artifact beside the call that makes it, and is also all of resume."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from reflact.errors import RunError
from reflact.store.codec import Codec, json_codec, plain, structure, to_text
from reflact.store.files import read, write
from reflact.types import Rollout

T = TypeVar("T")
META = json_codec(dict[str, Any])
ROWS_META = "rollout_meta.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An artifact that is there: where, whether it was only read, and how long it took."""

    path: Path
    from_disk: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder below a run's root. `told` hears of every kept artifact."""

    path: Path
    told: Callable[[Kept], None] = lambda kept: None

    def sub(self, name: str) -> "Folder":
        """Return the folder *name* below this one."""
        return Folder(self.path / name, self.told)

    def tell(self, name: str, started: float, *, from_disk: bool) -> None:
        """Tell that the artifact *name*, begun at *started* (monotonic seconds), is there."""
        self.told(Kept(path=self.path / name, from_disk=from_disk, seconds=time.monotonic() - started))

    def silent(self) -> "Folder":
        """Return the same folder with nobody told: for artifacts that are made in several threads."""
        return Folder(self.path)

    def keep(self, name: str, codec: Codec[T], make: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Return the artifact *name*; make it from the arguments and write it first if it is not there."""
        file = self.path / name
        started = time.monotonic()
        if file.exists():
            value = decoded(codec, file)
        else:
            value = make(*args, **kwargs)
            write(file, codec.encode(value))
            self.tell(name, started, from_disk=False)
            return value
        self.tell(name, started, from_disk=True)
        return value

    def export(self, name: str, text: str) -> None:
        """Write *text* as the file *name* unless it already says so: a view of what is kept elsewhere."""
        file = self.path / name
        if not file.exists() or read(file) != text:
            write(file, text)

    def rows(self, stamp: dict[str, Any]) -> "Rows":
        """Return the rollouts of this folder that belong to *stamp*; others are moved aside."""
        return Rows(self.path, stamp)

    def has_all(self, stamp: dict[str, Any]) -> bool:
        """Return whether all rollouts of *stamp* are here already. Nothing is touched."""
        file = self.path / ROWS_META
        if not file.exists():
            return False
        meta = decoded(META, file)
        return bool(meta.get("complete")) and _whose(meta) == _as_json(stamp)


def decoded(codec: Codec[T], file: Path) -> T:
    """Return the value in *file*. Raises `RunError` naming a file that cannot be read back."""
    try:
        return codec.decode(read(file))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise RunError(
            f"{file} cannot be read back ({reason}). Restore it, or delete it to have it made again."
        ) from error


class Rows:
    """`results.jsonl`: one rollout a line, appended as they finish, rewritten in task order when all are there.

    `rollout_meta.json` says whose rows they are (skill, tasks, env, student). Rows of another stamp are moved aside to
    `*.stale-N`, never used. Rows of tasks that failed to run are forgotten on resume, so that they are tried again.
    """

    def __init__(self, path: Path, stamp: dict[str, Any]) -> None:
        self._file = path / "results.jsonl"
        self._meta = path / ROWS_META
        self._stamp = _as_json(stamp)
        self.complete = False
        self.done: dict[str, Rollout] = {}
        self._load()

    def add(self, rollout: Rollout) -> None:
        """Append one finished rollout."""
        with self._file.open("a", encoding="utf-8") as file:
            file.write(_line(rollout))
        self.done[rollout.task_id] = rollout

    def close(self, rollouts: Sequence[Rollout]) -> None:
        """Write the final rows in the order of *rollouts* and mark them complete."""
        write(self._file, "".join(map(_line, rollouts)))
        write(self._meta, to_text({**self._stamp, "complete": True, "n": len(rollouts)}))
        self.complete = True

    def _load(self) -> None:
        if not self._meta.exists():
            self._aside()
            write(self._meta, to_text({**self._stamp, "complete": False}))
            return
        meta = decoded(META, self._meta)
        self.complete = bool(meta.get("complete", False))
        n_rows = meta.get("n")
        if _whose(meta) != self._stamp:
            self.complete = False
            self._aside()
            write(self._meta, to_text({**self._stamp, "complete": False}))
            return
        found = list(stored_rollouts(self._file, strict=self.complete))
        self.done = {one.task_id: one for one in found if self.complete or not one.errored}
        if self.complete and len(found) != n_rows:
            raise RunError(
                f"{self._file} holds {len(found)} of {n_rows} rows. Restore it, or delete {self._meta} "
                "to have all of them made again."
            )
        if not self.complete:
            write(self._file, "".join(map(_line, self.done.values())))

    def _aside(self) -> None:
        if self._file.exists() and self._file.stat().st_size:
            free = next(n for n in range(1, 10**6) if not self._file.with_name(f"results.jsonl.stale-{n}").exists())
            self._file.replace(self._file.with_name(f"results.jsonl.stale-{free}"))


def _as_json(stamp: dict[str, Any]) -> Any:
    return json.loads(json.dumps(stamp))


def _whose(meta: dict[str, Any]) -> dict[str, Any]:
    """Return the stamp in *meta*, without what it says of the rows themselves."""
    return {key: value for key, value in meta.items() if key not in ("complete", "n")}


def _line(rollout: Rollout) -> str:
    return json.dumps(plain(rollout, Rollout), ensure_ascii=False) + "\n"


def stored_rollouts(file: Path, *, strict: bool) -> Iterator[Rollout]:
    """Yield the rows of *file*; a broken last line is what a kill leaves and is dropped."""
    lines = file.read_bytes().split(b"\n") if file.exists() else []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield structure(Rollout, json.loads(line.decode()))
        except ValueError as error:
            if number == len(lines) and not strict:
                return
            mend = "restore the file, or delete rollout_meta.json beside it" if strict else "delete the line"
            raise RunError(
                f"{file}:{number}: broken row ({str(error).splitlines()[0]}); {mend} to have it made again"
            ) from error
