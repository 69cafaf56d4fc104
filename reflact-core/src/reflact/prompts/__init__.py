"""The prompt packs that come with the core, registered as any plugin would."""

from importlib.resources import files

from reflact.contracts import PromptPack
from reflact.hookspecs import hookimpl


@hookimpl
def reflact_prompts() -> list[PromptPack]:
    """Return the built-in packs."""
    root = files("reflact.prompts")
    return [
        PromptPack(name="default", root=root / "default", summary="for capable models"),
        PromptPack(name="small", root=root / "small", summary="for models of a billion parameters and below"),
    ]
