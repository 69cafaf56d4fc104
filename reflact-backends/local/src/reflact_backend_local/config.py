"""What a role's section may say when its backend is `local_chat`."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator
from reflact.config.schema import Config
from reflact.errors import unknown

from reflact_backend_local.catalog import CATALOG, DEFAULT


class LocalConfig(Config):
    """An embedded model. Sections that agree on model, path, threads, parallel, context and cache share one server."""

    model: str = DEFAULT
    """A pinned model, fetched when missing; or, together with `path`, any name for a GGUF of your own."""
    path: str = ""
    """A GGUF file given by hand. Under a pinned model's name it must be that very file (its SHA-256 is checked)."""
    threads: int = Field(default=0, ge=0)
    """CPU threads; 0 takes the cores this process may use, at most 2. More than are free makes it far slower."""
    parallel: int = Field(default=4, ge=1, le=64)
    """Calls computed side by side; further calls wait for a slot."""
    context: int = Field(default=2048, ge=128)
    """Tokens a call may hold, prompt and reply together; each parallel slot gets as many."""
    temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    """Used where a request names none; 0 always picks the likeliest token."""
    max_tokens: int = Field(default=512, ge=1)
    """Tokens of a reply, and the most a request may ask for."""
    timeout_s: float = Field(default=300.0, gt=0)
    """Seconds a call may take once it has a slot; checked at every token and every block of the prompt."""
    cache_ram_mib: int = Field(default=512, ge=0)
    """Memory for prompt prefixes kept beyond the slots, in MiB; 0 keeps none."""
    seed: int = Field(default=42, ge=0, lt=2**31)
    """Seed of the sampling when the temperature is above 0; the n-th of equal requests uses seed + n."""

    @model_validator(mode="after")
    def _has_weights(self) -> Self:
        if not self.path and self.model not in CATALOG:
            raise ValueError(f"{unknown('local model', self.model, CATALOG)} A model of your own needs `path`, a GGUF.")
        if self.max_tokens >= self.context:
            raise ValueError(
                f"max_tokens {self.max_tokens} leaves no room for a prompt in context {self.context}; raise context."
            )
        return self
