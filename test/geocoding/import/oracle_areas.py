# Areas as pyosmium and shapely see them: python3 oracle_areas.py FILE.osm.pbf
# One line of JSON for each multipolygon or boundary relation that osmium can put together: id, tags boundary, area (square degrees), and 200 points of its box
# with whether they are inside.
import json
import random
import sys

import osmium
import shapely
import shapely.wkb


class Areas(osmium.SimpleHandler):
    def __init__(self):
        super().__init__()
        self.factory = osmium.geom.WKBFactory()

    def area(self, area):
        if area.from_way():
            return
        shape = shapely.wkb.loads(self.factory.create_multipolygon(area), hex=True)
        west, south, east, north = shape.bounds
        draw = random.Random(area.orig_id())
        points = [(draw.uniform(west, east), draw.uniform(south, north)) for _ in range(200)]
        shapely.prepare(shape)
        print(json.dumps({
            'id': area.orig_id(),
            'isAdministrative': area.tags.get('boundary') == 'administrative',
            'area': shape.area,
            'points': [[x, y, bool(shapely.contains_xy(shape, x, y))] for x, y in points],
        }))


Areas().apply_file(sys.argv[1], locations=True)
