"""All faults at once, each with its place, its key and what to do."""

from collections.abc import Callable
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest
from reflact.config import load
from reflact.errors import ConfigError, PluginError
from reflact.plugins import Plugins

Faults = Callable[..., list[str]]


def test_all_faults_are_told_at_once_with_their_lines(
    plugins: Plugins, write: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write(
        "configs/run.yaml",
        """
        env: {name: capitals, polit: true}
        train:
          num_epochs: many
          batch_sise: 40
          learning_rate: 3
        optimzer:
          learning_rate: 4
        optimizer: {lr_scheduler: cosin}
        model:
          teacher_backend: codex_exec
          student: {backend: claude_chat, effort: low}
        """,
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        load(Path("configs/run.yaml"), overrides=["gradient.minibatch_size=x", "polite=1"], plugins=plugins)
    assert str(caught.value).splitlines() == [
        "configs/run.yaml:6: unknown key 'optimzer'. Did you mean 'optimizer'?",
        "command line: unknown key 'polite'. Did you mean 'env.polite'?",
        "configs/run.yaml:3: train.num_epochs: input should be a valid integer (got 'many')",
        "configs/run.yaml:4: unknown key 'train.batch_sise'. Did you mean 'train.batch_size'?",
        "configs/run.yaml:5: unknown key 'train.learning_rate'. Did you mean 'optimizer.learning_rate'?",
        "command line: gradient.minibatch_size: input should be a valid integer (got 'x')",
        "configs/run.yaml:8: optimizer.lr_scheduler: input should be 'constant', 'linear' or 'cosine' (got 'cosin')",
        "configs/run.yaml:1: unknown key 'env.polit'. Did you mean 'env.polite'?",
        "configs/run.yaml:10: model.teacher_backend: 'codex_exec' is a command-line agent and cannot be the teacher; "
        "use one of: claude_chat, openai_chat, pair_exec",
        "configs/run.yaml:11: unknown key 'model.student.effort'. Known: model.student.concurrency, "
        "model.student.hedge_after_s, model.student.max_retries, model.student.max_wait_s, model.student.model, "
        "model.student.timeout_s.",
    ]


def test_a_mapping_for_a_models_name_is_one_fault(faults: Faults) -> None:
    (line,) = faults(model={"teacher": {"model": {"a": 1}}})
    assert line == "given: model.teacher.model: input should be a valid string (got {'a': 1})"


def test_a_key_far_from_any_other_is_told_all_there_are(faults: Faults) -> None:
    (line,) = faults(train={"zzz": 1})
    assert line == (
        "given: unknown key 'train.zzz'. Known: train.accumulation, train.batch_size, train.num_epochs, train.seed, "
        "train.train_size."
    )


def test_a_key_of_the_core_misspelt_in_section_env_is_recognised(faults: Faults) -> None:
    assert faults(env={"worker": 3}) == ["given: unknown key 'env.worker'. Did you mean 'env.workers'?"]


def test_a_secret_is_never_repeated(faults: Faults) -> None:
    (line,) = faults(model={"teacher": {"api_key": ["sk-123"]}})
    assert "sk-123" not in line
    assert "a hidden value" in line


def test_a_stray_key_far_from_any_other_is_told_the_sections(faults: Faults) -> None:
    (line,) = faults(zzz=1)
    assert line == (
        "given: unknown key 'zzz'. Known: budget, cache, env, evaluation, gradient, model, optimizer, prices, prompts, "
        "train."
    )


@pytest.mark.parametrize(("section", "key"), [("env", "name"), ("model", "backend"), ("model", "teacher_backend")])
def test_a_name_that_is_a_list_is_one_fault(faults: Faults, section: str, key: str) -> None:
    (line,) = faults(**{section: {key: ["capitals"]}})
    assert line == f"given: {section}.{key}: input should be a valid string (got ['capitals'])"


def test_a_section_that_is_no_mapping_is_named(faults: Faults) -> None:
    assert faults(train=[1]) == ["given: train: a section is a mapping of keys"]


def test_a_dotted_key_in_a_file_is_explained(faults: Faults) -> None:
    (line,) = faults(**{"train.seed": 1})
    assert line == "given: train.seed: a dotted key is for the command line; in a file, nest it below its section"


def test_a_run_without_an_env_is_told_which_there_are(plugins: Plugins) -> None:
    with pytest.raises(
        ConfigError, match=r"env\.name: missing; .* \(capitals, judged, picky, strict, surfing, talks\)"
    ):
        load(None, plugins=plugins)


def test_an_unknown_env_is_named_with_the_nearest(plugins: Plugins) -> None:
    with pytest.raises(ConfigError, match=r"command line: env\.name: unknown env 'capitols'\. Did you mean 'capitals'"):
        load(None, overrides=["env.name=capitols"], plugins=plugins)


def test_a_value_no_file_could_hold_is_refused(faults: Faults) -> None:
    (line,) = faults(env={"polite": object})
    assert line.startswith("a config cannot hold a type")


def test_only_the_named_components_are_imported(tmp_path: Path, fakes: object) -> None:
    info = tmp_path / "broken-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[reflact.envs]\nbroken = no_such_module\n", encoding="utf-8")
    plugins = Plugins([distribution("reflact-core"), *distributions(path=[str(tmp_path)])])
    plugins.register(fakes)
    assert load(None, overrides=["env.name=capitals"], plugins=plugins).env_spec.name == "capitals"
    with pytest.raises(PluginError, match="no_such_module"):
        load(None, overrides=["env.name=broken"], plugins=plugins)
