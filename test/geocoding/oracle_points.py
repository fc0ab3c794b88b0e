# Random points, and the administrative areas of an extract around them as pyosmium and shapely see them: python3 oracle_points.py FILE.osm.pbf SOUTH WEST NORTH EAST POINTS
# A line of JSON for each point: latitude, longitude, and by its level the id of the relation around it.
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
        self.areas = []

    def area(self, area):
        level = area.tags.get('admin_level', '')
        if area.from_way() or area.tags.get('boundary') != 'administrative' or not level.isdigit():
            return
        shape = shapely.wkb.loads(self.factory.create_multipolygon(area), hex=True)
        shapely.prepare(shape)
        self.areas.append((level, area.orig_id(), shape))


handler = Areas()
handler.apply_file(sys.argv[1], locations=True)
south, west, north, east = map(float, sys.argv[2:6])
draw = random.Random(5)
for _ in range(int(sys.argv[6])):
    y, x = draw.uniform(south, north), draw.uniform(west, east)
    print(json.dumps([y, x, {level: id for level, id, shape in handler.areas if shapely.contains_xy(shape, x, y)}]))
