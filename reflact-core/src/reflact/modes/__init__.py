"""The update modes that come with the core, registered as any plugin would."""

from reflact.contracts import UpdateModeSpec
from reflact.hookspecs import hookimpl
from reflact.modes.full_rewrite import FullRewrite
from reflact.modes.patch import Patch
from reflact.modes.rewrite import Rewrite


@hookimpl
def reflact_update_modes() -> list[UpdateModeSpec]:
    """Return the built-in modes."""
    return [
        UpdateModeSpec(name="patch", build=Patch, summary="bounded edits, applied one by one"),
        UpdateModeSpec(name="rewrite_from_suggestions", build=Rewrite, summary="suggestions, then one new document"),
        UpdateModeSpec(name="full_rewrite_minibatch", build=FullRewrite, summary="a new document per minibatch"),
    ]
