// Questions that attacks have in common: victims beside stations of a place, and what an answer tells of them.

import { formatMac } from '../../../src/radio/mac.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { type Adversary, type Answered, partsOf, type Site, type Target } from '../adversary.ts';
import { itemAt } from '../settle.ts';
import type { PublicPoint } from '../town.ts';

/** Levels of an address and of the stations beside it, where it shall decide the answer. */
const LOUD_DBM = -25;
const FAINT_DBM = -95;
/** The same where it shall change an answer that many stations make: as it would be heard from where they are. */
const WATCHED_DBM = -60;
const STEADY_DBM = -80;
/** Stations beside which an address decides the answer. */
const FEW = 2;
/** Answers have seven decimals. */
const TOUCHED_METRES = 0.03;
/** Reports of one key are so far apart in time that no speed refuses them. */
export const PAUSE_MS = 3_700_000;

/** Stations of one level, in the words of a request. */
export function heard(
  addresses: readonly string[],
  signalStrength: number,
): { macAddress: string; signalStrength: number }[] {
  return addresses.map(macAddress => ({ macAddress, signalStrength }));
}

/** Victims beside stations of their kind. @param rest of the body */
function beside(
  targets: readonly Target[],
  stations: readonly string[],
  [own, others]: readonly [number, number],
  rest: object,
): object {
  const wifi = targets.filter(({ isBluetooth }) => !isBluetooth).map(({ address }) => address);
  const devices = targets.filter(({ isBluetooth }) => isBluetooth).map(({ address }) => address);
  const isOfDevices = wifi.length === 0 && devices.length > 0;
  return {
    wifiAccessPoints: [...heard(wifi, own), ...(isOfDevices ? [] : heard(stations, others))],
    bluetoothBeacons: [...heard(devices, own), ...(isOfDevices ? heard(stations, others) : [])],
    ...rest,
  };
}

/** Public points as sites: each joins the first site within some metres. */
export function sitesOf(points: readonly PublicPoint[], metres: number, least = 1): Site[] {
  const sites: Site[] = [];
  for (const { address, at } of points) {
    const site = sites.find(each => metresTo(each.at, at) <= metres);
    if (site === undefined) sites.push({ at, addresses: [address] });
    else site.addresses.push(address);
  }
  return sites.filter(({ addresses }) => addresses.length >= least);
}

/** A question about a group of victims. */
export interface Probe {
  group: readonly Target[];
  /** Stations at one place, or all over the town. */
  stations: readonly string[];
  /** Stations that are elsewhere in any case. */
  fillers?: readonly string[];
  /** Further members of the body. */
  rest?: object;
  /** All stations are needed to find one of the group. */
  needsAll?: boolean;
}

function watch({ stations, fillers = [], rest = {} }: Probe, part: readonly Target[]): object {
  return beside(part, [...stations, ...fillers], [WATCHED_DBM, STEADY_DBM], rest);
}

function decide({ stations, fillers = [], rest = {}, needsAll = false }: Probe, target: Target): object {
  return beside([target], [...(needsAll ? stations : stations.slice(0, FEW)), ...fillers], [LOUD_DBM, FAINT_DBM], rest);
}

/**
 * Asks with and without each group, finds who it is that changes an answer, and believes what is answered where that
 * one decides.
 */
export async function search(adversary: Adversary, probes: readonly Probe[]): Promise<void> {
  for (const part of partsOf(probes, 50)) {
    const without = await askOnce(
      adversary,
      part.map(probe => watch(probe, [])),
    );
    const answers = await adversary.askAll(part.map(probe => watch(probe, probe.group)));
    for (const [i, answer] of answers.entries())
      if (differs(answer, without[i])) await resolve(adversary, part[i], without[i]);
  }
}

/** Asks equal questions once. */
async function askOnce(adversary: Adversary, bodies: readonly object[]): Promise<Answered[]> {
  const numbers = new Map<string, number>();
  const texts = bodies.map(body => JSON.stringify(body));
  const distinct = bodies.filter((_, i) => {
    if (numbers.has(texts[i])) return false;
    numbers.set(texts[i], numbers.size);
    return true;
  });
  const answers = await adversary.askAll(distinct);
  return texts.map(text => answers[numbers.get(text)!]);
}

/** True for an answer that another one would not have been. */
export function differs({ at }: Answered, without: Answered): boolean {
  return at !== undefined && metresTo(without.at, at) > TOUCHED_METRES;
}

async function resolve(adversary: Adversary, probe: Probe, without: Answered): Promise<void> {
  const left = probe.group.filter(({ victim }) => !adversary.beliefs.has(victim));
  const target = await whichOf(left, async part => differs(await adversary.ask(watch(probe, part)), without));
  if (target !== undefined) adversary.believe(target, (await adversary.ask(decide(probe, target))).at);
}

/** Who of a group changes an answer, by halves; undefined where no half does. */
async function whichOf(
  group: readonly Target[],
  changes: (part: readonly Target[]) => Promise<boolean>,
): Promise<Target | undefined> {
  if (group.length <= 1) return group[0];
  const half = group.slice(0, Math.ceil(group.length / 2));
  if (await changes(half)) return whichOf(half, changes);
  const rest = group.slice(half.length);
  return (await changes(rest)) ? whichOf(rest, changes) : undefined;
}

/** Public points, each of another place, far from one. */
export function fillersFor({ points }: { points: readonly PublicPoint[] }, at: Position, count: number): string[] {
  const chosen: PublicPoint[] = [];
  for (let i = 0; chosen.length < count && i < points.length; i += 3)
    if ([at, ...chosen.map(each => each.at)].every(place => metresTo(place, points[i].at) > 3_000))
      chosen.push(points[i]);
  return chosen.map(({ address }) => address);
}

/** Asks one question for each target and believes every answer. */
export async function believeAll(
  adversary: Adversary,
  targets: readonly Target[],
  body: (target: Target) => object,
): Promise<void> {
  const answers = await adversary.askAll(targets.map(body));
  for (const [i, { at }] of answers.entries()) adversary.believe(targets[i], at);
}

/** Has so many strays of a key forgiven, by answers that have none. */
export async function wash(adversary: Adversary, strays: number): Promise<void> {
  const [{ addresses }] = sitesOf(adversary.knowledge.points.slice(0, 3), 60);
  await adversary.askAll(
    Array.from({ length: 4 * strays }, () => ({ wifiAccessPoints: heard(addresses, STEADY_DBM) })),
  );
}

/** Places on a grid over the town. */
export function grid({ knowledge: { middle, halfMetres } }: Adversary, spacingMetres: number): Position[] {
  const steps = Math.floor((2 * halfMetres) / spacingMetres) + 1;
  const first = (-(steps - 1) / 2) * spacingMetres;
  return Array.from({ length: steps * steps }, (_, i) =>
    moved(middle, first + (i % steps) * spacingMetres, first + Math.floor(i / steps) * spacingMetres),
  );
}

/** The nth access point that there is not; its address is like no other. */
export function ghost(n: number): string {
  return formatMac(0x040000000000 + Number((BigInt(n + 1) * 0x9e3779b97fn) % 2n ** 40n));
}

/**
 * What two keys contribute of ghosts at places: each key one report a place.
 * @param list of a report that has them
 * @returns the ghosts of each place
 */
export async function placeGhosts(
  adversary: Adversary,
  places: readonly Position[],
  each: number,
  name = ghost,
  list = 'wifiAccessPoints',
): Promise<Site[]> {
  const sites = places.map((at, p) => ({ at, addresses: Array.from({ length: each }, (_, i) => name(p * each + i)) }));
  const start = Date.now() - PAUSE_MS;
  const items = sites.map(({ at, addresses }, p) =>
    itemAt(at, start - p * PAUSE_MS, { [list]: heard(addresses, -60) }),
  );
  for (const key of [0, 1]) for (const part of partsOf(items, 200)) await adversary.submit(key, part);
  await adversary.wait();
  return sites;
}
