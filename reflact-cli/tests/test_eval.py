"""`reflact eval`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact.testing import FakeModelServer

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


def score(reflact: Reflact, *words: str) -> Any:
    Path("skill.md").write_text("RULE\n")
    return reflact("eval", "desks.yaml", "--plugin", DESKS, "--out", "scored", *words)


def test_a_skill_is_scored_on_the_test_split(reflact: Reflact) -> None:
    ran = score(reflact, "--skill", "skill.md")
    assert ran.code == 0
    assert "test   2/8 (25 %, 7–59 %)   soft 0.250   skill.md" in ran.out
    summary = json.loads(Path("scored/eval_summary.json").read_text())
    assert (summary["split"], summary["n_items"], summary["hard"], summary["soft"]) == ("test", 8, 0.25, 0.25)


@pytest.mark.parametrize(
    ("name", "means", "items"),
    [
        ("valid_seen", "val", 8),
        ("selection", "val", 8),
        ("valid_unseen", "test", 8),
        ("train", "train", 8),
        ("all",) * 2 + (24,),
    ],
)
def test_a_split_goes_by_all_its_names(reflact: Reflact, name: str, means: str, items: int) -> None:
    assert score(reflact, "--skill", "skill.md", "--split", name).code == 0
    summary = json.loads(Path("scored/eval_summary.json").read_text())
    assert (summary["split"], summary["n_items"]) == (means, items)


def test_an_unknown_split_is_refused_with_the_names_there_are(reflact: Reflact) -> None:
    ran = score(reflact, "--skill", "skill.md", "--split", "tset")
    assert ran.code == 2
    assert "--split: unknown split 'tset'. Did you mean 'test'? Valid are train, val, test and all" in ran.err
    assert not Path("scored").exists()


def test_a_prompt_is_for_envs_that_have_several(reflact: Reflact) -> None:
    ran = score(reflact, "--no-skill", "--prompt", "official")
    assert (ran.code, "unknown key 'env.prompt'" in ran.err) == (2, True)


def test_a_skill_file_that_is_not_there_is_told(reflact: Reflact) -> None:
    ran = score(reflact, "--skill", "nowhere.md")
    assert (ran.code, "no skill file at nowhere.md" in ran.err) == (2, True)


def test_to_go_without_a_skill_has_to_be_said(reflact: Reflact) -> None:
    assert "--no-skill" in score(reflact).err
    ran = score(reflact, "--no-skill")
    assert (ran.code, "test   0/8" in ran.out, "no skill" in ran.out) == (0, True, True)


def test_answers_that_cannot_be_scored_are_written_to_be_handed_in(reflact: Reflact) -> None:
    ran = score(reflact, "--skill", "skill.md", "env.withheld=true", "--predictions", "sent/answers.txt")
    assert ran.code == 0
    assert Path("sent/answers.txt").read_text().splitlines()[0] == "letter-16: desk 16"
    assert len(Path("sent/answers.txt").read_text().splitlines()) == 8
    told = ran.out[ran.out.index("test   ") :]
    assert told.splitlines()[:3] == [
        "test   nothing could be scored   skill.md",
        "  8 items cannot be scored, since the answer is withheld",
        "  8 predictions: sent/answers.txt",
    ]
    assert "0.000" not in told


def test_an_evaluation_that_could_score_nothing_is_refused_and_leaves_nothing_behind(reflact: Reflact) -> None:
    ran = score(reflact, "--skill", "skill.md", "env.withheld=true")
    assert (ran.code, ran.out) == (2, "")
    assert "test: 8 of 8 tasks (letter-16, letter-17, letter-18, …) cannot be scored" in ran.err
    assert "with --predictions FILE they are done all the same" in ran.err
    assert not Path("scored").exists()


def test_answers_that_are_scored_can_be_handed_in_too(reflact: Reflact) -> None:
    ran = score(reflact, "--no-skill", "--predictions", "answers.txt")
    assert "test   0/8" in ran.out
    assert "  8 predictions: answers.txt\n" in ran.out


def test_an_env_that_knows_no_form_to_hand_answers_in_says_so(reflact: Reflact) -> None:
    Path("items.json").write_text(json.dumps([{"question": f"q{n}", "answer": f"a{n}"} for n in range(6)]))
    env = ("env.name=qa", "env.data_path=items.json", "env.split_ratio=1:1:1")
    ran = score(reflact, "--no-skill", *env, "--predictions", "answers.txt")
    assert (ran.code, "env 'qa' has no form in which answers are handed in" in ran.err) == (2, True)
    assert "results.jsonl" in ran.err
    assert not Path("answers.txt").exists()


def test_the_older_spellings_work(reflact: Reflact) -> None:
    Path("skill.md").write_text("RULE RULE\n")
    words = (
        "--config",
        "desks.yaml",
        "--skill",
        "skill.md",
        "--cfg-options",
        "env.workers=1",
        "evaluation.test_env_num=4",
    )
    ran = reflact("eval", *words, "--plugin", DESKS, "--out", "scored", "--test_env_num", "6")
    assert ran.code == 0
    assert json.loads(Path("scored/eval_summary.json").read_text())["n_items"] == 6


def test_a_scored_skill_is_not_run_again(reflact: Reflact) -> None:
    score(reflact, "--skill", "skill.md")
    calls = Path("scored/calls.jsonl").read_text()
    score(reflact, "--skill", "skill.md")
    assert Path("scored/calls.jsonl").read_text() == calls


def test_train_and_eval_ask_the_same_server(reflact: Reflact) -> None:
    pytest.importorskip("reflact_backend_openai")
    Path("skill.md").write_text("RULE\n")
    with FakeModelServer(lambda request: "no idea") as server:
        model = f"  student: {{backend: openai_chat, base_url: {server.url}/v1, model: little}}\n"
        Path("desks.yaml").write_text(
            Path("desks.yaml").read_text().replace("  student_backend: clerk\n", model), encoding="utf-8"
        )
        trained = reflact("train", "desks.yaml", "--plugin", DESKS, "--out", "run", "train.num_epochs=1")
        seen = len(server.requests)
        evaluated = score(reflact, "--skill", "skill.md", "--no-preflight")
        later = server.requests[seen:]
    assert (trained.code, evaluated.code) == (0, 0)
    assert seen >= 16
    assert {request.model for request in later} == {"little"}
    assert len(later) == 8
