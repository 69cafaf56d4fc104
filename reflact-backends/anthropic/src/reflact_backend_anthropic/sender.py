"""Sending through the SDK: one call is one attempt, and what comes back is an `Answer` whatever its status."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

import httpx2
from anthropic import Anthropic, APIConnectionError, APIResponseValidationError, APIStatusError, APITimeoutError
from reflact.llm.complaints import causes
from reflact.llm.http import Reporter
from reflact.llm.http.post import NOTHING, Answer

MESSAGES = "/v1/messages"


class Sender:
    """Posts messages with *client*, for many threads at once."""

    def __init__(self, report: Reporter, *, client: Anthropic) -> None:
        self._report = report
        self._client = client
        self._finalizer = weakref.finalize(self, client.close)

    def post(self, body: Mapping[str, Any]) -> Answer:
        """Return the answer to *body*, whatever its status. Raises `BackendError` when there is none."""
        try:
            got = self._client.post(MESSAGES, body=dict(body), cast_to=httpx2.Response)
            return Answer(got.status_code, NOTHING, got.content)
        except APITimeoutError as error:
            raise self._late(error) from None
        except APIConnectionError as error:
            last = list(causes(error))[-1]
            raise self._report.unreached(str(last) or type(last).__name__) from None
        except (APIStatusError, APIResponseValidationError) as error:
            return _answer(error.response)

    def close(self) -> None:
        """Close the connections."""
        self._finalizer()

    def _late(self, error: APITimeoutError) -> Exception:
        if isinstance(error.__cause__, httpx2.ConnectTimeout):
            return self._report.unreached("no connection in time")
        return self._report.late()


def _answer(response: httpx2.Response) -> Answer:
    headers = {name.lower(): text for name, text in response.headers.items()}
    return Answer(response.status_code, headers, response.content)
