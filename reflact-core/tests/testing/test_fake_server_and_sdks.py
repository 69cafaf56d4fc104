"""The makers' own SDKs take the fake server for theirs."""

import pytest
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import ToolCall

openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")

CALL = ToolCall(id="c1", name="look", arguments='{"at": 1}')
ASK = [{"role": "user", "content": "Where?"}]


def script(request: FakeRequest) -> FakeReply:
    return FakeReply(text=f"{request.api} of {request.model}", reasoning="hm", tool_calls=(CALL,))


def test_openai_reads_a_response_whole_and_in_parts() -> None:
    with FakeModelServer(script, key="k") as server, openai.OpenAI(base_url=f"{server.url}/v1", api_key="k") as client:
        whole = client.responses.create(model="m", input="Where?")
        with client.responses.stream(model="m", input="Where?") as stream:
            last = stream.get_final_response()
    assert whole.output_text == last.output_text == "responses of m"
    assert [one.type for one in last.output] == ["reasoning", "message", "function_call"]
    assert last.output[2].arguments == CALL.arguments
    assert last.usage.output_tokens == whole.usage.output_tokens > 0


def test_openai_reads_a_chat_in_parts() -> None:
    with FakeModelServer(script, key="k") as server, openai.OpenAI(base_url=f"{server.url}/v1", api_key="k") as client:
        chunks = list(client.chat.completions.create(model="m", messages=ASK, stream=True))
    assert "".join(one.choices[0].delta.content or "" for one in chunks) == "chat_completions of m"


def test_openai_raises_what_fails_in_the_middle_of_a_stream() -> None:
    failing = FakeReply(status=500, message="overheated", late=True)
    with FakeModelServer(lambda _: failing) as server:
        client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0)
        with client, client.responses.stream(model="m", input="Where?") as stream:
            types = [event.type for event in stream]
    assert types[-1] == "response.failed"


def test_azures_client_finds_its_paths() -> None:
    with FakeModelServer(script, key="k") as server:
        client = openai.AzureOpenAI(azure_endpoint=server.url, api_key="k", api_version="2025-04-01-preview")
        with client:
            chat = client.chat.completions.create(model="mine", messages=ASK)
            response = client.responses.create(model="mine", input="Where?")
    assert (chat.choices[0].message.content, response.output_text) == ("chat_completions of mine", "responses of mine")


def test_anthropic_reads_a_message_whole_and_in_parts() -> None:
    with FakeModelServer(script, key="k") as server:
        client = anthropic.Anthropic(base_url=server.url, api_key="k")
        with client:
            whole = client.messages.create(model="m", max_tokens=9, messages=ASK)
            with client.messages.stream(model="m", max_tokens=9, messages=ASK) as stream:
                last = stream.get_final_message()
            tokens = client.messages.count_tokens(model="m", messages=ASK).input_tokens
    for one in (whole, last):
        assert [block.type for block in one.content] == ["thinking", "text", "tool_use"]
    assert tokens == 2
