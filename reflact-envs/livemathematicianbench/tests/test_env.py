"""The env with files of two months and students that say what they are told."""

import json
import warnings
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError, Rollout, Skill, Split, Task
from reflact.data.splits import fingerprint
from reflact.kit.scripted import EchoStudent
from reflact.kit.templates import Templates
from reflact_env_livemathematicianbench.config import LiveMathConfig
from reflact_env_livemathematicianbench.env import LiveMathematicianBench
from reflact_env_livemathematicianbench.grade import grade
from reflact_env_livemathematicianbench.sample import write_sample
from reflact_env_livemathematicianbench.source import rows
from reflact_env_livemathematicianbench.task import shuffled

pytestmark = pytest.mark.filterwarnings("ignore:livemathematicianbench. one choice says:RuntimeWarning")
SPLITS: tuple[Split, ...] = ("train", "val", "test")


def bench(folder: Path, **config: Any) -> LiveMathematicianBench:
    if not (folder / "raw").exists():
        write_sample(folder / "raw", 48, 7)
    return LiveMathematicianBench(LiveMathConfig(data_path=str(folder / "raw"), **config))


def every(env: LiveMathematicianBench) -> list[Task]:
    return [task for split in SPLITS for task in env.tasks(split)]


def item(no: int, *choices: str, right: int = 0, **more: Any) -> dict[str, Any]:
    labelled = [{"label": "ABCDEFGHIJ"[n], "text": text} for n, text in enumerate(choices or ("x", "y", "z"))]
    return {"no": no, "question": f"question {no}", "choices": labelled, "correct_choice": labelled[right], **more}


def month(folder: Path, name: str, *items: dict[str, Any]) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(list(items)))
    return folder


def asked(env: LiveMathematicianBench, task: Task, reply: str, folder: Path) -> tuple[Rollout, EchoStudent]:
    student = EchoStudent(reply)
    return env.run(task, skill=Skill("s"), student=student, workdir=folder), student


def test_the_same_numbers_in_two_months_are_two_items(tmp_path: Path) -> None:
    ids = [task.id for task in every(bench(tmp_path))]
    assert len(set(ids)) == len(ids) == 48
    assert {"202511:1", "202512:1"} < set(ids)


@pytest.mark.parametrize("name", ["data/qa_202601_final.json", "202601/qa_new_final.json"])
def test_a_month_is_read_off_the_file_or_its_folder(tmp_path: Path, name: str) -> None:
    month(tmp_path, name, *(item(n) for n in range(1, 4)))
    env = LiveMathematicianBench(LiveMathConfig(data_path=str(tmp_path)))
    assert sorted(task.id for task in every(env)) == ["202601:1", "202601:2", "202601:3"]


def test_invalid_records_are_counted_and_named_or_skipped_on_demand(tmp_path: Path) -> None:
    good = [item(n) for n in range(1, 5)]
    folder = month(tmp_path, "qa_202511_final.json", *good, {"no": 8}, item(9, "same", "same"))
    with pytest.raises(DataError) as refused:
        LiveMathematicianBench(LiveMathConfig(data_path=str(folder)))
    told = str(refused.value)
    assert "item 5: no question" in told and "item 6: choices A and B say the same" in told
    assert "(2 faulty records of 6)" in told
    with pytest.warns(RuntimeWarning, match="2 of 6 records are skipped"):
        env = LiveMathematicianBench(LiveMathConfig(data_path=str(folder), bad_records="skip"))
    assert len(every(env)) == 4


def test_right_choices_change_places_the_same_way_each_time_on_every_machine(tmp_path: Path) -> None:
    first, again = every(bench(tmp_path)), every(bench(tmp_path))
    labels = Counter(task.data["correct"] for task in first)
    assert first == again
    assert len(labels) >= 5 and max(labels.values()) < len(first) / 2
    moved = shuffled({"A": "a", "B": "b", "C": "c", "D": "d", "E": "e"}, "A", seed=42, task_id="202511:1")
    assert moved == ({"A": "b", "B": "e", "C": "d", "D": "c", "E": "a"}, "E")
    assert all(task.data["choices"][task.data["correct"]].startswith(("It is $", "Exactly")) for task in first)


def test_another_seed_is_another_order_and_none_leaves_it(tmp_path: Path) -> None:
    usual = {task.id: list(task.data["choices"].values()) for task in every(bench(tmp_path))}
    other = {task.id: list(task.data["choices"].values()) for task in every(bench(tmp_path, shuffle_seed=1))}
    assert usual != other
    with pytest.warns(RuntimeWarning, match="the right choice is A in 48 of 48 items, and choices are not shuffled"):
        plain = every(bench(tmp_path, shuffle_choices=False))
    assert {task.data["correct"] for task in plain} == {"A"}


def test_ten_choices_are_shuffled_like_five() -> None:
    choices = {label: f"choice {label}" for label in "ABCDEFGHIJ"}
    moved, right = shuffled(choices, "J", seed=1, task_id="x")
    assert list(moved) == list(choices)
    assert sorted(moved.values()) == sorted(choices.values())
    assert moved[right] == "choice J"


def test_choices_that_refer_to_one_another_keep_their_place_where_labels_vary(tmp_path: Path) -> None:
    tied = item(1, "It is even.", "It is prime.", "Both A and B hold.", right=2)
    folder = month(tmp_path, "qa_202511_final.json", tied, *(item(n, right=n % 3) for n in range(2, 12)))
    for split_mode in ("raw", "dealt again"):
        config = LiveMathConfig(data_path=str(folder), split_output_dir=str(tmp_path / "out"))
        [found] = [task for task in every(LiveMathematicianBench(config)) if task.id == "202511:1"]
        assert list(found.data["choices"].values()) == ["It is even.", "It is prime.", "Both A and B hold."], split_mode


def test_choices_that_refer_to_one_another_are_left_out_where_the_label_gives_them_away(tmp_path: Path) -> None:
    tied = item(1, "None of the above.", "It is prime.")
    folder = month(tmp_path, "qa_202511_final.json", tied, *(item(n) for n in range(2, 12)))
    with pytest.warns(RuntimeWarning, match="1 items are left out, .* always A: .*item 1"):
        env = LiveMathematicianBench(LiveMathConfig(data_path=str(folder)))
    assert "202511:1" not in [task.id for task in every(env)]


def test_a_dealt_split_reads_back_as_it_was_dealt(tmp_path: Path) -> None:
    out = str(tmp_path / "dealt")
    first = bench(tmp_path, split_output_dir=out, meta_option="exclude")
    again = bench(tmp_path, split_output_dir=out, meta_option="exclude")
    prepared = LiveMathematicianBench(LiveMathConfig(split_dir=out))
    told = [fingerprint({split: tuple(env.tasks(split)) for split in SPLITS}) for env in (first, again, prepared)]
    assert told[0] == told[1] == told[2]


def test_meta_options_are_warned_about_reported_apart_or_left_out(tmp_path: Path) -> None:
    with pytest.warns(RuntimeWarning, match=r"one choice says .* in \d of 9 in train, .* and it is right every time"):
        reported = bench(tmp_path)
    meta = [task for task in every(reported) if task.data["meta"]]
    assert len(meta) == 6 and all(task.data["meta"] == task.data["correct"] for task in meta)
    rollout, _ = asked(reported, meta[0], "x", tmp_path)
    assert rollout.extra["groups"]["meta_option"] == "with"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        left, kept = bench(tmp_path, meta_option="exclude"), bench(tmp_path, meta_option="keep")
    assert len(every(left)) == 42 and not any(task.data["meta"] for task in every(left))
    assert len(every(kept)) == 48
    assert "meta_option" not in asked(kept, every(kept)[0], "x", tmp_path)[0].extra["groups"]


CLAIMS = {
    "A": "It is even.",
    "B": "It is odd.",
    "C": "It is prime.",
    "D": "It is zero.",
    "E": "A strictly larger bound holds.",
}
MEANT = {
    "B": (
        "B", "b", "B.", "(B)", "**B**", "$B$", r"\boxed{B}", r"$\boxed{\text{B}}$", "Option B", "The answer is B",
        "choice: B", "B. It is odd.", "B: It is odd", "It is odd",
    ),
    "C": ("A careful analysis shows C", "Answer: [C]", "C because it is prime"),
    "A": ("A", "A is correct"),
    "D": ("The correct option is (D).",),
    "E": ("A strictly larger bound holds.",),
    "": ("A or B", "Both A and C", "I choose B, not A", "A bound", "F", "none", ""),
}  # fmt: skip


@pytest.mark.parametrize(("label", "text"), [(label, text) for label, texts in MEANT.items() for text in texts])
def test_an_answer_is_read_however_it_is_written(label: str, text: str) -> None:
    data = {"choices": CLAIMS, "correct": label or "A", "meta": "", "month": "202511"}
    found = grade(Task(id="t", data=data), f"<think>A</think> So <answer>{text}</answer>")
    assert (found.extra["predicted_label"], found.hard) == (label, float(bool(label)))


def test_an_unclosed_tag_and_a_last_line_are_read_too() -> None:
    task = Task(id="t", data={"choices": CLAIMS, "correct": "B", "meta": "", "month": ""})
    assert grade(task, "hm <answer>B").hard == 1.0
    assert grade(task, "It follows that\nthe answer is B.").hard == 1.0
    assert grade(task, "A careful analysis shows B").extra["parse_rule"] == "unparsed"


def test_a_wrong_or_unreadable_answer_is_told_with_both_texts(tmp_path: Path) -> None:
    env = bench(tmp_path)
    task = every(env)[0]
    right = task.data["correct"]
    wrong = next(label for label in task.data["choices"] if label != right)
    rollout, _ = asked(env, task, f"<answer>{wrong}</answer>", tmp_path)
    texts = task.data["choices"]
    assert rollout.feedback == f"predicted {wrong} ({texts[wrong]}), but the right choice is {right} ({texts[right]})"
    assert (rollout.extra["predicted_text"], rollout.extra["correct_text"]) == (texts[wrong], texts[right])
    assert asked(env, task, "<answer>A or B</answer>", tmp_path)[0].feedback.startswith("unparsed choice 'A or B'")


def test_theorem_and_sketch_are_hidden_unless_asked_for_and_known_to_the_teacher(tmp_path: Path) -> None:
    env = bench(tmp_path)
    task = every(env)[0]
    theorem, sketch = task.data["theorem"], task.data["sketch"]
    [prompt] = asked(env, task, "x", tmp_path)[1].prompts
    assert theorem not in prompt and sketch not in prompt
    assert env.reference(task) == f"Theorem: {theorem}\n\nProof sketch: {sketch}"
    shown = bench(tmp_path, use_theorem=True, use_sketch=True)
    [prompt] = asked(shown, task, "x", tmp_path)[1].prompts
    assert f"## Theorem\n\n{theorem}\n\n## Proof sketch\n\n{sketch}" in prompt


def test_a_question_is_asked_as_it_is_with_its_latex(tmp_path: Path) -> None:
    data = {
        "choices": {"A": r"$\{x\}$", "B": r"$\frac{1}{2}$"},
        "correct": "A",
        "theorem": "",
        "sketch": "",
        "month": "",
    }
    task = Task(id="t", data={"question": r"Is $\{\{x\}\} % {z}$?", "meta": "", **data})
    [prompt] = asked(bench(tmp_path), task, "x", tmp_path)[1].prompts
    assert prompt.strip() == (
        "## Question\n\nIs $\\{\\{x\\}\\} % {z}$?\n\n## Choices\n\nA. $\\{x\\}$\nB. $\\frac{1}{2}$"
    )


def test_further_turns_keep_the_question_and_end_with_a_tag(tmp_path: Path) -> None:
    env = bench(tmp_path, max_turns=5)
    task = every(env)[0]
    replies = iter(["not sure", env.gold(task), "never asked"])
    student = EchoStudent(lambda _: next(replies))
    rollout = env.run(task, skill=Skill(""), student=student, workdir=tmp_path)
    assert (rollout.hard, rollout.extra["n_turns"]) == (1.0, 2)
    assert task.data["question"] in student.prompts[1] and "## Previous attempt 1\n\nnot sure" in student.prompts[1]


def test_missing_data_say_what_would_do_and_that_none_are_bundled(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        LiveMathematicianBench(LiveMathConfig(split_dir=str(tmp_path / "nowhere")))
    told = str(caught.value)
    assert all(
        word in told for word in ("nowhere: no such folder", "qa_<YYYYMM>_final.json", "licence", "reflact data")
    )


def test_a_local_copy_is_a_source_and_the_net_is_not(tmp_path: Path) -> None:
    bench(tmp_path)
    assert len({row["id"] for row in rows(tmp_path / "raw")}) == 48
    with pytest.raises(DataError, match="cannot be fetched by a program: ask its authors"):
        list(rows(None))


@pytest.mark.parametrize("skill", ["", " \n"])
def test_a_blank_skill_leaves_no_heading(skill: str) -> None:
    assert "## Skill" not in system(skill)


def test_a_skill_gets_into_the_system_prompt_unchanged() -> None:
    skill = "{x} {{y}} {% z %} $w \\n \r\n</answer> 東"
    assert system(skill).endswith(f"## Skill\n\n{skill}")


def system(skill: str) -> str:
    root = files("reflact_env_livemathematicianbench") / "prompts"
    return Templates(root).render("student.md.j2", skill=skill)
