"""Teachers for the world of the loop's tests that propose no edits: one suggests revisions, one writes documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from reflact.types import ChatRequest
from world import insightful

FAILURES = [{"failure_type": "rule unknown", "count": 1, "description": "a rule is missing"}]


def suggesting(request: ChatRequest) -> str:
    """Suggest the rule of the first failed task shown; merge by keeping everything; write all rules down."""
    text = request.messages[1].text
    if request.stage == "analyst":
        items = [_suggestion(f"RULE {rule}.") for rule in _first_rule(text)]
        return json.dumps({"failure_summary": FAILURES, "patch": {"reasoning": "seen", "revise_suggestions": items}})
    if request.stage == "merge":
        rules = dict.fromkeys(_rules(text.split("# The suggestions")[-1]))
        merged = [{**_suggestion(rule), "sources": [at]} for at, rule in enumerate(rules)]
        return json.dumps({"reasoning": "joined", "revise_suggestions": merged})
    if request.stage == "meta_reflect":
        items = [_suggestion(f"RULE {rule}.") for rule in range(4)]
        return json.dumps({"meta_summary": "rules", "patch": {"reasoning": "all", "revise_suggestions": items}})
    if request.stage == "rewrite":
        return json.dumps({"reasoning": "worked in", "change_summary": ["more rules"], "new_skill": _document(text)})
    return insightful(request)


def composing(request: ChatRequest) -> str:
    """Write what is there and the rule of the first failed task shown; merge by keeping every rule."""
    text = request.messages[1].text
    if request.stage == "analyst":
        skill = text.split("failed tasks")[0]
        patch = {"reasoning": "seen", "skill_candidates": _candidates([*_rules(skill), *_named(_first_rule(text))])}
        return json.dumps({"failure_summary": FAILURES, "patch": patch})
    if request.stage == "merge":
        numbers = [int(number) for number in re.findall(r"^\[(\d+)\]", text, re.MULTILINE)]
        merged = [{**one, "sources": numbers} for one in _candidates(_rules(text))]
        return json.dumps({"reasoning": "joined", "skill_candidates": merged})
    if request.stage == "meta_reflect":
        patch = {"reasoning": "all", "skill_candidates": _candidates(_named("0123"))}
        return json.dumps({"meta_summary": "rules", "patch": patch})
    return insightful(request)


def _suggestion(rule: str) -> dict[str, str | None]:
    return {
        "type": "Add rule",
        "title": rule,
        "motivation": None,
        "instruction": f"Say {rule}",
        "priority_hint": "High",
    }


def _candidates(rules: Iterable[str]) -> list[dict[str, object]]:
    return [{"title": "rules", "change_summary": ["one rule more"], "new_skill": _document(" ".join(rules))}]


def _document(text: str) -> str:
    """Return a document of the rules in *text*; like a careless model it loses what is protected, or invents it."""
    lines = "\n".join(f"- {rule}" for rule in sorted(set(_rules(text))))
    invented = "---\nname: invented\n---\n# Skill\n\n<!-- SLOW_UPDATE_START -->\nchanged\n<!-- SLOW_UPDATE_END -->\n"
    return f"{invented}\n{lines}\n" if len(lines) > 20 else f"# Skill\n\n{lines}\n"


def _rules(text: str) -> list[str]:
    return re.findall(r"RULE \d+\.", text)


def _first_rule(text: str) -> list[str]:
    return re.findall(r"of rule (\d+)", text)[:1]


def _named(numbers: Iterable[str]) -> list[str]:
    return [f"RULE {number}." for number in numbers]
