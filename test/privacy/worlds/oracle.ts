// The property that keeps a station's place secret, checked by brute force in one small world: whatever is sent, the
// answer does not depend on where a station stands that is near no other device of the scan; and where it would be
// another one if the station stood at a place of the scan, the account has guessed it there. The station is moved
// everywhere: to each other one, inside and outside of each circle, and far away.
//
// What is near, and what is a device, is worked out here once more, in plain words.

import { KIND_WIFI } from '../../../src/radio/kind.ts';
import { AGE_ABSENT } from '../../../src/radio/query/layout.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { uniform } from '../../kits/random.ts';
import {
  areOneDevice,
  drawWorld,
  guessedDevice,
  type Outcome,
  type SmallWorld,
  type WorldAsker,
  type WorldStation,
} from './small_world.ts';

/** Metres: what is so near the edge of a circle that two ways of measuring may differ is not tried. */
const EDGE_METRES = 3;
/** A place of a scan may be as far from a station that is heard there. */
const PLACE_METRES = 2_500;

/**
 * What happened before: nothing; many accounts were wrong about some of the devices, so that they have no vote; the
 * account has no guess of the station left; others ask the same between its requests.
 */
const VARIANTS = ['plain', 'left out', 'spent', 'among others'] as const;

interface Checking {
  world: SmallWorld;
  variant: (typeof VARIANTS)[number];
  random: () => number;
  tried: Tried;
}

/** The other stations of a scan: those of other devices, and those of its own. */
interface Beside {
  others: readonly WorldStation[];
  sisters: readonly WorldStation[];
}

/** How often each thing was tried, so that a test can see that all were. */
export interface Tried {
  isolated: number;
  atPlaces: number;
  differing: number;
  found: number;
  withoutOne: number;
}

/** Metres within which a station is heard: what is documented for access points and beacons. */
function reachOf({ kind, station: { r95Metres, isUntrusted } }: WorldStation): number {
  const [least, most, mostUntrusted] = kind === KIND_WIFI ? [100, 500, 200] : [25, 100, 50];
  return Math.min(Math.max(r95Metres, least), isUntrusted ? mostUntrusted : most);
}

/** Stations by device: a chain of addresses is one. */
function devicesOf(stations: readonly WorldStation[]): WorldStation[][] {
  const devices: WorldStation[][] = [];
  for (const each of stations) {
    const own = devices.filter(device => device.some(other => !areAlone(each, other) && areOneDevice(each, other)));
    for (const device of own) devices.splice(devices.indexOf(device), 1);
    devices.push([each, ...own.flat()]);
  }
  return devices;
}

function areAlone(a: WorldStation, b: WorldStation): boolean {
  return a.isPublic || b.isPublic;
}

/**
 * Checks a world.
 * @returns sentences, one for each way in which the property does not hold
 */
export function checkWorld(asker: WorldAsker, seed: number, tried: Tried): string[] {
  const world = drawWorld(seed);
  const random = uniform(seed ^ 0x5bd1e995);
  const variant = VARIANTS[seed % VARIANTS.length];
  asker.settle(world);
  const broken = checkWithoutOne(asker, world, tried);
  if (variant === 'left out') for (const each of world.stations) if (random() < 0.4) asker.leaveOut(each);
  for (const each of world.stations) {
    if (each.isPublic) continue;
    const devices = devicesOf(world.stations);
    const others = devices.filter(device => !device.includes(each)).flat();
    const sisters = devices.flatMap(device => (device.includes(each) ? device.filter(other => other !== each) : []));
    broken.push(...checkStation(asker, { world, variant, random, tried }, each, { others, sisters }));
    asker.put(each, [each.station.latitude, each.station.longitude]);
  }
  return broken.map(sentence => `world ${seed}: ${sentence}`);
}

function checkStation(
  asker: WorldAsker,
  { world, variant, random, tried }: Checking,
  each: WorldStation,
  { others, sisters }: Beside,
): string[] {
  const broken: string[] = [];
  const name = `${each.mac.toString(16)}, ${variant},`;
  const askAt = (at: Position): Outcome => {
    asker.put(each, at);
    const account = asker.newAccount();
    if (variant === 'spent') asker.spend(account, each);
    if (variant === 'among others') asker.askAsOther(world);
    return asker.ask(world, account);
  };
  // A device is where any of its stations is: beside a sister a station is at the place of that.
  const isIsolated = isFarFrom(each, [...others, ...sisters]);
  const isolated = isolatedPlaces(world, each, others, random).filter(isIsolated).map(askAt);
  tried.isolated += isolated.length;
  const [first] = isolated;
  for (const other of isolated) {
    if (other.bytes !== first.bytes) broken.push(`the answer tells where ${name} is, which is near no other device`);
    if (describeWrong(other) !== describeWrong(first)) broken.push(`what is noted tells where ${name} is`);
  }
  const device = guessedDevice(each);
  const guessed = first.wrong.filter(wrong => wrong.device === device).flatMap(({ places }) => places);
  for (const at of [...nearPlaces(each, others, random), ...nearPlaces(each, sisters, random)]) {
    const there = askAt(at);
    tried.atPlaces++;
    if (there.bytes === first.bytes) continue;
    tried.differing++;
    if (variant === 'spent') broken.push(`${name} at ${at} changes the answer for an account that may not guess it`);
    else if (!guessed.some(place => typeof place === 'number' || metresTo(place, at) <= PLACE_METRES))
      broken.push(`${name} at ${at} changes the answer, and elsewhere it is not noted that it was guessed there`);
  }
  return broken;
}

/** Where a station may be near no other device: far away, at a pole, across the globe, and just outside of each circle. */
function isolatedPlaces(
  { middle }: SmallWorld,
  each: WorldStation,
  others: readonly WorldStation[],
  random: () => number,
): Position[] {
  const places: Position[] = [
    moved(middle, 70_000, 30_000),
    moved(middle, -200_000, -400_000),
    [89.99, 17],
    [-33, -70],
    [middle[0], -middle[1]],
  ];
  for (const other of others) {
    const away = reachOf(each) + reachOf(other) + EDGE_METRES + 40 * random();
    const angle = 2 * Math.PI * random();
    places.push(moved(positionOf(other), away * Math.sin(angle), away * Math.cos(angle)));
  }
  return places;
}

/** Whether a place of a station is near none of others. */
function isFarFrom(each: WorldStation, others: readonly WorldStation[]): (at: Position) => boolean {
  return at => others.every(other => metresTo(at, positionOf(other)) > reachOf(each) + reachOf(other) + EDGE_METRES);
}

/** At each other station, and anywhere within its circle and that of the station. */
function nearPlaces(each: WorldStation, others: readonly WorldStation[], random: () => number): Position[] {
  return others.flatMap(other => {
    const at = positionOf(other);
    const within = (share: number) => {
      const away = share * (reachOf(each) + reachOf(other) - EDGE_METRES);
      const angle = 2 * Math.PI * random();
      return moved(at, away * Math.sin(angle), away * Math.cos(angle));
    };
    return [at, within(0.3 * random()), within(random()), within(1)];
  });
}

function positionOf({ station: { latitude, longitude } }: WorldStation): Position {
  return [latitude, longitude];
}

/** What is noted, without the number of the account. */
function describeWrong({ wrong }: Outcome): string {
  const told = wrong.filter(({ places }) => places.length > 0).map(({ device, places }) => ({ device, places }));
  return JSON.stringify(told.sort((a, b) => a.device - b.device));
}

/**
 * With three devices or more, the place is that of half of the devices at least, whichever single one is taken out: they
 * are near one of them that is near the place.
 */
function checkWithoutOne(asker: WorldAsker, world: SmallWorld, tried: Tried): string[] {
  const alone = { ...world, fix: undefined, hasCell: false };
  const outcome = asker.ask(alone, asker.newAccount());
  const ageOf = ({ ageMs }: WorldStation) => (ageMs === AGE_ABSENT ? 0 : ageMs);
  const youngest = world.unknown > 0 ? 0 : Math.min(...world.stations.map(ageOf));
  const heard = world.stations.filter(each => ageOf(each) <= youngest + 60_000);
  const devices = devicesOf(heard);
  if (!outcome.isFound || devices.length < 3 || heard.some(({ isPublic }) => isPublic)) return [];
  tried.found++;
  return devices.flatMap(out => {
    tried.withoutOne++;
    const rest = devices.filter(device => device !== out);
    const areNear = (a: WorldStation, b: WorldStation) =>
      metresTo(positionOf(a), positionOf(b)) <= reachOf(a) + reachOf(b) + EDGE_METRES;
    const holds = rest
      .flat()
      .some(
        centre =>
          metresTo(outcome.at, positionOf(centre)) <= PLACE_METRES &&
          2 * rest.filter(device => device.some(other => areNear(centre, other))).length >= rest.length,
      );
    return holds ? [] : [`without ${out[0].mac.toString(16)} the place has no half of the devices`];
  });
}
