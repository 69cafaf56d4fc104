"""A model that grades an answer where no rule can: the run's own judge, never taken at half a word."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib.resources import files
from typing import Any

from reflact.contracts import Student
from reflact.kit.qa import Grade
from reflact.kit.templates import Templates
from reflact.kit.text import shorten
from reflact.kit.verdicts import TWO_GRADES, Reading, Scale, read_verdict
from reflact.types import ChatReply, ChatRequest, Message

LONGEST_ANSWER = 2000
_PROMPTS = files("reflact.kit") / "prompts"
_TEMPLATES = ("judge.md.j2", "judge_case.md.j2", "judge_again.md.j2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the judge decided: a grade of the scale; empty when there was none that counts. `raw` holds its replies."""

    grade: str
    reason: str = ""
    raw: tuple[str, ...] = ()
    model: str = ""
    template: str = ""

    @property
    def decided(self) -> bool:
        """False when nobody knows whether the answer is right: such a task is not scored."""
        return bool(self.grade)

    @property
    def right(self) -> bool:
        """True when the grade is `correct`."""
        return self.grade == "correct"

    def facts(self) -> Mapping[str, Any]:
        """Return what a rollout's `extra` keeps, so that it can be graded again without the judge."""
        return {
            "grade": self.grade,
            "judge_reason": self.reason,
            "judge_raw": list(self.raw),
            "judge_model": self.model,
            "judge_template": self.template,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Grades answers on a scale. One per env: it remembers its verdicts, so that equal answers fare alike.

    `votes` verdicts are asked for and more than half of them must agree. `retries` is how often a reply without a grade
    is asked again. `rubric` says what else counts as right in this env. `max_tokens` bounds a reply with its reasoning.
    """

    scale: Scale = TWO_GRADES
    votes: int = 1
    retries: int = 1
    max_tokens: int = 2048
    rubric: str = ""
    _kept: dict[str, Verdict] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, *, question: str, golds: Sequence[str], answer: str, student: Student) -> Verdict:
        """Return the verdict on *answer*; a blank one is graded without a call.

        Only the first 2,000 characters of the answer are shown. Raises `BackendError` when the judge gives no reply.
        """
        if not answer.strip():
            return Verdict(grade=self.scale.empty, reason="no answer", template=self.template)
        key = sha256("\0".join((self.template, question, *golds, answer)).encode()).hexdigest()
        if key not in self._kept:
            verdict = self._asked(self._request(question, golds, answer), student)
            return self._kept.setdefault(key, verdict) if verdict.decided else verdict
        return self._kept[key]

    def again(self, facts: Mapping[str, Any]) -> Verdict:
        """Return the verdict that the judge's replies in *facts* (see `Verdict.facts`) give as they are read today."""
        raw = tuple(facts.get("judge_raw", ()))
        model, template = str(facts.get("judge_model", "")), str(facts.get("judge_template", ""))
        if not raw and facts.get("grade") == self.scale.empty:
            return Verdict(grade=self.scale.empty, reason="no answer", template=template)
        return self._counted([read_verdict(one, self.scale) for one in raw], raw, model, template)

    @property
    def template(self) -> str:
        """The identity of what the judge is told: 8 hex digits over templates, rubric and grades."""
        told = [(_PROMPTS / name).read_text(encoding="utf-8") for name in _TEMPLATES]
        return sha256("\0".join((*told, self.rubric, *self.scale.meanings)).encode()).hexdigest()[:8]

    def _request(self, question: str, golds: Sequence[str], answer: str) -> ChatRequest:
        shown = shorten(answer, LONGEST_ANSWER)
        templates, mark = Templates(_PROMPTS), _mark(question, *golds, answer)
        told = templates.render("judge.md.j2", scale=self.scale, rubric=self.rubric)
        case = templates.render("judge_case.md.j2", question=question, golds=golds, answer=shown, mark=mark)
        return ChatRequest(
            messages=(Message(role="system", content=told), Message(role="user", content=case)),
            schema=self.scale.schema,
            schema_name="verdict",
            max_tokens=self.max_tokens,
            temperature=0.0 if self.votes == 1 else None,
            stage="judge",
        )

    def _asked(self, request: ChatRequest, student: Student) -> Verdict:
        raw: list[str] = []
        readings: list[Reading | None] = []
        model = ""
        for vote in range(self.votes):
            reply, reading = self._vote(replace(request, repeat=vote), student)
            raw.append(reply.text if reply.outcome == "ok" else f"({reply.outcome})")
            readings.append(reading)
            model = reply.model or model
            verdict = self._counted(readings, tuple(raw), model, self.template)
            if verdict.decided:
                return verdict
        return self._counted(readings, tuple(raw), model, self.template)

    def _vote(self, request: ChatRequest, student: Student) -> tuple[ChatReply, Reading | None]:
        reply = student.judge(request)
        reading = self._read(reply)
        for _ in range(self.retries):
            if reading:
                break
            told = Templates(_PROMPTS).render("judge_again.md.j2", scale=self.scale)
            said = Message(role="assistant", content=shorten(reply.text, LONGEST_ANSWER) or "(nothing)")
            again = (*request.messages, said, Message(role="user", content=told))
            reply = student.judge(replace(request, messages=again))
            reading = self._read(reply)
        return reply, reading

    def _read(self, reply: ChatReply) -> Reading | None:
        return read_verdict(reply.text, self.scale) if reply.outcome == "ok" else None

    def _counted(self, readings: Sequence[Reading | None], raw: tuple[str, ...], model: str, template: str) -> Verdict:
        counts = Counter(one.grade for one in readings if one)
        grade = next((one for one, n in counts.items() if 2 * n > self.votes), "")
        reason = next((one.reason for one in readings if one and one.grade == grade), "")
        return Verdict(grade=grade, reason=reason, raw=raw, model=model, template=template)


def judged(verdict: Verdict, *, answer: str, expected: Sequence[str], extra: Mapping[str, Any] | None = None) -> Grade:
    """Return *verdict* on *answer* as a grade, with what *extra* and the verdict know in its `extra`.

    `hard` and `soft` are 1 for `correct`. Without a decision the grade has the outcome `judge_error`, which no score
    counts and which is tried again.
    """
    facts = {**(extra or {}), **verdict.facts()}
    if not verdict.decided:
        said = shorten(" | ".join(verdict.raw), 200)
        error = f"the judge ({verdict.model or 'unnamed'}) gave no grade: {said!r}"
        return Grade(hard=0.0, soft=0.0, answer=answer, extra=facts, outcome="judge_error", error=error)
    wanted = " or ".join(repr(shorten(one, 300)) for one in expected[:5])
    why = f": {verdict.reason}" if verdict.reason else ""
    told = f"graded {verdict.grade}, expected {wanted}, got {shorten(answer, 300)!r}{why}"
    score = float(verdict.right)
    return Grade(hard=score, soft=score, answer=answer, feedback="" if verdict.right else told, extra=facts)


def _mark(*parts: str) -> str:
    """Return a mark that stands in none of *parts*; who writes the answer cannot know it, as it depends on the gold."""
    mark = sha256("\0".join(parts).encode()).hexdigest()[:12].upper()
    return _mark(mark, *parts) if any(mark in part for part in parts) else mark
