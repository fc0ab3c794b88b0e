// A false fix as a compass. A fix says which stations are around the device. Where only these have a vote, an address
// that is sent beside a place of the town has one or none, as it is within a circle around the fix or outside; and the
// place is chosen so that this vote decides whether it is answered. So each answer tells on which side of a line the
// address is, and the lines halve the town, now from west to east, now from south to north.

import { ECCENTRICITY_SQUARED, EQUATOR_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { shuffled } from '../../kits/random.ts';
import { type Adversary, type Answered, partsOf, type Site, type Target } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { heard, sitesOf } from './probes.ts';

/** A circle this large is a line in a town. It is as large as the radius of a fix, three times. */
const CIRCLE_METRES = 60_000;
const RADII = 3;
/** A fix that is this old does not outweigh access points. */
const OLD_SECONDS = 70;
/** A line keeps this far from the places by which it asks, which are on its inner side. */
const CLEAR_METRES = 2_500;
const FILLER_METRES = 1_100;
const FILLERS_MAX = 12;
/** What an address has been narrowed down to when he believes the middle of it. */
const FOUND_METRES = 100;
const ANSWERED_METRES = 1_000;
const PLACE_DBM = -60;
/** So many at a time are no more strays than answers forgive. */
const PART = 24;
const TURNS_MAX = 30;

/** Metres from the middle of the town to the east and the north. */
type Range = [least: number, most: number];

interface Search {
  target: Target;
  /** By axis. */
  box: [Range, Range];
}

/** A place and stations around it that stand apart: with one vote more it has not enough of them. */
interface Base {
  site: Site;
  east: number;
  north: number;
  stations: string[];
}

export const compass: Attack = {
  name: 'a false fix as a compass: a line through the town, and whether a place on one side of it is answered',
  family: 'false fixes and cells',
  isFrugal: true,
  async run(adversary) {
    const bases = await basesOf(adversary);
    for (const part of partsOf(shuffled(adversary.wifi, adversary.random), PART)) await halve(adversary, bases, part);
  },
};

async function halve(adversary: Adversary, bases: readonly Base[], targets: readonly Target[]): Promise<void> {
  const { middle, halfMetres } = adversary.knowledge;
  // Who changes nothing where all have a vote is not known.
  const all = await adversary.askAll(targets.map(target => around(target, bases[0], middle)));
  let searches = targets
    .filter((_, i) => !isAnswered(all[i], bases[0]))
    .map((target): Search => ({ target, box: [wholeOf(halfMetres), wholeOf(halfMetres)] }));
  for (let turn = 0; turn < TURNS_MAX && searches.length > 0; turn++) {
    const cuts = searches.map(search => cutOf(adversary, bases, search));
    const answers = await adversary.askAll(cuts.map(({ body }) => body));
    for (const [i, { range, line, base, isInnerBelow, margin }] of cuts.entries()) {
      const isInside = !isAnswered(answers[i], base);
      if (isInside === isInnerBelow) range[1] = Math.min(range[1], line + margin);
      else range[0] = Math.max(range[0], line - margin);
    }
    for (const { target, box } of searches)
      if (Math.max(...box.map(lengthOf)) <= FOUND_METRES)
        adversary.believe(target, moved(middle, middleOf(box[0]), middleOf(box[1])));
    searches = searches.filter(({ target }) => !adversary.beliefs.has(target.victim));
  }
}

function wholeOf(halfMetres: number): Range {
  return [-halfMetres, halfMetres];
}

function lengthOf([least, most]: Range): number {
  return most - least;
}

function middleOf([least, most]: Range): number {
  return (least + most) / 2;
}

function isAnswered({ at }: Answered, { site }: Base): boolean {
  return metresTo(at, site.at) < ANSWERED_METRES;
}

/** Two places, in opposite corners of the town, each with as many stations as it can stand. */
async function basesOf(adversary: Adversary): Promise<Base[]> {
  const { points, middle, halfMetres } = adversary.knowledge;
  const sites = sitesOf(points, 60, 3);
  const bases: Base[] = [];
  for (const side of [-halfMetres / 2, halfMetres / 2]) {
    const corner = moved(middle, side, side);
    const site = sites.reduce((best, each) => (metresTo(each.at, corner) < metresTo(best.at, corner) ? each : best));
    const fillers: Site[] = [];
    for (const each of sites)
      if (metresTo(each.at, site.at) < CLEAR_METRES && [site, ...fillers].every(other => isFar(other, each)))
        fillers.push(each);
    const lists = Array.from({ length: FILLERS_MAX }, (_, count) => [
      ...site.addresses.slice(0, 3),
      ...fillers.slice(0, count).map(({ addresses }) => addresses[0]),
    ]);
    const base = { site, east: side, north: side, stations: lists[0] };
    const answers = await adversary.askAll(lists.map(list => ({ wifiAccessPoints: heard(list, PLACE_DBM) })));
    for (const [i, answer] of answers.entries()) if (isAnswered(answer, base)) base.stations = lists[i];
    bases.push(base);
  }
  return bases;
}

function isFar(a: Site, b: Site): boolean {
  return metresTo(a.at, b.at) > FILLER_METRES;
}

/** A question with a fix, whose circle has the place on its inner side. */
function around({ address }: Target, { stations }: Base, [latitude, longitude]: Position): object {
  return {
    wifiAccessPoints: heard([...stations, address], PLACE_DBM),
    gps: { latitude, longitude, accuracy: CIRCLE_METRES / RADII, age: OLD_SECONDS },
  };
}

/** The next question: a line through the middle of what is left, across its longer side. */
function cutOf(adversary: Adversary, bases: readonly Base[], { target, box }: Search) {
  const axis = lengthOf(box[0]) >= lengthOf(box[1]) ? 0 : 1;
  const across = box[1 - axis];
  const range = box[axis];
  const line = middleOf(range);
  const placeOn = (base: Base) => (axis === 0 ? base.east : base.north);
  const base = bases.find(each => Math.abs(placeOn(each) - line) > CLEAR_METRES)!;
  const isInnerBelow = placeOn(base) < line;
  const { middle } = adversary.knowledge;
  const through = axis === 0 ? moved(middle, line, middleOf(across)) : moved(middle, middleOf(across), line);
  const body = around(target, base, awayFrom(through, axis, isInnerBelow ? -CIRCLE_METRES : CIRCLE_METRES));
  // The circle bends away from the line by so much at the ends of the box.
  return { range, line, base, isInnerBelow, margin: (lengthOf(across) / 2) ** 2 / (2 * CIRCLE_METRES) + 1, body };
}

/** A position some metres away along an axis, in the plane in which the service measures from there. */
function awayFrom([latitude, longitude]: Position, axis: number, metres: number): Position {
  if (axis === 0) return [latitude, longitude + metres / perDegree(latitude).east];
  const about = latitude + metres / perDegree(latitude).north;
  return [latitude + metres / perDegree(about).north, longitude];
}

/** Metres of a degree on the ellipsoid. */
function perDegree(latitude: number): { east: number; north: number } {
  const sine = Math.sin(latitude * RADIANS_PER_DEGREE);
  const flattening = 1 - ECCENTRICITY_SQUARED * sine * sine;
  const normal = (RADIANS_PER_DEGREE * EQUATOR_RADIUS_METRES) / Math.sqrt(flattening);
  return {
    east: normal * Math.cos(latitude * RADIANS_PER_DEGREE),
    north: (normal * (1 - ECCENTRICITY_SQUARED)) / flattening,
  };
}
