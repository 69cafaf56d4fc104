"""The update modes that come with the core, registered as any plugin would."""

from reflact.contracts import UpdateModeSpec
from reflact.hookspecs import hookimpl
from reflact.modes.patch import Patch


@hookimpl
def reflact_update_modes() -> list[UpdateModeSpec]:
    """Return the built-in modes."""
    return [UpdateModeSpec(name="patch", build=Patch, summary="bounded edits, applied one by one")]
