"""The keys of section `env` that every benchmark with images shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from reflact.config.schema import Config, Count, Positive
from reflact.config.split import SplitConfig
from reflact.data.ratio import SPLITS
from reflact.kit.media.policy import ACCEPT, LIMITS, Accept, Send
from reflact.kit.media.store import Media


class ImageConfig(Config):
    """Base of the section of an env with images: what is read, and what is sent."""

    data_root: str = ""
    """The folder the images are in; empty looks beside the data files."""
    allow_absolute_paths: bool = False
    """Whether image paths may be absolute and lie outside the data."""
    image_detail: Literal["auto", "low", "high", "original"] = "auto"
    """How closely the model looks, where its API can be told; `auto` says nothing."""
    image_limits: Literal["any", "anthropic", "openai", "open_weights", "none"] = "any"
    """Whose limits on images hold; larger ones are scaled down. `any` is what all providers take."""
    image_max_side: Count = 0
    """The longest side sent, in pixels; 0 leaves it to `image_limits`."""
    image_max_pixels: Positive = ACCEPT.pixels
    """The most pixels an image may have to be read."""
    image_max_file_bytes: Positive = ACCEPT.file_bytes
    """The largest image file that is read, in bytes."""
    image_max_request_bytes: Count = 0
    """The most bytes of base64 in one request; 0 leaves it to `image_limits`."""
    image_decoders: Annotated[int, Field(ge=1)] = 2
    """Images decoded at once, whatever the number of workers; bounds the memory they take."""

    def media(self, roots: Sequence[Path]) -> Media:
        """Return the images of the run: `data_root`, where it is set, is looked in before *roots*."""
        named = [Path(self.data_root)] if self.data_root else []
        return Media(
            [*named, *roots],
            accept=Accept(file_bytes=self.image_max_file_bytes, pixels=self.image_max_pixels),
            send=self.send,
            detail="" if self.image_detail == "auto" else self.image_detail,
            allow_absolute=self.allow_absolute_paths,
            sure=len(named),
            decoders=self.image_decoders,
        )

    @property
    def send(self) -> Send:
        """The limits on what is sent: those of `image_limits`, or tighter ones."""
        send = LIMITS[self.image_limits]
        side = min(self.image_max_side or send.side, send.side or self.image_max_side)
        return replace(send, side=side, request_bytes=self.image_max_request_bytes or send.request_bytes)


def beside(config: SplitConfig) -> tuple[Path, ...]:
    """Return where images may lie when only the data are named: in their folder, beside it, in those of the splits."""
    folders: list[Path] = []
    if config.split_dir and config.split_mode == "split_dir":
        prepared = Path(config.split_dir)
        folders += [prepared, prepared.parent, *(prepared / split for split in SPLITS)]
    if config.data_path:
        given = Path(config.data_path)
        folders += [given if given.is_dir() else given.parent]
    return tuple(folders)
