// The rules for houses and roads once more, by looking at everything: crowded random towns, each question asked both
// ways.

import { expect, test } from 'vitest';
import type { Step } from '../../kits/places/place.ts';
import { box, DrawnPlaces } from '../../kits/places/spots.ts';
import { uniform } from '../../kits/random.ts';

const REACH = 70;
const RANGE_REACH = 60;
const FUZZINESS = 10;

interface Thing {
  id: number;
  name: string;
  kind: 'road' | 'path' | 'house' | 'poi' | 'range';
  /** One spot, a line, or the corners of an area. */
  spots: readonly Step[];
  isArea: boolean;
  parent: number;
  houseNumber: string;
}

/** A town of 120 steps across. */
function drawTown(random: () => number): { map: DrawnPlaces; things: Thing[] } {
  const map = new DrawnPlaces();
  const things: Thing[] = [];
  const pick = (below: number) => Math.floor(random() * below);
  const note = (id: number, thing: Omit<Thing, 'id'>) => things.push({ id, ...thing });
  const roads: number[] = [];
  for (let i = 0; i < 6; i++) {
    const kind = i % 3 === 2 ? 'path' : 'road';
    const rank = kind === 'path' ? 27 : 26;
    const spots = Array.from({ length: 2 + pick(4) }, (): Step => [pick(120), pick(120)]);
    const id = map.road(spots.flat(), `${kind} ${i}`, { searchRank: rank, addressRank: rank });
    note(id, { name: `${kind} ${i}`, kind, spots, isArea: false, parent: 0, houseNumber: '' });
    roads.push(id);
  }
  for (let i = 0; i < 50; i++) {
    const at: Step = [pick(120), pick(120)];
    const parent = roads[pick(roads.length)];
    const kind = i % 3 === 0 ? 'poi' : 'house';
    const houseNumber = kind === 'house' || i % 2 === 0 ? `${pick(4)}` : '';
    const isArea = i % 4 === 0;
    const name = `${kind} ${i}`;
    const size = 2 + pick(kind === 'poi' ? 40 : 8);
    const spots = isArea ? box(at[0], at[1], at[0] + size, at[1] + size / 2) : [at];
    // A point of interest has the address of the house that it stands in.
    const said = kind === 'poi' ? { category: 'shop', isAddressInherited: true } : { category: 'building' };
    const place = { ...said, type: 'yes', searchRank: 30, addressRank: 30, names: { name }, houseNumber, parent };
    note(isArea ? map.area([spots], place) : map.point(at, place), { name, kind, spots, isArea, parent, houseNumber });
  }
  for (let i = 0; i < 3; i++) {
    const parent = roads[pick(roads.length)];
    const spots: Step[] = [
      [pick(120), pick(120)],
      [pick(120), pick(120)],
    ];
    const name = `range ${i}`;
    const place = {
      category: 'place',
      type: 'house',
      names: { name },
      parent,
      houseRange: { start: 1, end: 9, step: 2 },
    };
    note(map.line(spots.flat(), place), { name, kind: 'range', spots, isArea: false, parent, houseNumber: '' });
  }
  return { map, things };
}

function answerOf(things: readonly Thing[], question: Step, zoom: number): string | undefined {
  const kinds = { 16: ['road'], 17: ['road', 'path'], 18: ['road', 'path', 'house', 'poi'] }[zoom]!;
  const away = (thing: Thing) => distanceTo(thing, question);
  const candidates = things
    .filter(({ kind }) => kinds.includes(kind))
    .filter(thing => away(thing) <= REACH && (!thing.isArea || apart(question, middle(thing)) <= REACH))
    .sort((a, b) => away(a) - away(b) || sizeOf(a) - sizeOf(b) || a.id - b.id);
  const ranges = things.filter(({ kind }) => kind === 'range').sort((a, b) => away(a) - away(b));
  const nearest = candidates[0];
  if (zoom < 18) return nearest?.name;
  if (nearest === undefined) return ranges.find(range => away(range) < RANGE_REACH)?.name;
  const kept = candidates.filter(thing => away(thing) <= away(nearest) + FUZZINESS);
  if (nearest.kind === 'road' || nearest.kind === 'path') {
    const foot = nearestPoint(nearest, question);
    const houses = kept
      .filter(({ kind, parent }) => kind === 'house' && parent === nearest.id)
      .filter(house => apart(foot, middle(house)) < FUZZINESS)
      .sort((a, b) => apart(foot, middle(a)) - apart(foot, middle(b)) || a.id - b.id);
    const reach = houses.length > 0 ? away(houses[0]) : FUZZINESS;
    return (ranges.find(range => range.parent === nearest.id && away(range) < reach) ?? houses[0] ?? nearest).name;
  }
  if (away(nearest) > 0) return (ranges.find(range => away(range) < away(nearest)) ?? nearest).name;
  const inside = kept.find(
    thing =>
      nearest.isArea &&
      !thing.isArea &&
      ['house', 'poi'].includes(thing.kind) &&
      distanceTo(nearest, thing.spots[0]) === 0 &&
      isInside(nearest, thing.spots[0]) &&
      ['', thing.houseNumber].includes(nearest.houseNumber),
  );
  return (inside ?? nearest).name;
}

function apart(a: Step, b: Step): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function middle({ spots }: Thing): Step {
  const between = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  return [between(spots.map(spot => spot[0])), between(spots.map(spot => spot[1]))];
}

function sizeOf({ spots, isArea }: Thing): number {
  return isArea ? (spots[2][0] - spots[0][0]) * (spots[2][1] - spots[0][1]) : 0;
}

/** Areas are rectangles, and have their western and southern edges. */
function isInside({ spots, isArea }: Thing, [east, north]: Step): boolean {
  return isArea && east >= spots[0][0] && east < spots[2][0] && north >= spots[0][1] && north < spots[2][1];
}

function distanceTo(thing: Thing, question: Step): number {
  return isInside(thing, question) ? 0 : apart(question, nearestPoint(thing, question));
}

function nearestPoint({ spots, isArea }: Thing, question: Step): Step {
  const ring = isArea ? [...spots, spots[0]] : spots;
  let best = ring[0];
  for (let i = 1; i < ring.length; i++) {
    const [from, to] = [ring[i - 1], ring[i]];
    const along: Step = [to[0] - from[0], to[1] - from[1]];
    const length = along[0] ** 2 + along[1] ** 2;
    const share = length === 0 ? 0 : ((question[0] - from[0]) * along[0] + (question[1] - from[1]) * along[1]) / length;
    const held = Math.min(1, Math.max(0, share));
    const point: Step = [from[0] + held * along[0], from[1] + held * along[1]];
    if (apart(question, point) < apart(question, best)) best = point;
  }
  return best;
}

test('in crowded towns every answer is the one that looking at everything gives', () => {
  const random = uniform(2);
  const kinds = new Map<string, number>();
  for (let town = 0; town < 60; town++) {
    const { map, things } = drawTown(random);
    for (let i = 0; i < 60; i++) {
      // Thirds of a step: on no border and at no house.
      const question: Step = [Math.floor(random() * 240 - 60) + 0.337, Math.floor(random() * 240 - 60) + 0.211];
      const zoom = [16, 17, 18, 18, 18, 18][i % 6];
      const expected = answerOf(things, question, zoom);
      expect([town, question, zoom, map.at(question, zoom)?.name]).toEqual([town, question, zoom, expected]);
      const kind = expected?.split(' ')[0] ?? 'nothing';
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  }
  // Every rule had its turn.
  for (const kind of ['road', 'path', 'house', 'poi', 'range', 'nothing']) expect(kinds.get(kind)).toBeGreaterThan(50);
});

test('at a house’s own place every town gives that house, or another one there', () => {
  const random = uniform(9);
  for (let town = 0; town < 40; town++) {
    const { map, things } = drawTown(random);
    for (const house of things) {
      if (house.kind !== 'house' || house.isArea) continue;
      const found = things.find(({ name }) => name === map.at(house.spots[0])?.name)!;
      expect(distanceTo(found, house.spots[0])).toBe(0);
      expect(found.isArea).toBe(false);
    }
  }
});
