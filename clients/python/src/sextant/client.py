"""The clients: one that waits, one that awaits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import httpx

from . import calls
from .calls import PASSING, WAIT, Call, Outcome, Point, outcome_of
from .errors import SextantError

if TYPE_CHECKING:
    from .schema import AccessPoint, Beacon, Cell, Located, Measurement, PlaceJsonV2

T = TypeVar("T")


class _Client:
    """Where the service is, and when it is asked again."""

    def __init__(
        self, url: str, key: str | None = None, *, timeout: float = 10, retries: int = 3, wait_max: float = 30
    ) -> None:
        """A service.

        :param url: as ``https://sextant.example.org``
        :param key: API key; a service may let requests without one act under a key of its own
        :param timeout: of one try, seconds
        :param retries: further tries where the service is busy, or the key too fast
        :param wait_max: seconds that a call waits at most for its next try, whatever ``Retry-After`` says
        """
        headers = {} if key is None else {"x-api-key": key}
        self._settings: dict[str, Any] = {"base_url": url, "headers": headers, "timeout": timeout}
        self._retries = retries
        self._wait_max = wait_max

    @staticmethod
    def _request(call: Call[Any]) -> dict[str, Any]:
        query = {name: value for name, value in call.query.items() if value is not None}
        method = "GET" if call.body is None else "POST"
        return {"method": method, "url": call.path, "params": query, "json": call.body}

    def _wait(self, outcome: Outcome, tries: int) -> float:
        """Seconds until the next try. :raises SextantError: when there is none"""
        if outcome.status not in PASSING or tries >= self._retries or outcome.wait > self._wait_max:
            raise outcome.error() from outcome.cause
        return outcome.wait or WAIT * 2**tries


class Sextant(_Client):
    """A service, asked in turn. Close it, or use it as a context."""

    def __init__(self, url: str, key: str | None = None, **options: Any) -> None:
        super().__init__(url, key, **options)
        self._http = httpx.Client(**self._settings)

    def locate(
        self,
        *,
        wifi: Iterable[AccessPoint | str] = (),
        cells: Iterable[Cell] = (),
        beacons: Iterable[Beacon | str] = (),
        device: str | None = None,
        **others: Any,
    ) -> Located:
        """The position of a device, by what it hears; other members of the request by their names.

        :raises NotFoundError: if nothing is known of what it hears
        """
        return self._ask(calls.locate(wifi, cells, beacons, device, others))

    def locate_many(self, scans: Iterable[Mapping[str, Any]]) -> list[Located | SextantError]:
        """Positions of at most 10,000 scans, in their order; an error in place of one that has none."""
        return self._ask(calls.locate_many(scans))

    def search(self, q: str | None = None, **options: Any) -> list[PlaceJsonV2]:
        """Places by words, or by parts of an address; none is an empty list."""
        return self._ask(calls.search(q, options))

    def reverse(self, lat: float, lon: float, **options: Any) -> PlaceJsonV2:
        """The place at a point. :raises NotFoundError: if there is none"""
        return self._ask(calls.reverse(lat, lon, options))

    def reverse_many(self, points: Sequence[Point], **options: Any) -> list[PlaceJsonV2 | SextantError]:
        """The places at 10,000 points at most, in their order; an error in place of one that has none."""
        return self._ask(calls.reverse_many(points, options))

    def get(self, path: str, **query: Any) -> Any:
        """Any other question, as ``/lookup``, ``/trail``, or a search with ``explain``."""
        return self._ask(calls.get(path, query))

    def submit(self, items: Iterable[Measurement]) -> None:
        """Sends measurements; they are on the service's disk when this returns."""
        self._ask(calls.submit(items))

    def close(self) -> None:
        """Ends the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, call: Call[T]) -> T:
        tries = 0
        while True:
            try:
                outcome = outcome_of(self._http.request(**self._request(call)))
            except httpx.TransportError as cause:
                outcome = Outcome(0, None, 0, cause)
            if 200 <= outcome.status < 300:
                return call.read(outcome.body)
            time.sleep(self._wait(outcome, tries))
            tries += 1


class AsyncSextant(_Client):
    """A service, asked at once from many tasks. Close it, or use it as a context."""

    def __init__(self, url: str, key: str | None = None, **options: Any) -> None:
        super().__init__(url, key, **options)
        self._http = httpx.AsyncClient(**self._settings)

    async def locate(
        self,
        *,
        wifi: Iterable[AccessPoint | str] = (),
        cells: Iterable[Cell] = (),
        beacons: Iterable[Beacon | str] = (),
        device: str | None = None,
        **others: Any,
    ) -> Located:
        """As ``Sextant.locate``."""
        return await self._ask(calls.locate(wifi, cells, beacons, device, others))

    async def locate_many(self, scans: Iterable[Mapping[str, Any]]) -> list[Located | SextantError]:
        """As ``Sextant.locate_many``."""
        return await self._ask(calls.locate_many(scans))

    async def search(self, q: str | None = None, **options: Any) -> list[PlaceJsonV2]:
        """As ``Sextant.search``."""
        return await self._ask(calls.search(q, options))

    async def reverse(self, lat: float, lon: float, **options: Any) -> PlaceJsonV2:
        """As ``Sextant.reverse``."""
        return await self._ask(calls.reverse(lat, lon, options))

    async def reverse_many(self, points: Sequence[Point], **options: Any) -> list[PlaceJsonV2 | SextantError]:
        """As ``Sextant.reverse_many``."""
        return await self._ask(calls.reverse_many(points, options))

    async def get(self, path: str, **query: Any) -> Any:
        """As ``Sextant.get``."""
        return await self._ask(calls.get(path, query))

    async def submit(self, items: Iterable[Measurement]) -> None:
        """As ``Sextant.submit``."""
        await self._ask(calls.submit(items))

    async def close(self) -> None:
        """Ends the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _ask(self, call: Call[T]) -> T:
        tries = 0
        while True:
            try:
                outcome = outcome_of(await self._http.request(**self._request(call)))
            except httpx.TransportError as cause:
                outcome = Outcome(0, None, 0, cause)
            if 200 <= outcome.status < 300:
                return call.read(outcome.body)
            await asyncio.sleep(self._wait(outcome, tries))
            tries += 1
