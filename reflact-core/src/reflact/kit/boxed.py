"""The answer in a reply that is to end in `\\boxed{…}`. Linear in the length of the reply."""

import re

from reflact.kit.answers import Answer, extract_answer, without_reasoning

_TOKEN = re.compile(r"(?P<box>\\f?boxed\s*\{)|\\.|[{}]", re.DOTALL)
_BEGIN, _END = "<|begin_of_box|>", "<|end_of_box|>"


def extract_boxed(reply: str) -> Answer:
    r"""Return what the last complete `\boxed{…}` of *reply* holds, its braces balanced, however deep; stripped.

    Without one, in this order: the last `<|begin_of_box|>…<|end_of_box|>`; the last complete `<answer>` tag; what
    stands after a box, or a tag, that is never closed (`unclosed`). There is no fallback to other text: the answer is
    then empty (`none`). Reasoning is ignored.
    """
    text = without_reasoning(reply)
    complete, rest = _boxes(text)
    if complete is not None:
        return Answer(_unwrapped(complete), "box")
    _, begun, other = text.rpartition(_END)[0].rpartition(_BEGIN)
    if begun:
        return Answer(other.strip(), "box")
    tagged = extract_answer(text, fallback=False)
    return Answer(rest, "unclosed") if tagged.how != "tag" and rest is not None else tagged


def _boxes(text: str) -> tuple[str | None, str | None]:
    """Return what the last closed box of *text* holds, and what follows the last one that is open at the end."""
    complete: str | None = None
    stack: list[int] = []
    for token in _TOKEN.finditer(text):
        if token["box"]:
            stack.append(token.end())
        elif token[0] == "{":
            stack.append(-1)
        elif token[0] == "}" and stack:
            start = stack.pop()
            complete = text[start : token.start()].strip() if start >= 0 else complete
    still_open = [start for start in stack if start >= 0]
    return complete, text[still_open[-1] :].strip() if still_open else None


def _unwrapped(text: str) -> str:
    """Return *text* without a box that is all of it."""
    inner, _ = _boxes(text) if re.match(r"\\f?boxed", text) else (None, None)
    whole = inner is not None and re.fullmatch(r"\\f?boxed\s*\{\s*" + re.escape(inner) + r"\s*\}", text)
    return inner if whole and inner is not None else text
