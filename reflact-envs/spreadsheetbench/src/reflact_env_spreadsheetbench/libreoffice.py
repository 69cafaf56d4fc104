"""What formulas come to: a workbook computed anew by LibreOffice, in the sandbox."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from shutil import which

from reflact.errors import ConfigError, DataError
from reflact.folders import cache_folder
from reflact.kit.sandbox import Job

from reflact_env_spreadsheetbench.booth import Booth, taken
from reflact_env_spreadsheetbench.config import SpreadsheetConfig

CONVERT_S = 120.0
CONVERTED_MB = 400
FORMAT = "xlsx:Calc MS Excel 2007 XML"
INSTALL = "Debian, Ubuntu: apt-get install libreoffice-calc-nogui"
ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>0</value></prop></item>
</oor:items>
"""
"""A profile in which every formula is computed on loading, whether or not a value is stored with it."""

NEWER = re.compile(
    r"\b(?:XLOOKUP|XMATCH|FILTER|UNIQUE|SORT|SORTBY|SEQUENCE|LET|LAMBDA|TEXTSPLIT|TEXTBEFORE|TEXTAFTER|VSTACK|HSTACK|"
    r"TOCOL|TOROW|WRAPROWS|WRAPCOLS|TAKE|DROP|CHOOSECOLS|CHOOSEROWS|EXPAND|RANDARRAY|BYROW|BYCOL|MAP|REDUCE|SCAN)\(",
    re.IGNORECASE,
)
"""Functions that older releases of LibreOffice do not know; they make `#NAME?` of them."""


@dataclass(frozen=True, slots=True)
class LibreOffice:
    """Computes workbooks with the command at `program`; those worth keeping are kept below `cache`."""

    program: str
    booth: Booth
    cache: Path
    _version: list[str] = field(default_factory=list, repr=False)

    @property
    def version(self) -> str:
        """Its release, such as `7.4.7.2`; asked for once. Empty when it does not say."""
        if not self._version:
            with self.booth.folder() as work:
                ran = self.booth.run(self._job(work, "--version"))
            found = re.search(r"\d+(?:\.\d+)+", ran.stdout)
            self._version.append(found[0] if found else "")
        return self._version[0]

    def computed(self, workbook: bytes, *, keep: bool) -> bytes:
        """Return *workbook* with the value of every formula computed now; with *keep* for the next time too.

        Raises `DataError` when LibreOffice cannot do that.
        """
        kept = self.cache / (self.version or "unknown") / f"{sha256(workbook).hexdigest()}.xlsx"
        if kept.is_file():
            return kept.read_bytes()
        found = self._converted(workbook)
        if keep:
            _store(kept, found)
        return found

    def _converted(self, workbook: bytes) -> bytes:
        with self.booth.folder() as work:
            (work / "book.xlsx").write_bytes(workbook)
            settings = work / "profile" / "user" / "registrymodifications.xcu"
            settings.parent.mkdir(parents=True)
            settings.write_text(ALWAYS, encoding="utf-8")
            (work / "out").mkdir()
            words = ("--convert-to", FORMAT, "--outdir", str(work / "out"), str(work / "book.xlsx"))
            ran = self.booth.run(self._job(work, *words))
            try:
                return taken(work / "out" / "book.xlsx", most_mb=CONVERTED_MB)
            except DataError as error:
                told = ran.reason or (ran.stderr.strip().splitlines() or [str(error)])[-1]
                raise DataError(f"LibreOffice could not compute the workbook: {told[:300]}") from error

    def _job(self, work: Path, *words: str) -> Job:
        limits = replace(self.booth.limits, seconds=CONVERT_S, processes=256, files=1024, file_mb=CONVERTED_MB)
        profile = f"-env:UserInstallation=file://{work}/profile"
        argv = (self.program, "--headless", "--norestore", profile, *words)
        return Job(argv=argv, work=work, limits=limits)


def unknown_function(value: object, formula: str) -> bool:
    """Return whether *value*, computed from *formula*, says only that LibreOffice is too old for it."""
    return value == "#NAME?" and ("_xlfn" in formula or NEWER.search(formula) is not None)


def office(config: SpreadsheetConfig, booth: Booth, warn: Callable[[str], None]) -> LibreOffice | None:
    """Return what computes formulas; `None` where *config* does without, or nothing is installed and *warn* is told.

    Raises `ConfigError` when it is demanded and not there.
    """
    if config.recalc == "off":
        return None
    program = "soffice" if booth.box.name == "docker" else which("soffice") or which("libreoffice")
    cache = Path(config.recalc_cache).expanduser() if config.recalc_cache else cache_folder() / "recalculated"
    found = LibreOffice(program, booth, cache) if program else None
    if found is not None and found.version:
        return found
    if config.recalc == "libreoffice":
        raise ConfigError(
            f"env.recalc: LibreOffice is demanded and cannot be run here. {INSTALL}; or set env.recalc: off"
        )
    warn(
        "spreadsheetbench: LibreOffice is not installed, so formulas in answers are not computed: a case that depends "
        f"on one has no score, and is counted as an error. {INSTALL}; env.recalc: off says that this is meant"
    )
    return None


def _store(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
    with os.fdopen(handle, "wb") as part:
        part.write(content)
    Path(name).replace(file)
