"""Asks GeoClue for the exact position, as a program and as the agent that allows it, and prints it as JSON."""

import asyncio
import json

from dbus_fast import Message, PropertyAccess
from dbus_fast.aio import MessageBus
from dbus_fast.constants import BusType
from dbus_fast.service import ServiceInterface, dbus_property, method

SERVICE = "org.freedesktop.GeoClue2"
ROOT = "/org/freedesktop/GeoClue2"
# As radios.ts has it in the configuration.
NAME = "asked"
EXACT = 8
SECONDS_MAX = 60


class Agent(ServiceInterface):
    def __init__(self):
        super().__init__(f"{SERVICE}.Agent")

    @method()
    def AuthorizeApp(self, desktop_id: "s", accuracy: "u") -> "bu":
        return [True, accuracy]

    @dbus_property(access=PropertyAccess.READ)
    def MaxAccuracyLevel(self) -> "u":
        return EXACT


async def is_there(bus):
    """True if GeoClue is there."""
    name, path = "org.freedesktop.DBus", "/org/freedesktop/DBus"
    asked = Message(name, path, name, "NameHasOwner", signature="s", body=[SERVICE])
    return (await bus.call(asked)).body[0]


async def ask():
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()

    async def interface(path, name):
        return bus.get_proxy_object(SERVICE, path, await bus.introspect(SERVICE, path)).get_interface(f"{SERVICE}.{name}")

    bus.export(f"{ROOT}/Agent", Agent())
    # GeoClue has just been started.
    while not await is_there(bus):
        await asyncio.sleep(0.1)
    manager = await interface(f"{ROOT}/Manager", "Manager")
    await manager.call_add_agent(NAME)
    client = await interface(await manager.call_get_client(), "Client")
    await client.set_desktop_id(NAME)
    await client.set_requested_accuracy_level(EXACT)
    located = asyncio.get_running_loop().create_future()
    client.on_location_updated(lambda before, now: located.done() or located.set_result(now))
    await client.call_start()
    place = await interface(await located, "Location")
    found = {"lat": await place.get_latitude(), "lon": await place.get_longitude(), "accuracy": await place.get_accuracy()}
    print(json.dumps(found))


asyncio.run(asyncio.wait_for(ask(), SECONDS_MAX))
