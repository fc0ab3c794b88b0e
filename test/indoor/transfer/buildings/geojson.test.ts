import { describe, expect, test } from 'vitest';
import type { BuildingModel } from '../../../../src/indoor/tables/buildings/building.ts';
import { readGeoJson } from '../../../../src/indoor/transfer/buildings/geojson.ts';
import { degreesAt, rectangle, unitsAt } from '../../../kits/buildings/drawn.ts';
import { collection, feature, line, point, polygon } from './plan.ts';

function read(...features: readonly object[]): BuildingModel[] {
  return readText(collection(...features));
}

function readText(...texts: readonly string[]): BuildingModel[] {
  const files = texts.map((text, i) => ({ name: `plan${i + 1}`, text }));
  return readGeoJson(files, () => {}).map(draft => draft.finish());
}

const HOUSE = polygon({ buildingId: 3, building: 'House' }, [0, 0], [40, 30]);
const OTHER = polygon({ buildingModelId: 9 }, [100, 0], [140, 30]);

test('a plan has a footprint, and floors with rooms, walls and doors', () => {
  const [{ building, floors }] = read(
    polygon({ floorIndex: 1, floorLabel: 'First', room: 'Attic' }, [0, 0], [10, 10]),
    HOUSE,
    polygon({ floorIndex: 0 }, [0, 0], [40, 20]),
    polygon({ floorIndex: 0, room: 101 }, [0, 0], [5, 5]),
    line({ floorIndex: 0, wall: true }, [5, 0], [5, 5], [0, 5]),
    line({ floorIndex: 0, door: 1 }, [5, 2], [5, 3]),
    point({ floorIndex: '0', door: true }, [0, 4]),
    polygon({ floorIndex: -1, room: 'Cellar', wall: null, door: false }, [0, 0], [9, 9]),
  );
  expect(building).toEqual({
    modelId: undefined,
    buildingId: 3,
    name: 'House',
    outline: [rectangle([0, 0], [40, 30])],
  });
  expect(floors.map(({ index, label, rooms }) => [index, label, rooms.map(({ name }) => name)])).toEqual([
    [-1, '', ['Cellar']],
    [0, '', ['101']],
    [1, 'First', ['Attic']],
  ]);
  const [, ground] = floors;
  expect(ground.outline).toEqual([rectangle([0, 0], [40, 20])]);
  expect(ground.rooms[0].outline).toEqual([rectangle([0, 0], [5, 5])]);
  expect([...ground.walls]).toEqual(
    [
      [5, 0],
      [5, 5],
      [5, 5],
      [0, 5],
    ].flatMap(([east, north]) => unitsAt([east, north])),
  );
  expect([...ground.doors]).toEqual(
    [
      [5, 2],
      [5, 3],
      [0, 4],
      [0, 4],
    ].flatMap(([east, north]) => unitsAt([east, north])),
  );
});

test('stairs and lifts are areas, lines or points of a floor', () => {
  const [{ floors }] = read(
    HOUSE,
    polygon({ floorIndex: 0, stairs: true }, [2, 2], [4, 6]),
    line({ floorIndex: 0, stairs: 1 }, [10, 2], [12, 2]),
    point({ floorIndex: 1, stairs: true }, [20, 20]),
    polygon({ floorIndex: 1, room: 'a', stairs: false }, [0, 0], [5, 5]),
  );
  const corners = [...rectangle([2, 2], [4, 6])];
  const sides = [0, 2, 4, 6].map(i => corners.slice(i, i + 4));
  expect([...floors[0].stairs]).toEqual([...sides.flat(), ...unitsAt([10, 2]), ...unitsAt([12, 2])]);
  expect([...floors[1].stairs]).toEqual([...unitsAt([20, 20]), ...unitsAt([20, 20])]);
  expect(floors[0].rooms).toEqual([]);
});

test.each(['room', 'wall', 'door'])('a feature with %s and stairs is refused', member => {
  expect(() =>
    read(HOUSE, line({ floorIndex: 0, [member]: member === 'room' ? 'a' : true, stairs: true }, [0, 0], [9, 9])),
  ).toThrow('more than one of room, wall, door and stairs');
});

test('rings run the way they should, whichever way they are drawn', () => {
  const hole = [
    [10, 10],
    [20, 10],
    [20, 20],
    [10, 20],
    [10, 10],
  ] as const;
  const plan = polygon({ buildingId: 1 }, [0, 0], [40, 30], [hole]) as { geometry: { coordinates: unknown[][] } };
  const [right] = read(plan);
  plan.geometry.coordinates = plan.geometry.coordinates.map(ring => ring.toReversed());
  const [turned] = read(plan);
  const areas = ({ building }: BuildingModel) => building.outline.map(signed).map(Math.sign);
  expect([areas(right), areas(turned)]).toEqual([
    [1, -1],
    [1, -1],
  ]);
});

function signed(ring: Int32Array): number {
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2)
    sum += (ring[i] - ring[0]) * (ring[i + 3] - ring[1]) - (ring[i + 2] - ring[0]) * (ring[i + 1] - ring[1]);
  return sum;
}

test('what belongs to a floor names its building in any of three ways', () => {
  const models = read(
    HOUSE,
    OTHER,
    polygon({ building: 'House', floorIndex: 0, room: 'a' }, [0, 0], [5, 5]),
    polygon({ buildingId: 3, floorIndex: 0, room: 'b' }, [0, 0], [5, 5]),
    polygon({ buildingModelId: 9, floorIndex: 0, room: 'c' }, [100, 0], [105, 5]),
  );
  expect(models.map(({ floors }) => floors[0].rooms.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
});

test('footprints may stand in one file and floors in another', () => {
  const [{ floors }] = readText(collection(polygon({ floorIndex: 2 }, [0, 0], [5, 5])), `\ufeff${collection(HOUSE)}`);
  expect(floors.map(({ index }) => index)).toEqual([2]);
});

test('a building may have several parts, of which some share a side', () => {
  const [{ building }] = read(
    polygon({ buildingId: 1 }, [0, 0], [10, 10]),
    polygon({ buildingId: 1 }, [10, 0], [20, 10]),
    polygon({ buildingId: 1 }, [50, 0], [60, 10]),
  );
  expect(building.outline.map(ring => ring.length / 2 - 1).sort()).toEqual([4, 6]);
});

describe('a mistake is told with file, feature and member:', () => {
  const degrees = (value: unknown) =>
    feature({ buildingId: 1 }, { type: 'Polygon', coordinates: value }, { id: 'way/7' });
  test.each([
    ['no JSON', ['{"type":'], /^plan1 is not JSON: /],
    [
      'no collection',
      ['{"type":"Feature"}'],
      'plan1 is not GeoJSON as it is needed: "type" must be "FeatureCollection", and "features" a list.',
    ],
    ['no object', [collection(7 as unknown as object)], 'plan1, feature 1: it is no object.'],
    [
      'no building',
      [collection(polygon({}, [0, 0], [9, 9]))],
      'plan1, feature 1: properties must hold buildingModelId, buildingId or building,',
    ],
    [
      'no floor',
      [collection(HOUSE, polygon({ room: 'x' }, [0, 0], [9, 9]))],
      'plan1, feature 2: properties.floorIndex is missing.',
    ],
    [
      'an unknown floor',
      [collection(HOUSE, polygon({ floorIndex: -99 }, [0, 0], [9, 9]))],
      'plan1, feature 2: properties.floorIndex must be a whole number from -50 to 200, not -99; leave it out ' +
        'where it is not known.',
    ],
    [
      'a number that is none',
      [collection(polygon({ buildingId: 1.5 }, [0, 0], [9, 9]))],
      'properties.buildingId must be a whole number from 0 to',
    ],
    [
      'an empty name',
      [collection(polygon({ building: '' }, [0, 0], [9, 9]))],
      'properties.building must be a text of 1 to 200 printable characters, not "".',
    ],
    [
      'a control character',
      [collection(HOUSE, polygon({ floorIndex: 0, room: 'a\u0007' }, [0, 0], [9, 9]))],
      'properties.room must be a text',
    ],
    [
      'a flag that is none',
      [collection(HOUSE, line({ floorIndex: 0, wall: 'no' }, [0, 0], [9, 9]))],
      'properties.wall must be true or false, not "no".',
    ],
    [
      'two things at once',
      [collection(HOUSE, line({ floorIndex: 0, wall: true, door: true }, [0, 0], [9, 9]))],
      'more than one of room, wall, door and stairs',
    ],
    [
      'a room that is a line',
      [collection(HOUSE, line({ floorIndex: 0, room: 'a' }, [0, 0], [9, 9]))],
      'geometry.type must be "Polygon" or "MultiPolygon", not "LineString".',
    ],
    [
      'a wall that is a point',
      [collection(HOUSE, point({ floorIndex: 0, wall: true }, [0, 0]))],
      'geometry.type must be "LineString" or "MultiLineString", not "Point".',
    ],
    ['no geometry', [collection(feature({ buildingId: 1 }, null))], 'plan1, feature 1: geometry.type must be'],
    [
      'an open ring',
      [
        collection(
          degrees([
            [
              [9, 47],
              [9.001, 47],
              [9.001, 47.001],
              [9, 47.001],
            ],
          ]),
        ),
      ],
      'plan1, feature 1 (way/7): geometry.coordinates has a ring that does not end where it begins.',
    ],
    [
      'too few corners',
      [
        collection(
          degrees([
            [
              [9, 47],
              [9.001, 47],
              [9, 47],
            ],
          ]),
        ),
      ],
      'a ring of fewer than 4 points',
    ],
    [
      'no area',
      [
        collection(
          degrees([
            [
              [9, 47],
              [9.001, 47],
              [9, 47],
              [9, 47],
            ],
          ]),
        ),
      ],
      'geometry.coordinates encloses nothing.',
    ],
    [
      'off the globe',
      [
        collection(
          degrees([
            [
              [47, 190],
              [9, 47],
              [9, 48],
              [47, 190],
            ],
          ]),
        ),
      ],
      'geometry.coordinates has [47,190], which is no longitude and latitude in degrees.',
    ],
    [
      'wrong nesting',
      [
        collection(
          degrees([
            [9, 47],
            [9, 48],
          ]),
        ),
      ],
      'geometry.coordinates is not nested as its type says.',
    ],
    [
      'a building of a country',
      [
        collection(
          degrees([
            [
              [9, 47],
              [10, 47],
              [10, 48],
              [9, 47],
            ],
          ]),
        ),
      ],
      'its building would be 111 km wide, and at most 10 km are taken.',
    ],
    [
      'a floor elsewhere',
      [collection(HOUSE, polygon({ floorIndex: 0 }, [90, 0], [99, 9]))],
      'plan1, feature 2: it lies outside of its building.',
    ],
    [
      'a building that is not there',
      [collection(HOUSE, polygon({ buildingId: 4, floorIndex: 0 }, [0, 0], [9, 9]))],
      'properties names the building {"buildingId":4}, and there is no footprint of it',
    ],
    [
      'one of several buildings',
      [collection(HOUSE, OTHER, polygon({ floorIndex: 0 }, [0, 0], [9, 9]))],
      'plan1, feature 3: properties names no building, and there are 2 that it could be.',
    ],
    [
      'two labels',
      [
        collection(HOUSE, polygon({ floorIndex: 0, floorLabel: 'G' }, [0, 0], [9, 9])),
        collection(polygon({ floorIndex: 0, floorLabel: 'E' }, [0, 0], [9, 9])),
      ],
      'plan2, feature 1: floor 0 of its building has the label "G" and cannot have "E" as well.',
    ],
  ] as [string, string[], string | RegExp][])('%s', (_, texts, message) => {
    expect(() => readText(...texts)).toThrow(message);
  });
});

test('a shape of more corners than any floor has is refused', () => {
  const circle = Array.from({ length: 200_001 }, (_, i) =>
    degreesAt([100 * Math.cos(i / 31_831), 100 * Math.sin(i / 31_831)]),
  );
  const text = collection(feature({ buildingId: 1 }, { type: 'Polygon', coordinates: [[...circle, circle[0]]] }));
  expect(() => readText(text)).toThrow('geometry.coordinates has more than 200000 points');
});

test('nesting of any depth is no danger', () => {
  const text = collection(HOUSE).replace(
    '"coordinates":[',
    `"coordinates":[${'['.repeat(100_000)}${']'.repeat(100_000)},`,
  );
  expect(() => readText(text)).toThrow(/geometry.coordinates/);
});
