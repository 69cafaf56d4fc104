"""A long text, shown a piece at a time."""

SLICE = 6000
ROOM = SLICE + 1500
"""What a result may have with the lines around the piece."""


def sliced(text: str, start: int, *, head: str = "") -> str:
    """Return 6,000 characters of *text* from *start* on under *head*, with how many are left out."""
    begin = min(max(start, 0), len(text))
    piece = text[begin : begin + SLICE]
    rest = len(text) - begin - len(piece)
    before = [f"[{begin} characters omitted]"] if begin else []
    after = [f"[{rest} characters omitted; go on with start={begin + len(piece)}]"] if rest else []
    return "\n".join([*([head[:1000]] if head else []), *before, piece or "[nothing more]", *after])
