"""How the package meets the framework, the environment and the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest
from reflact import Plugins
from reflact.errors import BackendError, ConfigError
from reflact_backend_local import client
from reflact_backend_local.__main__ import main
from reflact_backend_local.catalog import CATALOG, DEFAULT
from reflact_backend_local.config import LocalConfig


def test_it_is_registered_as_a_chat_backend_for_every_role():
    spec = Plugins().get("backends", "local_chat")
    assert (spec.kind, spec.config, spec.roles) == ("chat", LocalConfig, {"teacher", "student", "judge"})


def test_naming_it_does_not_load_the_inference_library():
    code = "import sys; from reflact import Plugins; Plugins().get('backends', 'local_chat'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "reflact_backend_local" in loaded and "xllamacpp" not in loaded


def test_the_environment_can_name_the_weights(tmp_path, monkeypatch):
    monkeypatch.setenv("REFLACT_LOCAL_GGUF", str(tmp_path / "gone.gguf"))
    with pytest.raises(ConfigError, match=r"gone\.gguf"):
        client.locate(LocalConfig())


def test_the_configured_path_comes_before_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("REFLACT_LOCAL_GGUF", str(tmp_path / "gone.gguf"))
    (tmp_path / "own.gguf").write_bytes(b"GGUF")
    assert client.locate(LocalConfig(model="own", path=str(tmp_path / "own.gguf"))) == tmp_path / "own.gguf"


def test_other_bytes_under_a_pinned_name_are_refused(tmp_path):
    (tmp_path / "other.gguf").write_bytes(b"GGUF")
    with pytest.raises(BackendError, match=CATALOG[DEFAULT].sha256):
        client.locate(LocalConfig(path=str(tmp_path / "other.gguf")))


def test_the_path_command_tells_where_weights_belong_and_whether_they_are_there(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = tmp_path / "reflact" / "weights" / CATALOG[DEFAULT].filename
    assert main(["path"]) == 1
    file.parent.mkdir(parents=True)
    file.touch()
    assert main(["path"]) == 0
    assert capsys.readouterr().out == f"{file}\n" * 2


def test_a_cache_folder_that_is_no_absolute_path_is_ignored(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert main(["path"]) == 1
    assert capsys.readouterr().out == f"{tmp_path}/.cache/reflact/weights/{CATALOG[DEFAULT].filename}\n"


def test_the_about_command_tells_origin_licence_and_size(capsys):
    assert main(["about"]) == 0
    said = capsys.readouterr().out
    assert "478 MB to download, 491 MB on disk" in said
    assert "Qwen team" in said and "Apache License 2.0" in said


def test_the_verify_command_fails_without_weights(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["verify"]) == 4
    assert "no weights at" in capsys.readouterr().err
