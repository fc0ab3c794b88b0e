import { expect, test } from 'vitest';
import { OSM_NODE, OSM_WAY } from '../../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, node, relation, way } from '../../../kits/places/features.ts';

const NEAR_ROAD = way(
  1,
  [
    [0, 0],
    [40, 0],
  ],
  { highway: 'residential', name: 'Nahgasse' },
);
const FAR_ROAD = way(
  2,
  [
    [0, 20],
    [40, 20],
  ],
  { highway: 'residential', name: 'Ferngasse' },
);

/** The parent of the node 100 among other objects. */
function parentOf(
  features: Parameters<typeof drawn>[0],
  streets: Parameters<typeof drawn>[1] = [],
): string | undefined {
  const places = drawn(features, streets);
  return places.parentOf(places.of(OSM_NODE, 100));
}

function drawn(
  features: ConstructorParameters<typeof BuiltPlaces>[0],
  streets: NonNullable<ConstructorParameters<typeof BuiltPlaces>[1]>['streets'] = [],
) {
  return new BuiltPlaces([NEAR_ROAD, FAR_ROAD, ...features], { streets });
}

test('a house belongs to the street that it names, not to the nearest', () => {
  expect(parentOf([node(100, [10, 2], { 'addr:housenumber': '1', 'addr:street': 'Ferngasse' })])).toBe('Ferngasse');
});

test('a relation of houses and their street comes before the name', () => {
  const house = node(100, [10, 2], { 'addr:housenumber': '1', 'addr:street': 'Nahgasse' });
  const street = relation(9, [
    { type: OSM_NODE, id: 100, role: 'house' },
    { type: OSM_WAY, id: 2, role: 'street' },
  ]);
  expect(parentOf([house], [street])).toBe('Ferngasse');
});

test('the name of a relation stands for a street that it does not name as a member', () => {
  const house = node(100, [10, 2], { 'addr:housenumber': '1' });
  expect(parentOf([house], [relation(9, [{ type: OSM_NODE, id: 100, role: 'house' }], { name: 'Ferngasse' })])).toBe(
    'Ferngasse',
  );
});

test.each([
  ['St. Luzi-Str.', 'Sankt Luzistrasse'],
  ['Michel-Öhri', 'Michel-Oehri'],
  ['Triq il-Merhba', 'Triq il-Merħba'],
  ['Gampelutzstrasse', 'Gampeluzstrasse'],
  ['Main St', 'Main Street'],
])('a house at %s belongs to %s', (written, name) => {
  const road = way(
    3,
    [
      [0, 30],
      [40, 30],
    ],
    { highway: 'residential', name },
  );
  expect(parentOf([road, node(100, [10, 2], { 'addr:housenumber': '1', 'addr:street': written })])).toBe(name);
});

test('of two streets of one name the nearer one is meant, and none beyond 0.015 degrees', () => {
  const twins = [
    way(
      3,
      [
        [0, -100],
        [40, -100],
      ],
      { highway: 'residential', name: 'Ring' },
    ),
    way(
      4,
      [
        [0, 40],
        [40, 40],
      ],
      { highway: 'residential', name: 'Ring' },
    ),
  ];
  const places = drawn([...twins, node(100, [10, 2], { 'addr:housenumber': '1', 'addr:street': 'Ring' })]);
  expect(places.of(OSM_NODE, 100).parent).toBe(places.all.indexOf(places.of(OSM_WAY, 4)) + 1);
  const far = way(
    5,
    [
      [0, 160],
      [40, 160],
    ],
    { highway: 'residential', name: 'Weitweg' },
  );
  expect(parentOf([far, node(100, [10, 2], { 'addr:housenumber': '1', 'addr:street': 'Weitweg' })])).toBe('Nahgasse');
});

test('a house of a hamlet without street names belongs to the hamlet', () => {
  const hamlet = node(7, [200, 0], { place: 'hamlet', name: 'Weiler' });
  expect(parentOf([hamlet, node(100, [10, 2], { 'addr:housenumber': '1', 'addr:place': 'Weiler' })])).toBe('Weiler');
  const far = node(8, [500, 0], { place: 'hamlet', name: 'Fernau' });
  expect(parentOf([far, node(100, [10, 2], { 'addr:housenumber': '1', 'addr:place': 'Fernau' })])).toBe('Nahgasse');
});

test('a stop that is a node of a road belongs to it', () => {
  const crossing = way(
    3,
    [
      [10, 2],
      [10, 90],
    ],
    { highway: 'residential', name: 'Querweg' },
    [100, 101],
  );
  const nearer = way(
    4,
    [
      [0, 2],
      [40, 2],
    ],
    { highway: 'residential', name: 'Parallelweg' },
  );
  expect(parentOf([crossing, nearer, node(100, [10, 2], { amenity: 'post_box' })])).toBe('Querweg');
});

test('what names nothing belongs to the nearest road that has a name', () => {
  const unnamed = way(
    3,
    [
      [0, 3],
      [40, 3],
    ],
    { highway: 'residential' },
  );
  const numbered = way(
    4,
    [
      [0, 4],
      [40, 4],
    ],
    { highway: 'motorway', ref: 'A13' },
  );
  expect(parentOf([unnamed, numbered, node(100, [10, 5], { 'addr:housenumber': '1' })])).toBe('Nahgasse');
});

test('without any road the smallest polygon around is the parent', () => {
  const places = new BuiltPlaces([
    boundary(1, 6, 'Oberland', [0, 0], 3000),
    boundary(2, 8, 'Triesen', [0, 0], 1000),
    node(100, [10, 5], { 'addr:housenumber': '1' }),
  ]);
  expect(places.parentOf(places.of(OSM_NODE, 100))).toBe('Triesen');
});
