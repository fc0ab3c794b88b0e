"""What both clients ask, and how they read it: a call knows its path, its query, its body and its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, cast

import httpx

from .errors import SextantError, UnavailableError, error_of

if TYPE_CHECKING:
    from .schema import AccessPoint, Beacon, Cell, Located, Measurement, PlaceJsonV2

T = TypeVar("T")

#: Statuses with which another try may be answered otherwise.
PASSING = frozenset({0, 408, 429, 502, 503, 504})
#: Seconds before the second try; doubled before each further one.
WAIT = 0.2


class Point(TypedDict):
    """A point, degrees."""

    lat: float
    lon: float


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and what its answer is read as."""

    path: str
    query: Mapping[str, Any]
    body: Any
    read: Callable[[Any], T]


def locate(
    wifi: Iterable[AccessPoint | str],
    cells: Iterable[Cell],
    beacons: Iterable[Beacon | str],
    device: str | None,
    others: Mapping[str, Any],
) -> Call[Located]:
    """The position of a device."""
    return Call("/v1/geolocate", {"id": device}, _body(wifi, cells, beacons, others), lambda found: found)


def locate_many(scans: Iterable[Mapping[str, Any]]) -> Call[list[Located | SextantError]]:
    """Positions of scans, whose members are the arguments of ``locate``."""
    bodies = []
    for scan in scans:
        others = {name: scan[name] for name in scan if name not in ("wifi", "cells", "beacons", "device")}
        body = _body(scan.get("wifi", ()), scan.get("cells", ()), scan.get("beacons", ()), others)
        bodies.append(body | ({"id": scan["device"]} if "device" in scan else {}))
    return Call("/v1/geolocate/batch", {}, bodies, _or_errors)


def search(q: str | None, options: Mapping[str, Any]) -> Call[list[PlaceJsonV2]]:
    """Places by words, or by parts of an address."""
    query = {"addressdetails": 1, "q": q} | _query(options) | {"format": "jsonv2"}
    return Call("/search", query, None, lambda found: cast("list[PlaceJsonV2]", found))


def reverse(lat: float, lon: float, options: Mapping[str, Any]) -> Call[PlaceJsonV2]:
    """The place at a point."""
    query = {"addressdetails": 1, "lat": lat, "lon": lon} | _query(options) | {"format": "jsonv2"}
    return Call("/reverse", query, None, _or_raise)


def reverse_many(points: Sequence[Point], options: Mapping[str, Any]) -> Call[list[PlaceJsonV2 | SextantError]]:
    """The places at points."""
    query = {"addressdetails": 1} | _query(options) | {"format": "jsonv2"}
    return Call("/reverse", query, list(points), _or_errors)


def get(path: str, query: Mapping[str, Any]) -> Call[Any]:
    """Any other question."""
    return Call(path, _query(query), None, lambda found: found)


def submit(items: Iterable[Measurement]) -> Call[None]:
    """Measurements."""
    return Call("/v2/geosubmit", {}, {"items": list(items)}, lambda _: None)


def _body(wifi: Any, cells: Any, beacons: Any, others: Mapping[str, Any]) -> dict[str, Any]:
    def entries(found: Any) -> list[Any]:
        return [{"macAddress": entry} if isinstance(entry, str) else entry for entry in found]

    lists = {"wifiAccessPoints": entries(wifi), "cellTowers": list(cells), "bluetoothBeacons": entries(beacons)}
    return {**others, **{name: found for name, found in lists.items() if found}}


def _query(options: Mapping[str, Any]) -> dict[str, Any]:
    def text(value: Any) -> Any:
        if isinstance(value, bool):
            return int(value)
        return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value

    # A name of Python has no dash.
    return {name.replace("_", "-") if name == "accept_language" else name: text(value) for name, value in options.items()}


def _or_raise(found: Any) -> Any:
    if "error" in found:
        raise error_of(404, found)
    return found


def _or_errors(found: Any) -> Any:
    return [_error_in(each) if "error" in each else each for each in found]


def _error_in(found: Any) -> SextantError:
    error = found["error"]
    return error_of(error["code"] if isinstance(error, dict) else 404, found)


@dataclass(frozen=True)
class Outcome:
    """How one try ended."""

    status: int
    body: Any
    #: Seconds that the service asks to wait; 0 if it says nothing.
    wait: float
    cause: Exception | None = None

    def error(self) -> SextantError:
        if self.cause is None:
            return error_of(self.status, self.body)
        return UnavailableError(f"The service did not answer: {self.cause}", 0, "unreachable")


def outcome_of(response: httpx.Response) -> Outcome:
    """Reads an answer; what is no JSON, as a proxy's page, stays a text."""
    try:
        body = response.json()
    except ValueError:
        body = response.text
    return Outcome(response.status_code, body, _seconds(response.headers.get("retry-after", "")))


def _seconds(header: str) -> float:
    """Of a Retry-After: seconds, or a date; 0 for anything else."""
    if header.isdigit():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0
