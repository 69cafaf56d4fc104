"""Runs a solution on one workbook: `python run_solution.py SOLUTION INPUT OUTPUT`, with INPUT_PATH and OUTPUT_PATH set.

The solution is compiled as it stands. Only its top-level assignments of a constant text to one of the two names are
taken out, so that a path it made up does not replace the real one.
"""

import ast
import linecache
import sys
import traceback
from pathlib import Path
from types import ModuleType, TracebackType

NAMES = ("INPUT_PATH", "OUTPUT_PATH")
FILE = "solution.py"


def without_own_paths(source: str) -> str:
    """Return *source* with `pass` for every top-level `INPUT_PATH = "…"`; line numbers stay. As it is if not Python."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return source
    lines = source.encode("utf-8").splitlines(keepends=True)
    for node in reversed(body):
        if _is_own_path(node):
            first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            rest = lines[last][node.end_col_offset or 0 :]
            gap = b"\\\n" * (last - first)
            lines[first : last + 1] = [lines[first][: node.col_offset] + b"pass" + gap + rest]
    return b"".join(lines).decode("utf-8") + "\n"


def _is_own_path(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target: ast.expr = node.targets[0]
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        target = node.target
    else:
        return False
    value = node.value
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return isinstance(target, ast.Name) and target.id in NAMES and is_text


def run(solution: str, source: str, target: str) -> None:
    """Run the program in the file *solution* as `__main__`; what it raises is shown without our own frames."""
    text = without_own_paths(Path(solution).read_text(encoding="utf-8-sig", errors="replace"))
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    sys.excepthook = _shown
    main = ModuleType("__main__")
    main.__dict__.update(__file__=FILE, INPUT_PATH=source, OUTPUT_PATH=target)
    sys.modules["__main__"] = main
    sys.argv = [FILE]
    exec(compile(text, FILE, "exec", dont_inherit=True), main.__dict__)


def _shown(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    while trace is not None and trace.tb_frame.f_code.co_filename != FILE:
        trace = trace.tb_next
    traceback.print_exception(kind, error, trace)


if __name__ == "__main__":
    run(*sys.argv[1:4])
