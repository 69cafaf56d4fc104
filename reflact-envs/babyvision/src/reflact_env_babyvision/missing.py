"""What to say to someone whose BabyVision data are not there."""

from pathlib import Path

from reflact_env_babyvision.config import BabyVisionConfig

META = "meta_data.jsonl"


def wanted(config: BabyVisionConfig) -> str:
    """Return what *config* should point at, where to get it, and where it lies if it is near."""
    told = (
        f"no BabyVision data come with this package: a folder with {META} and images/ is expected, as in "
        "data/babyvision_data.zip of the repository UniPat-AI/BabyVision or made from the data set UnipatAI/BabyVision "
        "by `reflact data get babyvision --out FOLDER`. Set env.data_path to it, or "
        "env.split_mode=split_dir and env.split_dir to prepared splits"
    )
    near = _near(Path(config.data_path)) if config.data_path else None
    return f"{told}. There is {near / META}: did you mean env.data_path={near}?" if near else told


def _near(given: Path) -> Path | None:
    around = (given.parent, given.parent.parent, given / "babyvision_data", given / "data" / "babyvision_data")
    return next((one for one in around if (one / META).is_file() and one != given), None)
