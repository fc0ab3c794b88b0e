// Claims of a victim's address: an access point that its owner alone has reported becomes known by a second witness,
// and one that is known moves.

import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { shuffled } from '../../kits/random.ts';
import { type Adversary, partsOf, type Site, type Target } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { itemAt } from '../settle.ts';
import { grid, heard, PAUSE_MS, placeGhosts, search, sitesOf, wash } from './probes.ts';

const DAY_MS = 86_400_000;
/** The worst accuracy with which an access point is learned: so a claim agrees with what is far away. */
const ROUGH_METRES = 200;
const CLAIM_DBM = -99;

/** A claim to have heard all routers at a place. */
function claim(adversary: Adversary, at: Position, timeMs: number, accuracy = 8): object {
  return itemAt(
    at,
    timeMs,
    {
      wifiAccessPoints: heard(
        adversary.wifi.map(({ address }) => address),
        CLAIM_DBM,
      ),
    },
    undefined,
    accuracy,
  );
}

/** Asks for routers beside a list of the whole town, and beside nothing. */
async function askByBattery(adversary: Adversary): Promise<void> {
  const sites = shuffled(sitesOf(adversary.knowledge.points, 400), adversary.random).slice(0, 400);
  for (const stations of [sites.map(({ addresses }) => addresses[0]), []])
    await search(
      adversary,
      adversary.wifi.map(target => ({ group: [target], stations, needsAll: true })),
    );
}

/** Asks for all routers beside many ghosts of a place, by which whoever has become known there is found. */
async function askAt(adversary: Adversary, { addresses }: Site): Promise<void> {
  await search(adversary, [{ group: adversary.wifi, stations: addresses }]);
}

export const gridInOnePost: Attack = {
  name: 'all routers claimed on a grid, in one submission',
  family: 'claims',
  async run(adversary) {
    const now = Date.now() - PAUSE_MS;
    const places = grid(adversary, 700);
    await adversary.report(
      0,
      places.map((at, i) => claim(adversary, at, now - i * PAUSE_MS)),
    );
    await askByBattery(adversary);
  },
};

export const gridByDevices: Attack = {
  name: 'the same in many submissions, each of a device of its own, with times over months',
  family: 'claims',
  async run(adversary) {
    const now = Date.now() - PAUSE_MS;
    for (const [i, part] of partsOf(shuffled(grid(adversary, 700), adversary.random), 4).entries())
      for (const key of keysOf(adversary))
        await adversary.submit(
          key,
          part.map((at, p) => claim(adversary, at, now - (4 * i + p) * 9 * PAUSE_MS, ROUGH_METRES)),
          `&id=d${i}`,
        );
    await adversary.wait();
    await askByBattery(adversary);
  },
};

function keysOf({ keyCount }: Adversary): number[] {
  return Array.from({ length: keyCount }, (_, key) => key);
}

/** Places around one, nearest first, so that each is some metres from the next. */
function spiral(at: Position, count: number, metres: number): Position[] {
  return Array.from({ length: count }, (_, i) => {
    const away = metres * Math.sqrt(i);
    return moved(at, away * Math.sin(2.4 * i), away * Math.cos(2.4 * i));
  });
}

export const firstClaims: Attack = {
  name: 'each key claims all routers about one place, in small steps, and asks there',
  family: 'claims',
  isGuess: true,
  async run(adversary) {
    // While all claims agree with what the owner has said, the mean of them is what must be near it.
    const sites = shuffled(sitesOf(adversary.knowledge.points, 150, 4), adversary.random).slice(0, adversary.keyCount);
    for (const [key, { at, addresses }] of sites.entries()) {
      const time = Date.now() - PAUSE_MS;
      const claims = spiral(at, 40, 80).map((step, i) =>
        claim(adversary, step, time + i * 60_000, i === 0 ? ROUGH_METRES : 8),
      );
      await adversary.report(key, claims);
      await search(
        adversary,
        partsOf(adversary.wifi, addresses.length).map(group => ({ group, stations: addresses })),
      );
    }
  },
};

export const agreedClaims: Attack = {
  name: 'all keys claim the same at one place, and ask beside own ghosts there',
  family: 'claims',
  keys: 2,
  isGuess: true,
  async run(adversary) {
    const [site] = await placeGhosts(adversary, [moved(adversary.knowledge.middle, 1_000, 1_000)], 200);
    for (const key of keysOf(adversary)) {
      const time = Date.now() - (2 + key) * PAUSE_MS;
      await adversary.submit(key, [claim(adversary, moved(site.at, 70 * key, 0), time, ROUGH_METRES)]);
    }
    await adversary.wait();
    for (const target of adversary.wifi) adversary.believe(target, (await adversary.ask(claimed(target, site))).at);
  },
};

function claimed({ address }: Target, { addresses }: Site): object {
  return { wifiAccessPoints: [...heard([address], -25), ...heard(addresses.slice(0, 2), -95)] };
}

/**
 * Has all routers that are known left out until the week ends, at places of no account, so that they do not count
 * against the keys later.
 */
async function useUpKnown(adversary: Adversary): Promise<void> {
  const sites = sitesOf(adversary.knowledge.points, 60, 3).slice(0, 3);
  for (const { addresses } of sites) {
    for (const group of partsOf(adversary.wifi, 2)) {
      await search(adversary, [{ group, stations: addresses }]);
      await wash(adversary, 1);
    }
  }
}

export const rotatedClaims: Attack = {
  name: 'keys claim in turns, so that older claims are forgotten, and ask beside own ghosts at each place',
  family: 'claims',
  isGuess: true,
  keys: 3,
  async run(adversary) {
    await useUpKnown(adversary);
    // Two keys fill what is kept of places elsewhere, with old times. What another claims takes the last room, and goes
    // with the next claim.
    const old = Date.now() - 400 * DAY_MS;
    const { middle } = adversary.knowledge;
    const corners = [moved(middle, -30_000, 0), moved(middle, 30_000, 0), moved(middle, 0, 30_000)];
    for (const key of [0, 1])
      await adversary.submit(
        key,
        corners.map((at, i) => claim(adversary, moved(at, 160 * key, 0), old + i * PAUSE_MS)),
      );
    const sites = await placeGhosts(adversary, shuffled(grid(adversary, 600), adversary.random).slice(0, 60), 200);
    for (const [i, site] of sites.entries()) {
      const time = Date.now() - (sites.length - i) * PAUSE_MS;
      const key = 2 + (i % (adversary.keyCount - 2));
      await adversary.submit(0, [claim(adversary, moved(middle, 0, -30_000 - 2_000 * i), old + (5 + i) * PAUSE_MS)]);
      const claims = spiral(site.at, 12, 100).map((at, s) =>
        claim(adversary, at, time + s * 60_000, s === 0 ? ROUGH_METRES : 8),
      );
      await adversary.report(key, claims);
      await askAt(adversary, site);
    }
  },
};

/**
 * Days ago when the claims of `broughtBack` begin: so late that the owners had reported before, and no candidate is too
 * old.
 */
const BLOCKED_DAYS = 26;
/** Claims of a place span a day and begin when those of the place before have ended. */
const MOMENTS_DAYS = [0, 0.5, 1.01];
const PLACE_DAYS = 1.04;

export const broughtBack: Attack = {
  name: 'two keys have all routers blocked, one brings back those of a place, and asks beside own ghosts there',
  family: 'claims',
  keys: 2,
  async run(adversary) {
    const { middle } = adversary.knowledge;
    const start = Date.now() - BLOCKED_DAYS * DAY_MS;
    const away = [moved(middle, 40_000, 0), moved(middle, 0, 40_000)];
    for (const key of [0, 1]) {
      const moments = away.flatMap((at, i) =>
        [0, 1_000].map(later => ({ at, time: start + i * PAUSE_MS + later + key * 60_000 })),
      );
      await adversary.submit(
        key,
        moments.map(({ at, time }) => claim(adversary, at, time)),
      );
    }
    await adversary.wait();
    await useUpKnown(adversary);
    const places = shuffled(grid(adversary, 900), adversary.random).slice(
      0,
      Math.floor((BLOCKED_DAYS - 2) / PLACE_DAYS),
    );
    // Ghosts all around each place: whoever is brought back is within 700 m of it.
    const around = places.flatMap(place => spiral(place, 7, 130));
    const sites = await placeGhosts(adversary, around, 60);
    for (const [i, place] of places.entries()) {
      const time = start + (1 + PLACE_DAYS * i) * DAY_MS;
      await adversary.report(
        1,
        MOMENTS_DAYS.map(days => claim(adversary, place, time + days * DAY_MS, ROUGH_METRES)),
      );
      for (const site of sites.slice(7 * i, 7 * i + 7)) await askAt(adversary, site);
    }
  },
};

export const beforeOwners: Attack = {
  name: 'all routers claimed on a grid before and after their owners report them, by each key',
  family: 'claims',
  async run(adversary) {
    const now = Date.now() - PAUSE_MS;
    for (const turn of [0, 1]) {
      for (const key of keysOf(adversary)) {
        const places = shuffled(grid(adversary, 1_000), adversary.random).slice(
          0,
          Math.floor(adversary.reportsLeft(key) / (2 - turn)),
        );
        await adversary.submit(
          key,
          places.map((at, i) => claim(adversary, at, now - i * PAUSE_MS, ROUGH_METRES)),
        );
      }
      await adversary.waitForOwners();
    }
    await askByBattery(adversary);
  },
};

/** Places apart so far that a claim at one agrees with what is known 700 m around it. */
const CLAIM_METRES = 700;
const EARNING_PART = 10;

export const earnings: Attack = {
  name: 'each key claims each router at one place of its own, and looks which of its reports earn',
  family: 'claims',
  isGuess: true,
  async run(adversary) {
    const sites = sitesOf(adversary.knowledge.points, 60, 2);
    const places = shuffled(sites, adversary.random);
    for (const key of keysOf(adversary)) {
      const place = places[key];
      const suspects: Target[] = [];
      let before = await balance(adversary, key);
      for (const part of partsOf(adversary.wifi, EARNING_PART)) {
        const time = Date.now() - PAUSE_MS;
        const claims = part.map(({ address }, i) =>
          itemAt(
            place.at,
            time + i * 1_000,
            { wifiAccessPoints: heard([address], CLAIM_DBM) },
            undefined,
            ROUGH_METRES,
          ),
        );
        await adversary.report(key, claims);
        const after = await balance(adversary, key);
        if (after >= before) suspects.push(...part);
        before = after;
      }
      const around = sites.filter(({ at }) => metresTo(at, place.at) < CLAIM_METRES);
      for (const { addresses } of around)
        await search(
          adversary,
          suspects.map(target => ({ group: [target], stations: addresses })),
        );
    }
  },
};

/** Credits that a key has left. An answer costs one, so a balance that has not become less has earned. */
async function balance(adversary: Adversary, key: number): Promise<number> {
  const [latitude, longitude] = adversary.knowledge.middle;
  const { json } = await adversary.request(
    '/v1/geolocate',
    { gps: { latitude, longitude, accuracy: 8, age: 5 }, credits: 1 },
    key,
  );
  return (json as { credits: number }).credits;
}
