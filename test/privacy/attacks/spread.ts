// Stations that stand apart from each other, around a place: whoever stands there hears all of them, and none of them
// hears another. So an address there has most of the others around it, while no station in the list has half of them
// around itself.

import { formatMac, parseMac } from '../../../src/radio/mac.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { shuffled } from '../../kits/random.ts';
import { type Adversary, partsOf, type Site } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { octet, type PublicPoint, withOctet } from '../town.ts';
import { ghost, grid, type Probe, placeGhosts, search } from './probes.ts';

/**
 * The 95 % radius of a list's access points, in times of their radius, and the bounds within which a station is heard.
 */
const R95_TO_RADIUS = 2.6;
const REACH_METRES = 100;
const REACH_METRES_MAX = 500;
/** How much further apart two stations are than they reach. */
const GAP_METRES = 3;
/** Own ghosts around a place: on a triangle, so many at each corner. */
const CORNER_GHOSTS = 60;
const TRIANGLE_METRES = 206;

function reachOf({ radius }: PublicPoint): number {
  return Math.min(REACH_METRES_MAX, Math.max(REACH_METRES, R95_TO_RADIUS * radius));
}

/** True if nobody hears both of them where one of them stands. */
export function areApart(a: PublicPoint, b: PublicPoint): boolean {
  return metresTo(a.at, b.at) > reachOf(a) + reachOf(b) + GAP_METRES;
}

export const publicPairs: Attack = {
  name: 'two public points on either side of a place and one far away, for each victim',
  family: 'lists of stations',
  isQuiet: true,
  async run(adversary) {
    const { points } = adversary.knowledge;
    const pairs = points.flatMap((a, i) => {
      const b = points
        .slice(i + 1)
        .find(other => areApart(a, other) && metresTo(a.at, other.at) < reachOf(a) + reachOf(other) + REACH_METRES);
      return b === undefined ? [] : [[a, b]];
    });
    const far = (at: Position) => points.find(other => metresTo(at, other.at) > 5_000)!;
    const some = shuffled(pairs, adversary.random).slice(0, Math.ceil(adversary.requestsLeft / adversary.wifi.length));
    for (const [a, b] of some) {
      const stations = [a, b, far(a.at)].map(({ address }) => address);
      await search(
        adversary,
        adversary.wifi.map(target => ({ group: [target], stations, needsAll: true })),
      );
    }
  },
};

export const ghostTriangles: Attack = {
  name: 'own ghosts on the corners of a triangle around one place after another, many victims beside them',
  family: 'lists of stations',
  keys: 2,
  async run(adversary) {
    const middles = shuffled(grid(adversary, 350), adversary.random).slice(0, 600);
    for (const part of partsOf(middles, 30)) {
      const corners = part.flatMap(middle => cornersAround(middle));
      const sites = await placeGhosts(adversary, corners, CORNER_GHOSTS, n =>
        cornerGhost(corners[Math.floor(n / CORNER_GHOSTS)], n),
      );
      await search(
        adversary,
        partsOf(sites, 3).flatMap(three => probesAt(adversary, three)),
      );
    }
  },
};

function cornersAround(middle: Position): Position[] {
  const metres = TRIANGLE_METRES / Math.sqrt(3);
  return [0, 1, 2].map(i =>
    moved(middle, metres * Math.sin((2 * Math.PI * i) / 3), metres * Math.cos((2 * Math.PI * i) / 3)),
  );
}

function cornerGhost([latitude, longitude]: Position, n: number): string {
  return ghost(Math.round(latitude * 1e5) * 40_009 + Math.round(longitude * 1e5) * 97 + n);
}

function probesAt(adversary: Adversary, three: readonly Site[]): Probe[] {
  const stations = three.flatMap(({ addresses }) => addresses);
  return partsOf(adversary.wifi, CORNER_GHOSTS).map(group => ({ group, stations, needsAll: true }));
}

export const ghostSiblings: Attack = {
  name: 'own ghosts with addresses like that of the victim far away, and public points of one place after another',
  family: 'lists of stations',
  isGuess: true,
  keys: 2,
  async run(adversary) {
    // Stations of its own device do not count for it, but keep the place from having half of all.
    const { points } = adversary.knowledge;
    const targets = shuffled(adversary.wifi, adversary.random).slice(0, 10);
    const far = grid(adversary, 5_000);
    const like = (address: string, i: number) =>
      formatMac(withOctet(parseMac(address), 1, octet(parseMac(address), 1) + 40 + i));
    const names = targets.flatMap(({ address }) => far.map((_, i) => like(address, i)));
    const places = targets.flatMap(() => far);
    await placeGhosts(adversary, places, 1, n => names[n]);
    const sites = shuffled(grid(adversary, 500), adversary.random).map(at =>
      points.filter(point => metresTo(at, point.at) < 250),
    );
    for (const site of sites.filter(({ length }) => length >= 2))
      await search(
        adversary,
        targets.map((target, t) => {
          const fillers = names.slice(t * far.length, (t + 1) * far.length);
          return { group: [target], stations: [site[0].address], fillers };
        }),
      );
  },
};

export const distantPlace: Attack = {
  name: 'own ghosts of one device around one place after another, and others that agree far away',
  family: 'lists of stations',
  keys: 2,
  async run(adversary) {
    // The others make a position possible, always at the same place. The ghosts around are of the same device as one of
    // them, and so do not speak against it.
    const middle = adversary.knowledge.middle;
    const first = parseMac(ghost(1));
    const names = [formatMac(first), ...[2, 3, 4, 5, 6].map(ghost)];
    await placeGhosts(adversary, [middle], names.length, n => names[n]);
    const middles = shuffled(grid(adversary, 250), adversary.random).slice(0, 330);
    const around = middles.flatMap(cornersAround);
    const oneDevice = (n: number) =>
      formatMac(
        withOctet(withOctet(first, 0, octet(first, 0) + 1 + (n % 250)), 2, octet(first, 2) + 1 + Math.floor(n / 250)),
      );
    const sites = await placeGhosts(adversary, around, 2, oneDevice);
    const targets = shuffled(adversary.wifi, adversary.random).slice(0, 12);
    for (const three of partsOf(sites, 3)) {
      const stations = [...names, ...three.flatMap(({ addresses }) => addresses)];
      await search(
        adversary,
        targets.map(target => ({ group: [target], stations, needsAll: true })),
      );
    }
  },
};
