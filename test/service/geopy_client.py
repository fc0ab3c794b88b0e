"""Asks a service by geopy's own Nominatim client, and prints what it found as JSON."""

import json
import sys
from geopy.geocoders import Nominatim

domain, word, latitude, longitude = sys.argv[1:5]
client = Nominatim(user_agent="a test", scheme="http", domain=domain)
everything = {"addressdetails": True, "namedetails": True, "extratags": True, "language": "en", "country_codes": "li", "limit": 3, "exactly_one": False}


def shown(place):
    return place and {"address": place.address, "latitude": place.latitude, "longitude": place.longitude, "raw": place.raw}


print(
    json.dumps(
        {
            "geocode": shown(client.geocode(word)),
            "details": [shown(place) for place in client.geocode(word, **everything)],
            "structured": shown(client.geocode({"city": "Vaduz", "country": "Liechtenstein"})),
            "bounded": shown(client.geocode(word, viewbox=[(47.0, 9.4), (47.3, 9.6)], bounded=True)),
            "shape": shown(client.geocode(word, geometry="wkt", extratags=True)),
            "nothing": client.geocode("xyzzyqwk"),
            "reverse": shown(client.reverse((latitude, longitude))),
            "coarse": shown(client.reverse(f"{latitude}, {longitude}", zoom=10, language="en", addressdetails=True)),
            "sea": client.reverse((30, -40)),
        }
    )
)
