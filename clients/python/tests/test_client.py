"""The clients against a real service, whose address and keys are in the environment (client.test.ts sets them)."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from sextant import (
    AsyncSextant,
    KeyRefusedError,
    NotFoundError,
    Sextant,
    SextantError,
    TooFastError,
    UnavailableError,
)

URL = os.environ["SEXTANT_TEST_URL"]
KEY = os.environ["SEXTANT_TEST_KEY"]
WIFI = ["02:00:5e:00:00:d3", "02:00:5e:00:00:d4"]
UNKNOWN = ["02:00:5e:99:99:01", "02:00:5e:99:99:02"]
SEA = {"lat": 0, "lon": -140}


@pytest.fixture
def sextant() -> Iterator[Sextant]:
    with Sextant(URL, KEY) as client:
        yield client


def test_a_device_is_located_by_what_it_hears(sextant: Sextant) -> None:
    first, second = WIFI
    alone = sextant.locate(wifi=WIFI, device="bike")
    levels = [{"macAddress": first, "signalStrength": -60}, {"macAddress": second, "signalStrength": -70}]
    for found in (alone, sextant.locate(wifi=levels, geoname=1)):
        assert abs(found["location"]["lat"] - 1.25) < 0.01
        assert found["accuracy"] > 0
    cell = {"radioType": "lte", "mobileCountryCode": 1, "mobileNetworkCode": 1, "locationAreaCode": 1, "cellId": 256001}
    assert sextant.locate(cells=[cell])["accuracy"] > 0


def test_what_is_not_known_is_said(sextant: Sextant) -> None:
    with pytest.raises(NotFoundError) as caught:
        sextant.locate(wifi=UNKNOWN)
    assert (caught.value.status, caught.value.reason) == (404, "notFound")
    assert caught.value.log_id is not None
    with pytest.raises(NotFoundError):
        sextant.reverse(**SEA)
    assert sextant.search("qqxxyyzz") == []


def test_lists_are_answered_in_their_order(sextant: Sextant) -> None:
    found, missing = sextant.locate_many([{"wifi": WIFI, "device": "a"}, {"wifi": UNKNOWN}])
    assert isinstance(found, dict) and found["accuracy"] > 0
    assert isinstance(missing, NotFoundError)
    town, sea, wrong = sextant.reverse_many([{"lat": 47.141, "lon": 9.521}, SEA, {"lat": 91, "lon": 0}])
    assert isinstance(town, dict) and town["address"]["country_code"] == "li"
    assert isinstance(sea, NotFoundError)
    assert type(wrong) is SextantError


def test_places_by_words_by_parts_and_by_points(sextant: Sextant) -> None:
    assert sextant.search("Vaduz")[0]["name"] == "Vaduz"
    assert len(sextant.search(city="Vaduz", countrycodes=["li", "ch"], limit=1, accept_language="de")) == 1
    assert sextant.reverse(47.141, 9.521, zoom=10)["address"]["country_code"] == "li"


def test_anything_else_is_asked(sextant: Sextant) -> None:
    assert sextant.get("/status", format="json")["status"] == 0
    assert "explain" in sextant.get("/search", q="Vaduz", explain=True)[0]


def test_measurements_are_taken(sextant: Sextant) -> None:
    points = [{"macAddress": mac, "signalStrength": -60} for mac in UNKNOWN]
    sextant.submit([{"position": {"latitude": 52.5, "longitude": 13.4, "accuracy": 10}, "wifiAccessPoints": points}])


def test_a_key_is_refused_and_what_cannot_be_read() -> None:
    for key in ("wrong", os.environ["SEXTANT_TEST_SPENT"]):
        with Sextant(URL, key) as stranger, pytest.raises(KeyRefusedError):
            stranger.search("Vaduz")
    with Sextant(URL, KEY) as client, pytest.raises(SextantError) as caught:
        client.search(viewbox="1,2")
    assert caught.value.status == 400


def test_a_key_that_is_too_fast_asks_again_when_the_service_says_so() -> None:
    slow = os.environ["SEXTANT_TEST_SLOW"]

    async def both() -> list[object]:
        async with AsyncSextant(URL, slow) as client:
            return await asyncio.gather(*(client.search("Vaduz") for _ in range(2)))

    assert len(asyncio.run(both())) == 2
    with Sextant(URL, slow, retries=0) as hasty, pytest.raises(TooFastError):
        for _ in range(2):
            hasty.search("Vaduz")


def test_the_client_that_awaits_answers_as_the_other() -> None:
    async def ask() -> None:
        async with AsyncSextant(URL, KEY) as client:
            located, [place], [found], at = await asyncio.gather(
                client.locate(wifi=WIFI),
                client.search("Vaduz", limit=1),
                client.reverse_many([{"lat": 47.141, "lon": 9.521}]),
                client.reverse(47.141, 9.521),
            )
            assert located["accuracy"] > 0
            assert place["name"] == "Vaduz"
            assert found == at
            [missing] = await client.locate_many([{"wifi": UNKNOWN}])
            assert isinstance(missing, NotFoundError)
            await client.submit([])
            assert (await client.get("/status", format="json"))["status"] == 0
            with pytest.raises(NotFoundError):
                await client.locate(wifi=UNKNOWN)

    asyncio.run(ask())


@pytest.fixture
def failing() -> Iterator[Callable[..., tuple[str, list[str]]]]:
    """Serves answers in turn, the last for ever."""
    servers: list[HTTPServer] = []

    def serve(*answers: tuple[int, dict[str, str], bytes]) -> tuple[str, list[str]]:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, headers, body = answers[min(len(asked), len(answers) - 1)]
                asked.append(self.path)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}", asked

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_server_that_fails_for_a_while_is_asked_again(failing: Callable[..., tuple[str, list[str]]]) -> None:
    busy = (503, {"retry-after": "0"}, b"<h1>busy</h1>")
    url, asked = failing(busy, busy, (200, {}, b"[]"))
    with Sextant(url) as client:
        assert client.search("x") == []
    assert len(asked) == 3


def test_a_server_that_asks_to_wait_too_long_is_not(failing: Callable[..., tuple[str, list[str]]]) -> None:
    url, asked = failing((429, {"retry-after": "3600"}, b"{}"))
    with Sextant(url) as client, pytest.raises(TooFastError):
        client.search("x")
    url, _ = failing((429, {"retry-after": "Fri, 31 Dec 2100 23:59:59 GMT"}, b"{}"))
    with Sextant(url) as client, pytest.raises(TooFastError):
        client.search("x")
    assert len(asked) == 1


def test_a_server_that_fails_for_good_is_unavailable(failing: Callable[..., tuple[str, list[str]]]) -> None:
    url, _ = failing((502, {}, b"<h1>no</h1>"))
    with Sextant(url, retries=1) as client, pytest.raises(UnavailableError) as caught:
        client.search("x")
    assert caught.value.status == 502
    with Sextant("http://127.0.0.1:1", retries=0) as client, pytest.raises(UnavailableError) as caught:
        client.search("x")
    assert (caught.value.status, caught.value.reason) == (0, "unreachable")
