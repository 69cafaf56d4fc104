import asyncio
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest
from reflact.llm.loop import LoopThread


async def nothing() -> None:
    pass


def test_work_is_done_in_the_named_thread_and_its_result_comes_back() -> None:
    async def where() -> str:
        return threading.current_thread().name

    loop = LoopThread("the-loop")
    assert loop.run(where()) == "the-loop"
    loop.close(nothing())


def test_what_the_work_raises_is_raised_where_it_was_asked_for() -> None:
    async def fail() -> None:
        raise LookupError("lost")

    loop = LoopThread("the-loop")
    with pytest.raises(LookupError, match="lost"):
        loop.run(fail())
    loop.close(nothing())


def test_closing_runs_the_last_work_cancels_the_rest_and_ends_the_thread() -> None:
    done: list[str] = []
    started = threading.Event()

    async def long() -> None:
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            done.append("cancelled")
            raise

    async def last() -> None:
        done.append("last")

    loop = LoopThread("the-loop")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(lambda: loop.run(long()))
        assert started.wait(5)
        loop.close(last())
        with pytest.raises(CancelledError):
            asked.result(timeout=5)
    assert done == ["last", "cancelled"]
    assert "the-loop" not in {one.name for one in threading.enumerate()}
