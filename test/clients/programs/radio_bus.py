"""A system bus on which two access points are heard: a wpa_supplicant, as GeoClue asks one, and a NetworkManager, as
Firefox asks one. Prints `ready` and goes on until it is killed.

Arguments: the access points, as JSON.
"""

import asyncio
import json
import sys

from dbus_fast import PropertyAccess
from dbus_fast.aio import MessageBus
from dbus_fast.constants import BusType
from dbus_fast.service import ServiceInterface, dbus_property, method, signal

ADDRESSES = json.loads(sys.argv[1])
SUPPLICANT = "/fi/w1/wpa_supplicant1"
CARD = f"{SUPPLICANT}/Interfaces/0"
MANAGER = "/org/freedesktop/NetworkManager"
DEVICE = f"{MANAGER}/Devices/1"
WIFI_DEVICE = 2
NAME = b"demo"
DBM, PERCENT, MEGAHERTZ = -50, 90, 2437


class Supplicant(ServiceInterface):
    def __init__(self):
        super().__init__("fi.w1.wpa_supplicant1")

    @dbus_property(access=PropertyAccess.READ)
    def Interfaces(self) -> "ao":
        return [CARD]


class Card(ServiceInterface):
    def __init__(self):
        super().__init__("fi.w1.wpa_supplicant1.Interface")

    @dbus_property(access=PropertyAccess.READ)
    def BSSs(self) -> "ao":
        return [f"{CARD}/BSSs/{n}" for n in range(len(ADDRESSES))]

    @method()
    def Scan(self, args: "a{sv}"):
        asyncio.get_running_loop().call_soon(self.ScanDone)

    @signal()
    def ScanDone(self) -> "b":
        return True


class Heard(ServiceInterface):
    """An access point of wpa_supplicant."""

    def __init__(self, address):
        super().__init__("fi.w1.wpa_supplicant1.BSS")
        self.address = bytes.fromhex(address.replace(":", ""))

    @dbus_property(access=PropertyAccess.READ)
    def BSSID(self) -> "ay":
        return self.address

    @dbus_property(access=PropertyAccess.READ)
    def SSID(self) -> "ay":
        return NAME

    @dbus_property(access=PropertyAccess.READ)
    def Signal(self) -> "n":
        return DBM

    @dbus_property(access=PropertyAccess.READ)
    def Frequency(self) -> "q":
        return MEGAHERTZ

    @dbus_property(access=PropertyAccess.READ)
    def Age(self) -> "u":
        return 0


class Manager(ServiceInterface):
    def __init__(self):
        super().__init__("org.freedesktop.NetworkManager")

    @dbus_property(access=PropertyAccess.READ)
    def Devices(self) -> "ao":
        return [DEVICE]


class Device(ServiceInterface):
    def __init__(self):
        super().__init__("org.freedesktop.NetworkManager.Device")

    @dbus_property(access=PropertyAccess.READ)
    def DeviceType(self) -> "u":
        return WIFI_DEVICE


class Wireless(ServiceInterface):
    def __init__(self):
        super().__init__("org.freedesktop.NetworkManager.Device.Wireless")

    @dbus_property(access=PropertyAccess.READ)
    def AccessPoints(self) -> "ao":
        return [f"{MANAGER}/AccessPoint/{n}" for n in range(len(ADDRESSES))]


class AccessPoint(ServiceInterface):
    def __init__(self, address):
        super().__init__("org.freedesktop.NetworkManager.AccessPoint")
        self.address = address.upper()

    @dbus_property(access=PropertyAccess.READ)
    def HwAddress(self) -> "s":
        return self.address

    @dbus_property(access=PropertyAccess.READ)
    def Ssid(self) -> "ay":
        return NAME

    @dbus_property(access=PropertyAccess.READ)
    def Strength(self) -> "y":
        return PERCENT

    @dbus_property(access=PropertyAccess.READ)
    def Frequency(self) -> "u":
        return MEGAHERTZ


async def serve():
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    bus.export(SUPPLICANT, Supplicant())
    bus.export(CARD, Card())
    bus.export(MANAGER, Manager())
    bus.export(DEVICE, Device())
    bus.export(DEVICE, Wireless())
    for n, address in enumerate(ADDRESSES):
        bus.export(f"{CARD}/BSSs/{n}", Heard(address))
        bus.export(f"{MANAGER}/AccessPoint/{n}", AccessPoint(address))
    await bus.request_name("fi.w1.wpa_supplicant1")
    await bus.request_name("org.freedesktop.NetworkManager")
    print("ready", flush=True)
    await bus.wait_for_disconnect()


asyncio.run(serve())
