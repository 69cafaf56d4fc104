"""Plugins: found without an import, loaded by name, refused with a reason."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest
from reflact import EnvSpec, PromptPack, RunInfo, UpdateModeSpec, hookimpl
from reflact.config.schema import Config
from reflact.errors import ConfigError, PluginError
from reflact.plugins import Plugins

MODULE = """
    from reflact import EnvSpec, hookimpl
    from reflact.config.schema import Config

    @hookimpl
    def reflact_envs():
        return [EnvSpec(name=name, config=Config, build=Config, summary=__name__) for name in {names!r}]
"""


class Site:
    """A folder of installed distributions, importable as long as the test runs."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def install(self, name: str, entries: str, *, version: str = "1.0", **modules: str) -> None:
        """Install distribution *name* with *entries*, the text of its `entry_points.txt`, and modules by name."""
        info = self.path / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(textwrap.dedent(entries))
        for module, source in modules.items():
            (self.path / f"{module}.py").write_text(textwrap.dedent(source))

    def plugins(self) -> Plugins:
        """Look for plugins in this folder only."""
        return Plugins(distributions(path=[str(self.path)]))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    before = set(sys.modules)
    yield Site(tmp_path / "site")
    for name in set(sys.modules) - before:
        del sys.modules[name]


def env(name: str, summary: str = "") -> EnvSpec:
    return EnvSpec(name=name, config=Config, build=lambda _: None, summary=summary)  # type: ignore[arg-type, return-value]


def test_a_plugin_is_found_and_loaded_by_name(site: Site) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one\n", plugin_one=MODULE.format(names=["one"]))
    plugins = site.plugins()
    assert plugins.names("envs") == ["one"]
    assert plugins.get("envs", "one").summary == "plugin_one"
    assert plugins.get("envs", "one") is plugins.get("envs", "one")


def test_listing_imports_no_plugin(site: Site) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one\n[reflact.observers]\nsee = plugin_one\n")
    (site.path / "plugin_one.py").write_text("raise SystemExit('imported')")
    code = """
        import sys
        from reflact import Plugins
        plugins = Plugins()
        assert "one" in plugins.names("envs"), plugins.names("envs")
        assert [str(one) for one in plugins.announced() if one.name == "see"] == ["observer 'see' (env-one 1.0)"]
        assert not [name for name in sys.modules if name.startswith(("plugin_one", "reflact_env", "pydantic"))]
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={"PYTHONPATH": str(site.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_only_the_named_plugin_is_imported(site: Site) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one\n", plugin_one=MODULE.format(names=["one"]))
    site.install("env-two", "[reflact.envs]\ntwo = plugin_two\n", plugin_two="raise RuntimeError")
    assert site.plugins().get("envs", "one").name == "one"
    assert "plugin_two" not in sys.modules


def test_an_unknown_name_is_told_with_the_nearest(site: Site) -> None:
    site.install("env-capitals", "[reflact.envs]\ncapitals = plugin_capitals\n")
    with pytest.raises(ConfigError, match=r"^unknown env 'capitols'\. Did you mean 'capitals'\?$"):
        site.plugins().get("envs", "capitols")
    with pytest.raises(ConfigError, match=r"^unknown backend 'x'\. Known: none\.$"):
        site.plugins().get("backends", "x")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_library", "No module named 'no_such_library'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise ValueError", "ValueError: "),
        ("def", "SyntaxError: invalid syntax"),
    ],
)
def test_a_plugin_that_fails_to_load_is_named_with_its_distribution(site: Site, source: str, reason: str) -> None:
    site.install("reflact-env-swe", "[reflact.envs]\nswe = plugin_swe\n", version="0.1.0", plugin_swe=source)
    with pytest.raises(PluginError) as caught:
        site.plugins().get("envs", "swe")
    assert str(caught.value).startswith(f"env 'swe' (reflact-env-swe 0.1.0) failed to load: {reason}")


def test_an_entry_that_names_nothing_in_its_module_fails_to_load(site: Site) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one:Missing\n", plugin_one="")
    with pytest.raises(PluginError, match=r"env 'one' \(env-one 1\.0\) failed to load: .*Missing"):
        site.plugins().get("envs", "one")


def test_a_name_that_is_announced_but_not_returned_is_refused(site: Site) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one\n", plugin_one=MODULE.format(names=["other"]))
    plugins = site.plugins()
    for _ in range(2):
        with pytest.raises(PluginError, match=r"env 'one' \(env-one 1\.0\) is announced but .* reflact_envs does not"):
            plugins.get("envs", "one")


def test_a_name_of_two_distributions_is_refused_with_both(site: Site) -> None:
    for letter in "ab":
        entries = f"[reflact.envs]\none = plugin_{letter}\n"
        site.install(f"env-{letter}", entries, version=f"{ord(letter)}", **{f"plugin_{letter}": "raise SystemExit"})
    with pytest.raises(PluginError) as caught:
        site.plugins().get("envs", "one")
    told = str(caught.value)
    assert told.startswith("env 'one' is provided more than once: ") and told.endswith(". Keep only one of them.")
    assert "env-a 97" in told and "env-b 98" in told
    assert site.plugins().names("envs") == ["one"]


def test_an_observer_of_two_distributions_is_refused_unless_it_is_disabled(site: Site) -> None:
    for letter in "ab":
        site.install(f"see-{letter}", f"[reflact.observers]\nsee = plugin_{letter}\n", **{f"plugin_{letter}": ""})
    with pytest.raises(PluginError, match="observer 'see' is provided more than once"):
        site.plugins().observers()
    assert site.plugins().observers(disabled=frozenset({"see"}))


def test_a_distribution_that_is_found_twice_counts_once(site: Site) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one\n", plugin_one=MODULE.format(names=["one"]))
    plugins = Plugins(distributions(path=[str(site.path), str(site.path)]))
    assert plugins.get("envs", "one").name == "one"


def test_what_a_distribution_does_not_announce_it_cannot_slip_in(site: Site) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one\n", plugin_one=MODULE.format(names=["one", "two"]))
    site.install("env-two", "[reflact.envs]\ntwo = plugin_two\n", plugin_two=MODULE.format(names=["two"]))
    plugins = site.plugins()
    assert plugins.get("envs", "two").summary == "plugin_two"
    plugins.get("envs", "one")
    assert plugins.get("envs", "two").summary == "plugin_two"


@pytest.mark.parametrize("entries", [b"[reflact.envs]\nno equals sign\n", b"\xff\xfe[broken", b"nonsense"])
def test_a_broken_distribution_of_a_stranger_does_no_harm(site: Site, entries: bytes) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one\n", plugin_one=MODULE.format(names=["one"]))
    site.install("broken", "")
    (site.path / "broken-1.0.dist-info" / "entry_points.txt").write_bytes(entries)
    assert site.plugins().get("envs", "one").name == "one"


def test_a_distribution_without_metadata_can_still_be_named(site: Site) -> None:
    site.install("env-one", "[reflact.envs]\none = plugin_one\n", plugin_one="1 / 0")
    (site.path / "env_one-1.0.dist-info" / "METADATA").unlink()
    with pytest.raises(PluginError, match=r"env 'one' \(a distribution without metadata\) failed to load"):
        site.plugins().get("envs", "one")


def test_one_module_may_provide_several_kinds(site: Site) -> None:
    source = textwrap.dedent(MODULE.format(names=["one"])) + textwrap.dedent("""
            from pathlib import Path
            from reflact import PromptPack

            @hookimpl
            def reflact_prompts():
                return [PromptPack(name="one", root=Path("."))]
        """)
    site.install(
        "env-one", "[reflact.envs]\none = plugin_one\n[reflact.prompts]\none = plugin_one\n", plugin_one=source
    )
    plugins = site.plugins()
    assert isinstance(plugins.get("prompts", "one"), PromptPack)
    assert isinstance(plugins.get("envs", "one"), EnvSpec)


class Listener:
    """An observer that takes no argument."""

    def __init__(self) -> None:
        self.heard = 0

    @hookimpl
    def reflact_run_started(self) -> None:
        self.heard += 1


def test_observers_are_loaded_unless_disabled_and_may_take_fewer_arguments(site: Site, tmp_path: Path) -> None:
    source = """
        from reflact import hookimpl
        heard = []

        @hookimpl
        def reflact_run_started(run):
            heard.append(run.env)
    """
    site.install("see", "[reflact.observers]\nsee = plugin_see\n", plugin_see=source)
    info = RunInfo(out_root=tmp_path, env="one", config={}, total_steps=1, epochs=1, sizes={})
    listener = Listener()
    plugins = site.plugins()
    plugins.register(listener)
    plugins.observers().reflact_run_started(run=info)
    assert (listener.heard, sys.modules["plugin_see"].heard) == (1, ["one"])
    quiet = site.plugins()
    quiet.observers(disabled=frozenset({"see"})).reflact_run_started(run=info)
    assert sys.modules["plugin_see"].heard == ["one"]


def test_disabling_an_observer_nobody_has_is_refused(site: Site) -> None:
    site.install("see", "[reflact.observers]\nconsole = plugin_see\n")
    with pytest.raises(ConfigError, match=r"unknown observer 'consol'\. Did you mean 'console'"):
        site.plugins().observers(disabled=frozenset({"consol"}))


class Provides:
    """A plugin whose env hook returns what it was given."""

    def __init__(self, *specs: object) -> None:
        self.specs = specs

    @hookimpl
    def reflact_envs(self) -> Iterable[object]:
        return self.specs


def none_installed() -> Plugins:
    return Plugins([])


def test_an_object_can_be_registered() -> None:
    plugins = none_installed()
    plugins.register(Provides(env("one"), env("two")), label="mine")
    assert plugins.names("envs") == ["one", "two"]
    assert plugins.get("envs", "two").name == "two"
    assert [str(one) for one in plugins.announced()] == ["env 'one' (mine)", "env 'two' (mine)"]


def test_a_registered_name_that_is_taken_is_refused_when_it_is_asked_for() -> None:
    plugins = none_installed()
    plugins.register(Provides(env("one")), label="first")
    plugins.register(Provides(env("one")), label="second")
    with pytest.raises(PluginError, match=r"env 'one' is provided more than once: first, second\. Keep only one"):
        plugins.get("envs", "one")


def test_an_object_that_is_registered_twice_is_refused_and_stays_registered() -> None:
    plugins, mine = none_installed(), Provides(env("one"))
    plugins.register(mine, label="mine")
    with pytest.raises(PluginError, match="plugin mine is registered already"):
        plugins.register(mine, label="mine")
    assert plugins.get("envs", "one").name == "one"
    listener = Listener()
    plugins.register(listener)
    with pytest.raises(PluginError):
        plugins.register(listener)
    plugins.observers().reflact_run_started(run=None)
    assert listener.heard == 1


def test_plugins_of_one_run_are_unknown_to_the_next() -> None:
    none_installed().register(Provides(env("one")))
    assert none_installed().names("envs") == []


class WrongArgument:
    @hookimpl
    def reflact_step_finished(self, rekord: object) -> None: ...


class WrongHook:
    @hookimpl
    def reflact_stepp_finished(self, record: object) -> None: ...


@pytest.mark.parametrize(("plugin", "reason"), [(WrongArgument(), "rekord"), (WrongHook(), "reflact_stepp_finished")])
def test_a_hook_that_does_not_fit_is_refused_at_registration(plugin: object, reason: str) -> None:
    plugins = none_installed()
    with pytest.raises(PluginError, match=rf"plugin mine does not fit the hooks: [\s\S]*{reason}"):
        plugins.register(plugin, label="mine")
    plugins.observers().reflact_step_finished(record=None)
    plugins.register(Provides(env("one")))
    assert plugins.get("envs", "one").name == "one"


def failing() -> Iterable[object]:
    raise ZeroDivisionError("oops")


class Fails:
    @hookimpl
    def reflact_envs(self) -> Iterable[object]:
        return failing()


@pytest.mark.parametrize(
    ("plugin", "reason"),
    [
        (Fails(), "hook reflact_envs failed: ZeroDivisionError: oops"),
        (Provides("one"), "hook reflact_envs returned 'one', not EnvSpecs"),
        (Provides(UpdateModeSpec(name="one", build=Fails)), "not EnvSpecs"),  # type: ignore[arg-type]
    ],
)
def test_a_hook_that_returns_the_wrong_thing_is_refused_and_forgotten(plugin: object, reason: str) -> None:
    plugins = none_installed()
    for _ in range(2):
        with pytest.raises(PluginError) as caught:
            plugins.register(plugin, label="mine")
        assert str(caught.value).startswith("plugin mine: ") and reason in str(caught.value)
    assert plugins.names("envs") == []


def test_a_hook_that_returns_nothing_provides_nothing() -> None:
    class Silent:
        @hookimpl
        def reflact_envs(self) -> None:
            return None

    plugins = none_installed()
    plugins.register(Silent())
    assert plugins.names("envs") == []


def test_a_file_is_a_plugin(tmp_path: Path) -> None:
    file = tmp_path / "capitals.py"
    file.write_text(textwrap.dedent(MODULE.format(names=["capitals"])))
    plugins = none_installed()
    plugins.load_file(file)
    assert plugins.get("envs", "capitals").name == "capitals"
    assert [one.distribution for one in plugins.announced()] == [str(file)]


def missing(at: Path) -> Path:
    return at / "gone.py"


def not_python(at: Path) -> Path:
    (at / "notes.txt").write_text("")
    return at / "notes.txt"


def broken(at: Path) -> Path:
    (at / "broken.py").write_text("import no_such_library")
    return at / "broken.py"


def folder(at: Path) -> Path:
    return at


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (missing, "no plugin file at .*gone.py"),
        (folder, "no plugin file at "),
        (not_python, "notes.txt is not a Python file"),
        (broken, "plugin file .*broken.py failed to load: No module named 'no_such_library'"),
    ],
)
def test_a_file_that_is_no_plugin_is_refused(tmp_path: Path, make: Callable[[Path], Path], reason: str) -> None:
    with pytest.raises(PluginError, match=reason):
        none_installed().load_file(make(tmp_path))
    assert not [name for name in sys.modules if name.startswith("reflact_file_broken")]


def test_two_plugin_files_of_one_name_do_not_replace_each_other(tmp_path: Path) -> None:
    plugins = Plugins([])
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "plugin.py").write_text(
            "from reflact import PromptPack, hookimpl\n"
            "@hookimpl\n"
            f"def reflact_prompts():\n    return [PromptPack(name={name!r}, root=None)]\n"
        )
        plugins.load_file(folder / "plugin.py")
    assert [plugins.get("prompts", name).name for name in ("first", "second")] == ["first", "second"]


def test_the_cores_own_modes_and_prompts_are_plugins_like_any_other() -> None:
    plugins = Plugins()
    assert "patch" in plugins.names("update_modes")
    assert plugins.get("update_modes", "patch").build().payload == "edits"
    assert {"default", "small"} <= set(plugins.names("prompts"))
    assert (plugins.get("prompts", "default").root / "rank.md.j2").is_file()
