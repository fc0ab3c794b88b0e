# An extract as pyosmium and shapely see it: python3 oracle.py FILE.osm.pbf
# First a line of JSON with sums over all objects. Then one for each multipolygon or boundary relation that osmium can put together: id, whether it is an
# administrative one, area (square degrees), and 200 points of its box with whether they are inside.
import json
import random
import sys

import osmium
import shapely
import shapely.wkb


def text_bytes(tags):
    return sum(len(tag.k.encode()) + 3 * len(tag.v.encode()) for tag in tags) if len(tags) > 0 else 0


class Sums(osmium.SimpleHandler):
    def __init__(self):
        super().__init__()
        self.nodes = [0] * 6
        self.ways = [0] * 5
        self.relations = [0] * 5

    def add(self, sums, object, *more):
        for i, value in enumerate([1, object.id, object.version, text_bytes(object.tags), *more]):
            sums[i] += value

    def node(self, node):
        self.add(self.nodes, node, node.location.x, node.location.y)

    def way(self, way):
        self.add(self.ways, way, sum((i + 1) * (node.ref % 1_000_003) for i, node in enumerate(way.nodes)))

    def relation(self, relation):
        members = enumerate(relation.members)
        self.add(self.relations, relation, sum((i + 1) * (member.ref % 1_000_003 + 'nwr'.index(member.type) + len(member.role.encode())) for i, member in members))


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


sums = Sums()
sums.apply_file(sys.argv[1])
print(json.dumps({'nodes': sums.nodes, 'ways': sums.ways, 'relations': sums.relations}))
Areas().apply_file(sys.argv[1], locations=True)
