"""The makers' own SDKs take the fake server for theirs."""

from contextlib import suppress

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


SEARCHED = FakeReply(text="Seven.", searches=("moons of Tarn",), sources=("https://example.org/a",))


def test_openai_reads_what_the_server_searched_for_and_cites() -> None:
    ask = {"model": "m", "input": "Where?", "tools": [{"type": "web_search"}]}
    with (
        FakeModelServer(lambda _: SEARCHED) as server,
        openai.OpenAI(base_url=f"{server.url}/v1", api_key="k") as client,
    ):
        with client.responses.stream(**ask) as stream:
            types = [one.type for one in stream]
            last = stream.get_final_response()
        whole = client.responses.create(**ask)
    for got in (whole, last):
        search, message = got.output
        assert (search.type, search.action.query) == ("web_search_call", "moons of Tarn")
        assert [one.url for one in message.content[0].annotations] == ["https://example.org/a"]
    assert {"response.web_search_call.searching", "response.output_text.annotation.added"} <= set(types)


def test_anthropic_reads_what_the_server_searched_for_and_cites() -> None:
    tools = [{"type": "web_search_20250305", "name": "web_search"}]
    ask = {"model": "m", "messages": ASK, "max_tokens": 99, "tools": tools}
    with (
        FakeModelServer(lambda _: SEARCHED) as server,
        anthropic.Anthropic(base_url=server.url, api_key="k") as client,
    ):
        with client.messages.stream(**ask) as stream:
            last = stream.get_final_message()
        whole = client.messages.create(**ask)
    for got in (whole, last):
        search, found, text = got.content
        assert (search.type, search.input) == ("server_tool_use", {"query": "moons of Tarn"})
        assert [one.url for one in found.content] == ["https://example.org/a"]
        assert [one.url for one in text.citations] == ["https://example.org/a"]
        assert got.usage.server_tool_use.web_search_requests == 1


def test_a_script_that_searches_unasked_fails() -> None:
    with pytest.raises(ValueError, match="offers no 'web_search' tool"), FakeModelServer(lambda _: SEARCHED) as server:
        client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0)
        with client, suppress(openai.BadRequestError):
            client.responses.create(model="m", input="Where?")


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
