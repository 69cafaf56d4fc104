"""What config.json holds, and what a resumed run is told has changed."""

import json
from collections.abc import Callable

import pytest
from reflact.config import OPERATIONAL, Resolved, differences, flat
from reflact.config.secret import HIDDEN, is_secret, public

Given = Callable[..., Resolved]


def test_the_flat_form_has_the_contracts_names(given: Given) -> None:
    values = flat(given(env={"polite": True}, model={"student_backend": "codex_exec"}))
    assert values["env"] == "capitals"
    assert (values["teacher_model"], values["student_model"]) == ("gpt-5.4", "gpt-5.4-codex")
    assert (values["teacher_backend"], values["student_backend"]) == ("openai_chat", "codex_exec")
    assert (values["edit_budget"], values["min_edit_budget"], values["meta_edit_budget"]) == (8, 2, 8)
    assert (values["batch_size"], values["split_ratio"], values["polite"]) == (80, "2:1:7", True)
    assert values["teacher_effort"] == "medium"


def test_the_flat_form_is_sorted_json(given: Given) -> None:
    values = flat(given())
    assert list(values) == sorted(values)
    assert json.loads(json.dumps(values)) == values


def test_the_flat_form_leaves_out_settings_nobody_uses(given: Given) -> None:
    assert not [key for key in flat(given()) if key.startswith(("qwen_", "claude_code_", "model_backend", "azure_"))]


def test_a_secret_is_in_no_form(given: Given) -> None:
    found = given(
        model={"teacher": {"api_key": "sk-123"}, "azure_openai_api_key": "sk-456"},
        env={"hints": {"auth_token": "plain-789", "max_tokens": "5"}},
    )
    assert "sk-" not in repr(found)
    assert "sk-" not in json.dumps(flat(found))
    assert "plain-789" not in json.dumps(flat(found))
    assert flat(found)["hints"]["max_tokens"] == "5"


@pytest.mark.parametrize(
    "key", ["api_key", "X-API-Key", "auth_token", "token", "client_secret", "password", "Authorization"]
)
def test_a_key_that_holds_a_secret_is_recognised(key: str) -> None:
    assert is_secret(key)


@pytest.mark.parametrize("key", ["max_tokens", "api_key_env", "keyboard", "tokens", "model"])
def test_a_key_that_holds_none_is_left_alone(key: str) -> None:
    assert not is_secret(key)


def test_a_change_is_told_in_a_sentence(given: Given) -> None:
    old = flat(given())
    new = flat(
        given(
            train={"batch_size": 40},
            optimizer={"learning_rate": 4},
            env={"polite": True},
            model={"student": {"model": "gpt-9", "effort": "low"}},
        )
    )
    assert differences(old, new) == [
        "train.batch_size was 80, now 40",
        "optimizer.learning_rate was 8, now 4",
        "env.polite was false, now true",
        "model.student.effort was medium, now low",
        "model.student was gpt-5.4, now gpt-9",
    ]


def test_what_is_operational_may_change(given: Given) -> None:
    old = flat(given(model={"teacher": {"api_key": "sk-1"}}))
    new = flat(
        given(
            env={"workers": 2, "out_root": "elsewhere"},
            gradient={"analyst_workers": 2},
            model={"teacher": {"timeout_s": 5}},
        )
    )
    assert differences(old, new) == []


def test_a_change_of_an_envs_key_is_not_told_of_the_models_key_of_that_name(given: Given) -> None:
    old, new = flat(given()), flat(given(env={"judge": "string"}))
    assert old["env_judge"] == "llm" and "judge" not in old
    assert differences(old, new) == ["env.judge was llm, now string"]


def test_a_key_only_one_side_has_is_told() -> None:
    assert differences({}, {"seed": 1}) == ["train.seed was not set, now 1"]
    assert differences({"max_turns": 3}, {}) == ["env.max_turns was 3, now not set"]


def test_nothing_that_decides_the_result_is_operational() -> None:
    assert OPERATIONAL.isdisjoint({"train.seed", "train.batch_size", "model.teacher", "env.split_seed", "env.limit"})


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://me:pass-789@host/v1", f"https://me:{HIDDEN}@host/v1"),
        ("https://host/v1?api-version=1&token=abc#x", f"https://host/v1?api-version=1&token={HIDDEN}#x"),
        ("https://host/v1?subscription-key=abc", f"https://host/v1?subscription-key={HIDDEN}"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
        ("https://me@host/a:b@c", "https://me@host/a:b@c"),
        ("what is token=abc?", "what is token=abc?"),
    ],
)
def test_an_address_is_shown_without_its_secrets(address: str, expected: str) -> None:
    assert public(address) == expected


def test_a_secret_in_an_address_is_in_no_form(given: Given) -> None:
    found = given(model={"teacher": {"base_url": "https://me:pass-789@host/v1?key=word-789"}})
    assert "-789" not in json.dumps(flat(found))
