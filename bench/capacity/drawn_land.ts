// Draws addresses where the seeded world has its access points, as an extract of OpenStreetMap. Each town has a
// boundary, 50 streets from west to east and 50 houses along each of them, so a device has a house within 90 m. Names
// are made of syllables and repeat from town to town, as real ones do.
//
//   +--------------------------------+ 6 km
//   |  1   2   3  Lindengasse    50  |
//   |  1   2   3  Talweg         50  |  120 m from street to street
//   +--------------------------------+

import { type DrawnNode, type DrawnRelation, type DrawnWay, OsmPbfWriter } from '../../test/kits/places/osm_pbf.ts';
import { hash32, hashFraction } from '../../test/kits/random.ts';
import { BLOCK_METRES, degreesOf, TOWN_BLOCKS, type World } from '../world.ts';

const STREETS = 50;
const HOUSES = 50;
const TOWN_METRES = TOWN_BLOCKS * BLOCK_METRES;
const STREET_METRES = TOWN_METRES / STREETS;
/** Distance of a house from the middle of its street. */
const HOUSE_NORTH_METRES = 15;
const SYLLABLES = [
  'Lin',
  'Tal',
  'Birk',
  'Mühl',
  'Ober',
  'Hasel',
  'Stein',
  'Ro',
  'sen',
  'wald',
  'bach',
  'feld',
  'au',
  'berg',
  'den',
  'tal',
];
const ROAD_ENDINGS = ['weg', 'strasse', 'gasse', 'allee', 'ring', 'platz'];
const TOWN_ENDINGS = ['hausen', 'ingen', 'dorf', 'heim', 'stadt'];
/** Nodes of a town: four corners, its middle, both ends of each street, the houses. */
const TOWN_NODES = 5 + 2 * STREETS + STREETS * HOUSES;
const SALT_NAME = 30;
const SALT_QUESTION = 31;

/** Writes the extract. @returns houses in it */
export function writeLand(path: string, world: World): number {
  const writer = new OsmPbfWriter(path, { isSorted: true });
  for (let town = 0; town < world.towns; town++) for (const node of nodesOf(world, town)) writer.write(node);
  for (let town = 0; town < world.towns; town++) for (const way of waysOf(world, town)) writer.write(way);
  for (let town = 0; town < world.towns; town++) writer.write(boundaryOf(world, town));
  writer.close();
  return world.towns * STREETS * HOUSES;
}

/**
 * What somebody types: half are addresses as on a letter, a quarter have two letters swapped, a quarter are names of
 * towns.
 */
export function questionAt(world: World, number: number): string {
  const draw = (salt: number, below: number) => hash32(world.seed, number, SALT_QUESTION + salt) % below;
  const town = draw(0, world.towns);
  const street = streetName(world, town, draw(1, STREETS));
  const place = `${1 + draw(2, HOUSES)}, ${postcode(town)} ${townName(world, town)}`;
  switch (draw(3, 4)) {
    case 0:
      return townName(world, town);
    case 1: {
      const at = draw(4, street.length - 1);
      return `${street.slice(0, at)}${street[at + 1]}${street[at]}${street.slice(at + 2)} ${place}`;
    }
    default:
      return `${street} ${place}`;
  }
}

function* nodesOf(world: World, town: number): Generator<DrawnNode> {
  let id = 1 + town * TOWN_NODES;
  const node = (east: number, north: number, tags: Record<string, string> = {}): DrawnNode => {
    const { latitude, longitude } = degreesOf(world, { town, east, north });
    return { type: 'node', id: id++, lat: latitude, lon: longitude, tags };
  };
  for (const [east, north] of cornersOf()) yield node(east, north);
  yield node(TOWN_METRES / 2, TOWN_METRES / 2, { place: 'town', name: townName(world, town) });
  for (let street = 0; street < STREETS; street++) {
    const north = (street + 0.5) * STREET_METRES;
    yield node(0, north);
    yield node(TOWN_METRES, north);
  }
  for (let street = 0; street < STREETS; street++) {
    const north = (street + 0.5) * STREET_METRES + HOUSE_NORTH_METRES;
    const address = { 'addr:street': streetName(world, town, street), 'addr:postcode': postcode(town) };
    for (let house = 1; house <= HOUSES; house++) {
      yield node(((house - 0.5) / HOUSES) * TOWN_METRES, north, { ...address, 'addr:housenumber': String(house) });
    }
  }
}

function* waysOf(world: World, town: number): Generator<DrawnWay> {
  const first = 1 + town * TOWN_NODES;
  const id = 1 + town * (1 + STREETS);
  yield { type: 'way', id, nodes: [first, first + 1, first + 2, first + 3, first] };
  for (let street = 0; street < STREETS; street++) {
    const west = first + 5 + 2 * street;
    yield {
      type: 'way',
      id: id + 1 + street,
      nodes: [west, west + 1],
      tags: { highway: 'residential', name: streetName(world, town, street) },
    };
  }
}

function boundaryOf(world: World, town: number): DrawnRelation {
  const members = [{ type: 'way' as const, ref: 1 + town * (1 + STREETS), role: 'outer' }];
  const tags = { type: 'boundary', boundary: 'administrative', admin_level: '8', name: townName(world, town) };
  return { type: 'relation', id: 1 + town, members, tags };
}

function cornersOf(): [east: number, north: number][] {
  return [
    [0, 0],
    [TOWN_METRES, 0],
    [TOWN_METRES, TOWN_METRES],
    [0, TOWN_METRES],
  ];
}

function townName(world: World, town: number): string {
  return drawName(world, town, 0, TOWN_ENDINGS);
}

function streetName(world: World, town: number, street: number): string {
  return drawName(world, town * STREETS + street, 4, ROAD_ENDINGS);
}

function drawName(world: World, index: number, salt: number, endings: readonly string[]): string {
  const pick = (from: readonly string[], part: number) =>
    from[hash32(world.seed, index, SALT_NAME + salt + part) % from.length];
  const middle = hashFraction(world.seed, index, SALT_NAME + salt + 3) < 0.5 ? '' : pick(SYLLABLES, 1).toLowerCase();
  return pick(SYLLABLES.slice(0, 8), 0) + middle + pick(endings, 2);
}

function postcode(town: number): string {
  return String(70_000 + town);
}
