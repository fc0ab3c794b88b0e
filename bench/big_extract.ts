// node bench/big_extract.ts FILE.osm.pbf NODES: writes a seeded extract of any size, to measure memory and time of an
// import. It resembles a real one: for each 1,000 nodes 110 buildings and 12 roads, for each 10,000 a municipality
// whose border is cut into ways; one node in 20 has tags, and half of those have a house number. The extract is
// streamed, so memory does not grow.

import { type DrawnNode, type DrawnRelation, type DrawnWay, OsmPbfWriter } from '../test/kits/places/osm_pbf.ts';
import { hash32, hashFraction, uniform } from '../test/kits/random.ts';
import { drawName } from './search/drawn_places.ts';

const SEED = 5;
/** Nodes of a town, numbered consecutively. */
const TOWN_NODES = 10_000;
const BORDER_NODES = 1_200;
const BORDER_WAYS = 6;
const BUILDINGS = 1_100;
const BUILDING_NODES = 5;
const ROADS = 120;
const ROAD_NODES = (TOWN_NODES - BORDER_NODES - BUILDINGS * BUILDING_NODES) / ROADS;
/** Width and height of a town. Towns lie in a grid. */
const TOWN_DEGREES = 0.05;
const GRID_TOWNS = 120;

const [path, nodes] = process.argv.slice(2);
const towns = Math.ceil(Number(nodes) / TOWN_NODES);
if (path === undefined || !(towns > 0)) throw new Error('Two arguments: FILE.osm.pbf NODES.');
const writer = new OsmPbfWriter(path, { isSorted: true });
for (let town = 0; town < towns; town++) for (let at = 0; at < TOWN_NODES; at++) writer.write(nodeAt(town, at));
for (let town = 0; town < towns; town++) for (const way of waysOf(town)) writer.write(way);
for (let town = 0; town < towns; town++) writer.write(boundaryOf(town));
writer.close();

function nodeAt(town: number, at: number): DrawnNode {
  const south = -60 + Math.floor(town / GRID_TOWNS) * TOWN_DEGREES;
  const west = -170 + (town % GRID_TOWNS) * TOWN_DEGREES;
  const index = town * TOWN_NODES + at;
  const node = { type: 'node' as const, id: 1_000_000 + index * 3, version: 1 + (hash32(SEED, index, 0) % 9) };
  if (at < BORDER_NODES) {
    const angle = (at / BORDER_NODES) * 2 * Math.PI;
    return {
      ...node,
      lat: south + (0.5 + Math.sin(angle) / 2) * TOWN_DEGREES,
      lon: west + (0.5 + Math.cos(angle) / 2) * TOWN_DEGREES,
    };
  }
  const [y, x] = [0.25 + hashFraction(SEED, index, 1) / 2, 0.25 + hashFraction(SEED, index, 2) / 2];
  const place = { ...node, lat: south + y * TOWN_DEGREES, lon: west + x * TOWN_DEGREES };
  if (at === BORDER_NODES) return { ...place, tags: { place: 'town', name: nameOf('Town', town) } };
  if (at % 20 !== 0) return place;
  if (at % 40 !== 0) return { ...place, tags: { highway: 'crossing' } };
  return {
    ...place,
    tags: {
      'addr:housenumber': String(at),
      'addr:street': nameOf('Street', at % ROADS),
      'addr:city': nameOf('Town', town),
    },
  };
}

function* waysOf(town: number): Generator<DrawnWay> {
  const firstNode = town * TOWN_NODES;
  const firstWay = 1 + town * (BORDER_WAYS + BUILDINGS + ROADS);
  const idOf = (at: number) => 1_000_000 + (firstNode + at) * 3;
  const run = (from: number, count: number) => Array.from({ length: count }, (_, i) => idOf(from + i));
  const piece = BORDER_NODES / BORDER_WAYS;
  for (let i = 0; i < BORDER_WAYS; i++) {
    const border = [...run(i * piece, piece), idOf(((i + 1) * piece) % BORDER_NODES)];
    yield {
      type: 'way',
      id: firstWay + i,
      version: 1,
      nodes: i % 2 === 0 ? border : border.reverse(),
      tags: { boundary: 'administrative' },
    };
  }
  for (let i = 0; i < BUILDINGS; i++) {
    const corners = run(BORDER_NODES + i * BUILDING_NODES, BUILDING_NODES);
    const address = {
      'addr:housenumber': String(i),
      'addr:street': nameOf('Street', i % ROADS),
      'addr:city': nameOf('Town', town),
    };
    const tags = i % 2 === 0 ? { building: 'yes' } : { building: 'yes', ...address };
    yield { type: 'way', id: firstWay + BORDER_WAYS + i, version: 1, nodes: [...corners, corners[0]], tags };
  }
  for (let i = 0; i < ROADS; i++) {
    const nodes = run(BORDER_NODES + BUILDINGS * BUILDING_NODES + Math.floor(i * ROAD_NODES), Math.floor(ROAD_NODES));
    const tags = { highway: 'residential', name: nameOf('Street', i) };
    yield { type: 'way', id: firstWay + BORDER_WAYS + BUILDINGS + i, version: 1, nodes, tags };
  }
}

function boundaryOf(town: number): DrawnRelation {
  const firstWay = 1 + town * (BORDER_WAYS + BUILDINGS + ROADS);
  const ways = Array.from({ length: BORDER_WAYS }, (_, i) => ({
    type: 'way' as const,
    ref: firstWay + i,
    role: 'outer',
  }));
  const centre = {
    type: 'node' as const,
    ref: 1_000_000 + (town * TOWN_NODES + BORDER_NODES) * 3,
    role: 'admin_centre',
  };
  const tags = { type: 'boundary', boundary: 'administrative', admin_level: '8', name: nameOf('Town', town) };
  return { type: 'relation', id: 1 + town, version: 1, members: [...ways, centre], tags };
}

function nameOf(kind: string, number: number): string {
  return `${drawName(uniform(hash32(SEED, number, 3)))} ${kind}`;
}
