"""Line ends: a document is worked on with `\\n` and given back in its own style."""

import re


def lf(text: str) -> str:
    """Return *text* with `\\n` as its only line end."""
    return re.sub(r"\r\n?", "\n", text)


def opened(document: str) -> str:
    """Return a document whose every line ends in CRLF with LF instead; any other as it is."""
    return document.replace("\r\n", "\n") if _is_crlf(document) else document


def closed(text: str, document: str) -> str:
    """Return *text*, made from `opened(document)`, with the line ends of *document*."""
    return text.replace("\n", "\r\n") if _is_crlf(document) else text


def _is_crlf(document: str) -> bool:
    return "\r\n" in document and "\n" not in document.replace("\r\n", "")
