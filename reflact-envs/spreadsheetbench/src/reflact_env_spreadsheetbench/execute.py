"""One run of a student's program on one workbook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reflact.errors import DataError
from reflact.kit.sandbox import Job

from reflact_env_spreadsheetbench.booth import INSIDE, ONE_THREAD, Booth, taken

DRIVER = INSIDE / "run_solution.py"
TOLD_CHARS = 3000
OUTPUT = "output.xlsx"


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """What became of a run: the workbook it wrote, or in a few words why there is none, and what it printed last."""

    workbook: bytes | None
    error: str = ""
    printed: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Executor:
    """Runs programs on copies of workbooks, each time in a fresh folder."""

    booth: Booth
    max_output_mb: int

    def __call__(self, program: str, source: Path) -> Executed:
        """Return what *program* makes of the workbook *source*. It sees a copy, and nothing else of ours."""
        with self.booth.folder() as folder:
            work, given = folder / "work", folder / "input" / source.name
            work.mkdir()
            given.parent.mkdir()
            given.write_bytes(source.read_bytes())
            for path, mode in ((given, 0o444), (given.parent, 0o755), (folder, 0o755)):
                path.chmod(mode)
            (work / "solution.py").write_text(program, encoding="utf-8", errors="replace")
            target = work / OUTPUT
            argv = (self.booth.python, "-I", "-B", str(DRIVER), str(work / "solution.py"), str(given), str(target))
            ran = self.booth.run(
                Job(
                    argv=argv,
                    work=work,
                    readable=(given.parent,),
                    environment={**ONE_THREAD, "INPUT_PATH": str(given), "OUTPUT_PATH": str(target)},
                    limits=self.booth.limits,
                )
            )
            printed = _end(ran.stdout, ran.stderr)
            if not ran.ok:
                return Executed(
                    workbook=None, error=_error(ran.stderr, ran.reason), printed=printed, seconds=ran.seconds
                )
            try:
                workbook = taken(target, most_mb=self.max_output_mb)
            except DataError as error:
                return Executed(workbook=None, error=_missing(error), printed=printed, seconds=ran.seconds)
            return Executed(workbook=workbook, printed=printed, seconds=ran.seconds)


def _error(stderr: str, reason: str) -> str:
    """Return `exec-error: ` and the line of *stderr* that names an exception, else the *reason* the run ended for."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    told = lines[-1] if lines and reason.startswith("exit code") else reason
    return f"exec-error: {told[:500]}"


def _missing(error: DataError) -> str:
    return "output-not-found" if str(error).startswith("no file") else f"output-refused: {error}"


def _end(stdout: str, stderr: str) -> str:
    """Return the last characters of what was printed; errors stand at the end."""
    text = "\n".join(part.strip("\n") for part in (stdout, stderr) if part.strip())
    return text if len(text) <= TOLD_CHARS else f"…{text[-TOLD_CHARS:]}"
