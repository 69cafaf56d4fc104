"""The folder of the user's that outlives runs: whatever is kept there can be had again."""

from pathlib import Path

from platformdirs.unix import Unix


def cache_folder() -> Path:
    """Return the user's cache folder of ReflACT: `reflact` in `$XDG_CACHE_HOME` if that is an absolute path.

    Else it is in `~/.cache`, on every system (XDG Base Directory Specification 0.8). It need not be there.
    """
    folder = Unix("reflact").user_cache_path
    return folder if folder.is_absolute() else Path.home() / ".cache" / "reflact"
