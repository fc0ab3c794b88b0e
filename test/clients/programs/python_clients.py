"""Asks a service by one client for Python, and prints what it found as JSON.

Arguments: the client, the address (host and port), a key, and the questions (questions.ts) as JSON.
"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")
client, host, own_key, questions = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
WRONG_KEY = "wrong"


def geopy_place(place):
    return place and {"text": place.address, "lat": place.latitude, "lon": place.longitude}


def geopy_nominatim(key):
    from geopy.geocoders import Nominatim

    asked = Nominatim(user_agent="a test", scheme="http", domain=f"{host}/k/{key}")
    return lambda text: geopy_place(asked.geocode(text)), lambda lat, lon: geopy_place(asked.reverse((lat, lon)))


def geopy_photon(key):
    from geopy.geocoders import Photon

    asked = Photon(user_agent="a test", scheme="http", domain=f"{host}/k/{key}")
    return lambda text: geopy_place(asked.geocode(text)), lambda lat, lon: geopy_place(asked.reverse((lat, lon)))


def geopy_google(key):
    from geopy.geocoders import GoogleV3

    asked = GoogleV3(api_key=key, scheme="http", domain=host)
    return lambda text: geopy_place(asked.geocode(text)), lambda lat, lon: geopy_place(asked.reverse((lat, lon)))


def googlemaps_place(results):
    if not results:
        return None
    location = results[0]["geometry"]["location"]
    return {"text": results[0]["formatted_address"], "lat": location["lat"], "lon": location["lng"]}


def googlemaps_geocoding(key):
    import googlemaps

    asked = googlemaps.Client(key="AIzaUnused", base_url=f"http://{host}/k/{key}")
    return (
        lambda text: googlemaps_place(asked.geocode(text)),
        lambda lat, lon: googlemaps_place(asked.reverse_geocode((lat, lon))),
    )


def geocoder_osm(key):
    import geocoder

    def place(found):
        if found.status == "OK":
            return {"text": found.address, "lat": found.lat, "lon": found.lng}
        if found.status.startswith("ERROR - No results"):
            return None
        raise RuntimeError(found.status)

    return (
        lambda text: place(geocoder.osm(text, url=f"http://{host}/k/{key}/search")),
        # It searches for the coordinates.
        lambda lat, lon: place(geocoder.osm((lat, lon), method="reverse", url=f"http://{host}/k/{key}/search")),
    )


def gdal_sql(key):
    import pyogrio

    def ask(sql):
        options = {
            "OGR_GEOCODE_QUERY_TEMPLATE": f"http://{host}/k/{key}/search?q=%s&format=xml&polygon_text=1",
            "OGR_GEOCODE_REVERSE_QUERY_TEMPLATE": f"http://{host}/k/{key}/reverse?format=xml&lat={{lat}}&lon={{lon}}",
            "OGR_GEOCODE_DELAY": "0",
            "OGR_GEOCODE_READ_CACHE": "NO",
            "OGR_GEOCODE_WRITE_CACHE": "NO",
        }
        pyogrio.set_gdal_config_options(options)
        layer = json.dumps({"type": "Feature", "properties": {}, "geometry": None})
        _, _, _, columns = pyogrio.raw.read(layer.encode(), sql=sql, sql_dialect="SQLITE", read_geometry=False)
        return [column[0] for column in columns]

    def search(text):
        quoted = "'" + text.replace("'", "''") + "'"
        point = f"ogr_geocode({quoted}, 'geometry')"
        sql = f"SELECT ogr_geocode({quoted}, 'display_name') AS text, ST_Y({point}) AS lat, ST_X({point}) AS lon"
        text, lat, lon = ask(sql)
        return text and {"text": text, "lat": float(lat), "lon": float(lon)}

    def reverse(lat, lon):
        (text,) = ask(f"SELECT ogr_geocode_reverse({lon}, {lat}, 'display_name') AS text")
        return text and {"text": text}

    return search, reverse


def googlemaps_geolocation(key):
    import googlemaps
    import googlemaps.geolocation

    # Its address is a constant of a module.
    googlemaps.geolocation._GEOLOCATION_BASE_URL = f"http://{host}/k/{key}"
    asked = googlemaps.Client(key="AIzaUnused")

    def locate(addresses):
        found = asked.geolocate(consider_ip=False, wifi_access_points=[{"macAddress": each} for each in addresses])
        if "location" in found:
            return {"lat": found["location"]["lat"], "lon": found["location"]["lng"], "accuracy": found["accuracy"]}
        return None if found["error"]["code"] == 404 else {"error": found["error"]["message"]}

    return locate


PLACES = {
    "geopy: Nominatim": geopy_nominatim,
    "geopy: Photon": geopy_photon,
    "geopy: GoogleV3": geopy_google,
    "googlemaps: geocode": googlemaps_geocoding,
    "geocoder: osm": geocoder_osm,
    "GDAL: ogr_geocode": gdal_sql,
}
POSITIONS = {"googlemaps: geolocate": googlemaps_geolocation}


def found(ask):
    try:
        return ask()
    except Exception as error:  # what a client raises is what is asked here
        return {"error": f"{type(error).__name__}: {error}"}


if client in PLACES:
    search, reverse = PLACES[client](own_key)
    refused, _ = PLACES[client](WRONG_KEY)
    house, sea = questions["house"], questions["sea"]
    findings = {
        "search": found(lambda: search(questions["words"])),
        "reverse": found(lambda: reverse(house["lat"], house["lon"])),
        "nothing": found(lambda: search(questions["nonsense"])),
        "sea": found(lambda: reverse(sea["lat"], sea["lon"])),
        "wrongKey": found(lambda: refused(questions["words"])),
    }
else:
    locate = POSITIONS[client]
    findings = {
        "locate": found(lambda: locate(own_key)(questions["points"])),
        "nowhere": found(lambda: locate(own_key)(questions["unknownPoints"])),
        "wrongKey": found(lambda: locate(WRONG_KEY)(questions["points"])),
    }
print(json.dumps(findings))
