"""Writing workbooks that come out the same, byte for byte, each time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook

_MOMENT = datetime(2024, 1, 1)


def save(book: Workbook, path: Path, *, stored: Mapping[str, object] | None = None) -> None:
    """Write *book* to *path*; *stored* are results kept with formulas of its first sheet, such as `{"C2": 7}`.

    openpyxl itself keeps none.
    """
    book.properties.created = _MOMENT
    raw = BytesIO()
    book.save(raw)
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(raw) as made, ZipFile(path, "w", ZIP_DEFLATED) as fixed:
        for name in made.namelist():
            content = made.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2024-01-01T00:00:00Z", content)
            if name == "xl/worksheets/sheet1.xml":
                content = _with_results(content.decode("utf-8"), stored or {}).encode("utf-8")
            fixed.writestr(ZipInfo(name, (2024, 1, 1, 0, 0, 0)), content, ZIP_DEFLATED)


def _with_results(sheet: str, stored: Mapping[str, object]) -> str:
    for cell, value in stored.items():
        kind = ' t="str"' if isinstance(value, str) else ""
        found = re.compile(rf'<c r="{cell}"([^>]*)>(<f[^>]*>.*?</f>|<f[^>]*/>)<v\s*(?:/>|></v>)')
        sheet, n = found.subn(rf'<c r="{cell}"\g<1>{kind}>\g<2><v>{value}</v>', sheet)
        if n != 1:
            raise ValueError(f"{cell} holds no formula without a value")
    return sheet
