"""The documents that can be read: found once, known by paths relative to their folder, and never left."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from reflact import DataError
from reflact.kit.text import shorten

from reflact_env_officeqa.config import OfficeQAConfig
from reflact_env_officeqa.environment import FOLDERS, document_folders
from reflact_env_officeqa.parsed import page_text, whole_text

_READABLE = frozenset((".txt", ".md"))
"""Tables are not among them: the questions, with their answers, come as .csv in the same place."""
_TEXTS = ("transformed", "treasury_bulletins_parsed/transformed")
_PAGES = "jsons"
_PARSED = (_PAGES, f"../{_PAGES}", f"treasury_bulletins_parsed/{_PAGES}", f"../treasury_bulletins_parsed/{_PAGES}")
PAGE_CHARS, ALL_CHARS = 24_000, 80_000
_WANTED = (
    "no OfficeQA documents come with this package. A folder holds the bulletins as text (transformed/*.txt, about "
    "460 MB), as parsed pages (jsons/*.json, about 730 MB; needed for oracle_pages), or both. They are at "
    "github.com/databricks/officeqa and, with the questions, behind terms to accept on Hugging Face; CC BY-SA 4.0"
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents by the path a student uses for them, and the parsed pages by the name of their document."""

    files: Mapping[str, Path]
    parsed: Mapping[str, Path]

    def find(self, name: str) -> str | None:
        """Return the path of the document that a record calls *name*, by its file name, else without the ending."""
        wanted = PurePosixPath(name.replace("\\", "/"))
        for part in ("name", "stem"):
            for path in self.files:
                if getattr(PurePosixPath(path), part).casefold() == getattr(wanted, part).casefold():
                    return path
        return None

    def only(self, paths: Iterable[str]) -> "Corpus":
        """Return the corpus of nothing but *paths*."""
        return Corpus({path: self.files[path] for path in paths}, self.parsed)

    def text(self, path: str) -> str:
        """Return the text of the document at *path*, one of `files`; bytes that are no UTF-8 become marks.

        Raises `OSError` for a file that has gone, or has been put elsewhere since the corpus was made.
        """
        file = self.files[path]
        if file.resolve() != file:
            raise OSError(f"{path} is not the document it was")
        return whole_text(file) if file.suffix == ".json" else file.read_bytes().decode("utf-8", "replace")

    def pages(self, wanted: Mapping[str, Sequence[int]]) -> str:
        """Return the *wanted* pages, file name -> numbers, at most 24,000 characters each and 80,000 in all."""
        parts = []
        for name, numbers in wanted.items():
            file = self.parsed.get(PurePosixPath(name).stem.casefold())
            for number in numbers if file else ():
                text = page_text(file, number) if file else ""
                if text:
                    parts.append(f"### {name}, page {number}\n\n{shorten(text, PAGE_CHARS)}")
        return shorten("\n\n".join(parts), ALL_CHARS)


def find_corpus(config: OfficeQAConfig) -> Corpus:
    """Return the documents that *config* tells of. Raises `DataError` when there are none, or questions among them."""
    roots = _roots(config)
    _refuse_answers(roots, config)
    files: dict[str, Path] = {}
    parsed: dict[str, Path] = {}
    for number, root in enumerate(roots, start=1):
        texts = next((root / place for place in _TEXTS if (root / place).is_dir()), root)
        pages = {file.stem.casefold(): file for place in _PARSED for file in _listed(root / place, {".json"}).values()}
        found = _listed(texts, _READABLE) or {file.name: file for file in pages.values()}
        files |= {(f"root_{number}/{path}" if len(roots) > 1 else path): file for path, file in found.items()}
        parsed = {**pages, **parsed}
    if not files:
        raise DataError(f"{_named(roots)}: no documents (.txt, .md, or jsons/*.json) in there; {_WANTED}")
    if config.evidence_mode == "oracle_pages" and not parsed:
        places = ", ".join(str(root / place) for root in roots for place in _PARSED)
        raise DataError(f"env.evidence_mode oracle_pages needs parsed pages; looked for .json files in {places}")
    return Corpus(dict(sorted(files.items())), parsed)


def _roots(config: OfficeQAConfig) -> list[Path]:
    given = Path(config.data_path if config.split_mode == "ratio" else config.split_dir)
    beside = (given.parent if given.is_file() else given) / "docs"
    tried = [[Path(one).expanduser() for one in group] for group in (config.data_dirs, document_folders(), [beside])]
    for group in tried:
        there = [folder for folder in group if folder.is_dir()]
        if there and len(there) < len(group):
            gone = _named([folder for folder in group if folder not in there])
            raise DataError(f"{gone}: no such folder, but {_named(there)} is there; correct env.data_dirs")
        if there:
            return [folder.resolve() for folder in there]
    looked = _named([folder for group in tried for folder in group])
    raise DataError(
        f"no folder of documents: looked at {looked} (env.data_dirs, ${FOLDERS}, beside the data); {_WANTED}"
    )


def _listed(folder: Path, endings: Iterable[str]) -> dict[str, Path]:
    """Return the files below *folder* by relative path; hidden ones and links that lead out of it are left out."""
    root = folder.resolve()
    found = {}
    for place, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one != _PAGES)
        for name in sorted(names):
            file = (Path(place) / name).resolve()
            if not name.startswith(".") and Path(name).suffix.lower() in endings and file.is_relative_to(root):
                found[(Path(place) / name).relative_to(root).as_posix()] = file
    return found


def _refuse_answers(roots: Iterable[Path], config: OfficeQAConfig) -> None:
    named = (config.data_path, config.split_output_dir, config.split_dir)
    for place in (Path(one).resolve() for one in named if one and Path(one).exists()):
        for root in roots:
            if place.is_relative_to(root):
                raise DataError(
                    f"{root} holds the questions with their answers ({place}), where the student could read "
                    "them; give the documents a folder of their own and name it in env.data_dirs"
                )


def _named(folders: Iterable[Path]) -> str:
    return ", ".join(str(folder) for folder in folders)
