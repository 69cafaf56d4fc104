"""The images of a run: opened when a task needs them, a few at a time, and let go with the task."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from reflact.errors import ConfigError, DataError
from reflact.kit.media.paths import locate
from reflact.kit.media.policy import ACCEPT, LIMITS, Accept, Send
from reflact.kit.media.source import Source, inline, named, path_of
from reflact.types import Image

if TYPE_CHECKING:
    from reflact.kit.media.encode import Encoded

_KEPT_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image as it is sent, and what is told of it: its size in pixels, its digest, what was done to it."""

    image: Image
    name: str
    width: int
    height: int
    sha256: str
    changed: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """Return what a rollout records of it, as JSON: no bytes, no path of this machine."""
        name = Path(self.name).name if Path(self.name).is_absolute() else self.name
        told = {"name": name, "media_type": self.image.media_type, "bytes": len(self.image.data)}
        size = {"width": self.width, "height": self.height}
        return {**told, **size, "sha256": self.sha256, "changed": list(self.changed)}


class Media:
    """Images by their sources, looked for below *roots* in turn, the first *sure* of them unquestioned. Thread-safe.

    Images are decoded in *decoders* threads of their own, however many ask: what a thread once took for a page its
    allocator keeps. The last few images that were sent are kept, encoded.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        *,
        accept: Accept = ACCEPT,
        send: Send = LIMITS["any"],
        detail: str = "",
        allow_absolute: bool = False,
        sure: int = 0,
        decoders: int = 2,
    ) -> None:
        self._roots = tuple(dict.fromkeys(roots))
        self._accept = accept
        self._send = send
        self._detail = detail
        self._allow_absolute = allow_absolute
        self._sure = sure
        self._decoders = ThreadPoolExecutor(decoders, thread_name_prefix="images")
        self._recent = _Recent(_KEPT_BYTES)
        self._sound: set[Path] = set()

    def check(self, source: Source) -> None:
        """Raise `DataError` when the image is missing, outside the data, too large, cut short or none at all.

        Only its header and its end are read; an image that was found good is not looked at again.
        """
        codec = _codec()
        inside = inline(source)
        if inside is not None:
            codec.examine(io.BytesIO(inside), len(inside), named(source), self._accept)
            return
        file = self._located(source)
        if file in self._sound:
            return
        try:
            with file.open("rb") as stream:
                codec.examine(stream, file.stat().st_size, named(source), self._accept)
        except OSError as error:
            raise DataError(f"image {named(source)}: cannot be read ({error.strerror})") from error
        self._sound.add(file)

    def open(self, sources: Sequence[Source]) -> tuple[Picture, ...]:
        """Return the images of *sources* in their order, fit to be sent together, labelled `Image #1`, `Image #2`, …

        Raises `DataError` for an image that cannot be used, and for more of them than a request may hold.
        """
        send = self._send
        if send.images and len(sources) > send.images:
            raise DataError(f"{len(sources)} images in one request, but env.image_limits allows {send.images}")
        if send.many and len(sources) > send.many:
            send = replace(send, side=min(send.side or send.many_side, send.many_side))
        pictures = [self._picture(source, send) for source in sources]
        if send.request_bytes and _base64(pictures) > send.request_bytes:
            share = send.request_bytes * 3 // 4 // len(pictures) - 3
            pictures = [self._picture(source, replace(send, image_bytes=share)) for source in sources]
        return tuple(
            replace(one, image=replace(one.image, label=f"Image #{number}")) for number, one in enumerate(pictures, 1)
        )

    def _picture(self, source: Source, send: Send) -> Picture:
        inside = inline(source)
        if inside is not None:
            return self._prepared(inside, named(source), send)
        file = self._located(source)
        told = file.stat()
        key = (file, told.st_mtime_ns, told.st_size, send)
        found = self._recent.get(key)
        if found is None:
            if told.st_size > self._accept.file_bytes:
                self.check(source)
            found = self._prepared(file, named(source), send)
            self._recent.put(key, found)
        return replace(found, name=named(source))

    def _prepared(self, data: bytes | Path, name: str, send: Send) -> Picture:
        made = self._decoders.submit(_prepare, data, name, self._accept, send).result()
        return Picture(
            image=Image(data=made.data, media_type=made.media_type, detail=self._detail),
            name=name,
            width=made.width,
            height=made.height,
            sha256=sha256(made.data).hexdigest(),
            changed=made.changed,
        )

    def _located(self, source: Source) -> Path:
        return locate(path_of(source), self._roots, allow_absolute=self._allow_absolute, sure=self._sure)


def images_of(pictures: Iterable[Picture]) -> tuple[Image, ...]:
    """Return what a student is given of *pictures*."""
    return tuple(one.image for one in pictures)


def _base64(pictures: Iterable[Picture]) -> int:
    return sum(-(-len(one.image.data) // 3) * 4 for one in pictures)


def _prepare(data: bytes | Path, name: str, accept: Accept, send: Send) -> Encoded:
    encoded: Encoded = _codec().prepare(data if isinstance(data, bytes) else data.read_bytes(), name, accept, send)
    return encoded


def _codec() -> ModuleType:
    try:
        from reflact.kit.media import decode
    except ModuleNotFoundError as error:
        raise ConfigError("images need Pillow, which is not installed: pip install 'reflact-core[media]'") from error
    return decode


class _Recent:
    """The pictures used last, up to so many bytes; many questions share a page."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held = 0
        self._lock = threading.Lock()
        self._pictures: OrderedDict[Hashable, Picture] = OrderedDict()

    def get(self, key: Hashable) -> Picture | None:
        with self._lock:
            if key in self._pictures:
                self._pictures.move_to_end(key)
            return self._pictures.get(key)

    def put(self, key: Hashable, picture: Picture) -> None:
        with self._lock:
            if key in self._pictures:
                return
            self._pictures[key] = picture
            self._held += len(picture.image.data)
            while self._held > self._most:
                _, gone = self._pictures.popitem(last=False)
                self._held -= len(gone.image.data)
