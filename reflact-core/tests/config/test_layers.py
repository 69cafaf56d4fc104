"""Files inherit, the command line comes on top, and every key knows where it came from."""

from collections.abc import Callable
from pathlib import Path

import pytest
from reflact.config import Resolved, load
from reflact.config.layers import layer, merge, nest, override_layer
from reflact.errors import ConfigError
from reflact.plugins import Plugins

Loaded = Callable[..., Resolved]
Write = Callable[[str, str], Path]


def test_mappings_are_merged_and_lists_are_replaced() -> None:
    base = layer({"a": {"b": 1, "c": [1, 2], "d": {"e": 1}}}, place="base")
    child = layer({"a": {"c": [3], "d": {"f": 2}}}, place="child")
    assert nest(merge([base, child])) == {"a": {"b": 1, "c": [3], "d": {"e": 1, "f": 2}}}


def test_a_mapping_and_a_scalar_replace_each_other() -> None:
    mapping, scalar = layer({"a": {"b": {"c": 1}}}, place="x"), layer({"a": {"b": 2}}, place="y")
    assert nest(merge([mapping, scalar])) == {"a": {"b": 2}}
    assert nest(merge([scalar, mapping])) == {"a": {"b": {"c": 1}}}


def test_an_empty_mapping_takes_nothing_away() -> None:
    assert nest(merge([layer({"a": {"b": 1}}, place="x"), layer({"a": {}}, place="y")])) == {"a": {"b": 1}}


def test_a_config_inherits_relative_to_itself(plugins: Plugins, write: Write) -> None:
    write("_base_/default.yaml", "train: {batch_size: 3, seed: 1}")
    path = write("deep/er/run.yaml", "_base_: ../../_base_/default.yaml\nenv: {name: capitals}\ntrain: {seed: 2}")
    train = load(path, plugins=plugins).run.train
    assert (train.batch_size, train.seed) == (3, 2)


def test_of_several_bases_the_later_wins(plugins: Plugins, write: Write) -> None:
    write("one.yaml", "train: {batch_size: 3, seed: 1}")
    write("two.yaml", "train: {batch_size: 4}")
    path = write("run.yaml", "_base_: [one.yaml, two.yaml]\nenv: {name: capitals}")
    train = load(path, plugins=plugins).run.train
    assert (train.batch_size, train.seed) == (4, 1)


def test_a_base_may_be_reached_twice(plugins: Plugins, write: Write) -> None:
    write("root.yaml", "env: {name: capitals}")
    write("left.yaml", "_base_: root.yaml\ntrain: {seed: 7}")
    write("right.yaml", "_base_: root.yaml")
    path = write("run.yaml", "_base_: [left.yaml, right.yaml]")
    assert load(path, plugins=plugins).run.train.seed == 7


def test_a_circle_of_bases_is_named(plugins: Plugins, write: Write) -> None:
    write("a.yaml", "_base_: b.yaml")
    path = write("b.yaml", "_base_: a.yaml")
    with pytest.raises(ConfigError, match=r"goes in a circle: .*b\.yaml -> .*a\.yaml -> .*b\.yaml"):
        load(path, plugins=plugins)


def test_a_missing_base_is_named_with_its_line(plugins: Plugins, write: Write) -> None:
    path = write("run.yaml", "env: {name: capitals}\n_base_: gone.yaml")
    with pytest.raises(ConfigError, match=r"run\.yaml:2: _base_: no file at .*gone\.yaml"):
        load(path, plugins=plugins)


@pytest.mark.parametrize("base", ["5", "[a.yaml, 5]", "{a: b}", "''"])
def test_a_base_that_is_no_path_is_refused(plugins: Plugins, write: Write, base: str) -> None:
    path = write("run.yaml", f"_base_: {base}")
    with pytest.raises(ConfigError, match=r"run\.yaml:1: _base_"):
        load(path, plugins=plugins)


def test_an_override_beats_the_file_and_the_last_one_wins(loaded: Loaded) -> None:
    found = loaded("env: {name: capitals}\ntrain: {seed: 1}", "train.seed=2", "train.seed=3")
    assert found.run.train.seed == 3


@pytest.mark.parametrize(
    ("override", "value"),
    [
        ("a.b=2:1:7", "2:1:7"),
        ("a.b=[1, 2]", [1, 2]),
        ("a.b=none", "none"),
        ("a.b=", ""),
        ("a.b=x=y", "x=y"),
        ("a.b= 1e3 ", 1000.0),
        ("a.b='5'", "5"),
    ],
)
def test_an_override_is_read_like_a_file(override: str, value: object) -> None:
    assert nest(override_layer(override, rank=1)) == {"a": {"b": value}}


def test_an_override_reaches_any_depth() -> None:
    assert nest(override_layer("env.hints.France.city=Paris", rank=1)) == {
        "env": {"hints": {"France": {"city": "Paris"}}}
    }


@pytest.mark.parametrize("text", ["train.seed", "=3", "train.=3", ".seed=3"])
def test_an_override_without_key_or_value_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"write section\.key=value"):
        override_layer(text, rank=1)


def test_an_override_that_is_no_yaml_says_how_to_quote_it() -> None:
    with pytest.raises(ConfigError, match=r"command line: env\.data_path.*put it in quotes"):
        override_layer("env.data_path=*.json", rank=1)


def test_a_base_on_the_command_line_is_refused() -> None:
    with pytest.raises(ConfigError, match="give the config file itself"):
        override_layer("_base_=x.yaml", rank=1)


def test_every_key_has_an_origin(loaded: Loaded, tmp_path: Path) -> None:
    found = loaded(
        "_base_: base.yaml\nenv:\n  name: capitals\n  polite: true\n",
        "train.seed=3",
        base="model:\n  student: {effort: low}\n",
    )
    assert found.origins["env.polite"] == f"{tmp_path}/run.yaml:4"
    assert found.origins["model.student.effort"] == f"{tmp_path}/base.yaml:2"
    assert found.origins["train.seed"] == "command line"
    assert found.origins["train.batch_size"] == "default"


def test_a_run_needs_no_file(plugins: Plugins) -> None:
    found = load(None, overrides=["env.name=capitals", "env.data_path=x.json"], plugins=plugins)
    assert found.source is None
    assert found.run.env.name == "capitals"


def test_an_empty_section_is_as_good_as_none(loaded: Loaded) -> None:
    assert loaded("env: {name: capitals}\ntrain:\nmodel: {judge: , teacher: }\n").run.train.seed == 42
