// An attack on a town. Somebody does not search but sends public points beside others of other places, so that they
// count as what is searched for, and hopes that nobody is answered by them any more. Afterwards an honest key asks at
// each public place, as who stands there does.

import { Agent } from 'node:http';
import { metresTo, type Position } from '../kits/radio/ground.ts';
import { shuffled, uniform } from '../kits/random.ts';
import { type ServiceProcess, send } from '../kits/service_process.ts';
import { partsOf, readAnswer } from './adversary.ts';
import { heard, sitesOf } from './attacks/probes.ts';
import { areApart } from './attacks/spread.ts';
import { newAccounts } from './campaign.ts';
import { type SettledTown, serveCopy } from './settle.ts';
import type { PublicPoint, Town } from './town.ts';

/** Its name in the list of attacks. */
export const SIEGE = 'an attack on a town';

/** What is left of a town. */
export interface Besieged {
  /** Public places with three points or more. */
  places: number;
  /** Those at which an honest key is answered where it is. */
  answered: number;
  /** Requests of the attack. */
  asked: number;
}

/** As a service has them that answers many. */
const FLAGS = ['--http-threads', '1', '--workers', '1', '--compute', 'pool'];
const SITE_METRES = 60;
/** What an honest device hears at a place. */
const HEARD_MIN = 3;
const HEARD_MAX = 5;
/** An answer this near is right. */
const RIGHT_METRES = 200;
/** Among so many points that are heard farthest, groups are looked for, so far from each other that each is a place. */
const WIDE_POINTS = 300;
const GROUPS = 3;
const GROUPS_APART_METRES = 1_000;
/** Access points of a scan: as many as count, and as many as are answered. */
const SCAN = 400;
const SMALL_SCAN = 300;
const BATCH = 32;
const AT_ONCE = 48;
const LEVEL_DBM = -70;

/** Attacks a copy of a town with some keys, each with so many requests. @param folder for its data, new */
export async function besiege(settled: SettledTown, keys: number, requests: number, folder: string): Promise<Besieged> {
  const service = await serveCopy(settled, folder, FLAGS);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const ask = async (key: string, bodies: readonly object[]) => {
    const { json } = await send(service.url, { agent, path: `/v1/geolocate/batch?key=${key}`, body: bodies });
    return (json as object[]).map(readAnswer);
  };
  try {
    let asked = 0;
    for (const [k, { key }] of (await newAccounts(service, keys)).entries()) {
      // Many at once: they are under way before the first has counted.
      for (const part of partsOf(falseScans(settled.town, k).slice(0, requests), AT_ONCE)) {
        const answers = await Promise.all(part.map(scan => ask(key, [scan])));
        const refused = answers.filter(([{ reason }]) => reason === 'strayLimitExceeded').length;
        asked += part.length - refused;
        if (refused === part.length) break;
      }
    }
    return { ...(await askHonestly(service, settled.town, ask)), asked };
  } finally {
    agent.destroy();
    await service.stop();
  }
}

function scanOf(addresses: readonly string[]): object {
  return { wifiAccessPoints: heard(addresses, LEVEL_DBM) };
}

/** Scans in which points of all places are named beside such as agree with each other. */
function falseScans({ points, seed }: Town, turn: number): object[] {
  const random = uniform(seed + 6 + turn);
  const groups = groupsOf(points);
  const sites = sitesOf(points, SITE_METRES, HEARD_MIN);
  // One point of a place alone answers nobody.
  const spared = new Set(sites.map(({ addresses }) => addresses[0]));
  const named = new Set(sites.flatMap(({ addresses }) => addresses));
  const victims = points.filter(({ address }) => named.has(address) && !spared.has(address));
  const scans: object[] = [];
  for (const size of [SCAN, SMALL_SCAN]) {
    const most = Math.min(size / 2, ...groups.map(({ length }) => length));
    // The same points at one place after another, before the next ones.
    for (const part of partsOf(shuffled(victims, random), most - 1))
      for (const group of groups) {
        const inside = new Set(group);
        const others = part.filter(point => !inside.has(point));
        scans.push(scanOf([...group.slice(0, most), ...others].map(({ address }) => address)));
      }
  }
  // Two points of each site beside three of another one.
  for (const [i, { addresses }] of sites.entries())
    for (const other of [1, 2, 3].map(step => sites[(i + step * 97) % sites.length]))
      scans.push(scanOf([...other.addresses.slice(0, HEARD_MIN), ...addresses.slice(0, 2)]));
  return scans;
}

/** The largest groups of points of which one hears all others, that one first. */
function groupsOf(points: readonly PublicPoint[]): PublicPoint[][] {
  const widest = [...points].sort((a, b) => b.radius - a.radius).slice(0, WIDE_POINTS);
  const all = widest
    .map(middle => [middle, ...points.filter(other => other !== middle && !areApart(middle, other))])
    .sort((a, b) => b.length - a.length);
  const chosen: PublicPoint[][] = [];
  for (const group of all)
    if (chosen.length < GROUPS && chosen.every(([{ at }]) => metresTo(at, group[0].at) > GROUPS_APART_METRES))
      chosen.push(group);
  return chosen;
}

async function askHonestly(
  service: ServiceProcess,
  { points }: Town,
  ask: (key: string, bodies: readonly object[]) => Promise<{ at: Position | undefined }[]>,
): Promise<{ places: number; answered: number }> {
  const [{ key }] = await newAccounts(service, 1);
  const sites = sitesOf(points, SITE_METRES, HEARD_MIN);
  let answered = 0;
  for (const part of partsOf(sites, BATCH)) {
    const answers = await ask(
      key,
      part.map(({ addresses }) => scanOf(addresses.slice(0, HEARD_MAX))),
    );
    answered += answers.filter(({ at }, i) => metresTo(at, part[i].at) < RIGHT_METRES).length;
  }
  return { places: sites.length, answered };
}
