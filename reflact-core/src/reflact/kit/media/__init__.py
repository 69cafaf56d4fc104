"""Images of tasks: found below a data folder, checked by their headers, opened one task at a time, made fit to send.

An env keeps the *sources* of its images in `Task.data` (a path relative to the data, a data URL, or a record
`{"bytes": base64, "path": name}`) and asks a `Media` for them when it runs the task:

    media = config.media(beside(config))             # config: a section that is a SplitConfig and an ImageConfig
    media.check("images/1.png")                      # while loading: header only; DataError says what is wrong
    pictures = media.open(task.data["images"])       # in run: labelled Image #1, Image #2, … in the order given
    replies = ask_about(pictures, student=student, …)

Needs Pillow (`reflact-core[media]`), which is imported when the first image is looked at.
"""

from reflact.kit.media.asking import ask_about
from reflact.kit.media.config import ImageConfig, beside
from reflact.kit.media.policy import LIMITS, Accept, Send
from reflact.kit.media.source import Source, as_source
from reflact.kit.media.store import Media, Picture, images_of

__all__ = [
    "LIMITS",
    "Accept",
    "ImageConfig",
    "Media",
    "Picture",
    "Send",
    "Source",
    "as_source",
    "ask_about",
    "beside",
    "images_of",
]
