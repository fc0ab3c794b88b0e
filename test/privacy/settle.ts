// What the operator and honest people have brought to the service before anybody searches: the public lists, the plan
// and the survey of the office building, and reports by untrusted accounts of what they hear around homes. It is done
// once for a town; each campaign begins with a copy of the folder.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moved, type Position } from '../kits/radio/ground.ts';
import { normal, uniform } from '../kits/random.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { BUILDING_METRES, type Town, type Victim } from './town.ts';

/** A folder in which the town is known. */
export interface SettledTown {
  town: Town;
  /** The program that serves it. */
  program: string;
  folder: string;
  /** Keys of the owners: that of a victim is by its number, modulo theirs. */
  owners: string[];
}

/**
 * One thread is enough for one adversary, and each attack has a service of its own: without workers it starts at half
 * the cost. The corpus shows that the answers are the same.
 */
export const FLAGS = ['--http-threads', '1', '--compute', 'inline'];

const OWNERS = 12;
const DAY_MS = 86_400_000;
/** Reports of a home by one account, and the days in which they were made. */
const REPORTS = 4;
const DAYS = 60;
/** Levels of a wall and a floor of the office building, dB. */
const FLOOR_DB = 15;

/**
 * Lets a town settle.
 * @param program of the checkout that is tried, `src/sextant.js`
 * @param base folder for what is made here
 */
export async function settle(town: Town, program: string, base: string): Promise<SettledTown> {
  const folder = join(base, 'settled');
  mkdirSync(base, { recursive: true });
  const service = await ServiceProcess.startProgram(program, folder, ...FLAGS);
  try {
    await importLists(service, town, base);
    await importBuilding(service, town, base);
    const owners = await report(service, town);
    await service.job({ verb: 'aggregate', action: 'all' });
    return { town, program, folder, owners };
  } finally {
    await service.stop();
  }
}

/** A service that has a copy of a settled town. @param folder new */
export function serveCopy(
  { folder: settled, program }: SettledTown,
  folder: string,
  flags: readonly string[] = FLAGS,
): Promise<ServiceProcess> {
  cpSync(settled, folder, { recursive: true });
  return ServiceProcess.startProgram(program, folder, ...flags);
}

async function importLists(service: ServiceProcess, { points, cells }: Town, base: string): Promise<void> {
  const wifi = join(base, 'points.csv');
  const rows = points.map(({ address, at, radius }) => `${address},${degrees(at)},${radius},20`);
  writeFileSync(wifi, ['bssid,lat,lon,radius,samples', ...rows, ''].join('\n'));
  await service.job({ verb: 'import', kind: 'wifi', files: [wifi] });
  const towers = join(base, 'cells.csv');
  const header = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal';
  const lines = cells.map(
    ({ cellId, at: [latitude, longitude] }) => `LTE,262,1,77,${cellId},,${longitude},${latitude},2500,90,1,0,0,0`,
  );
  writeFileSync(towers, [header, ...lines, ''].join('\n'));
  await service.job({ verb: 'import', kind: 'cells', files: [towers] });
}

async function importBuilding(service: ServiceProcess, { seed, building, victims }: Town, base: string): Promise<void> {
  const plan = join(base, 'plan.geojson');
  const [width, depth] = BUILDING_METRES;
  const ring = [
    [0, 0],
    [width, 0],
    [width, depth],
    [0, depth],
    [0, 0],
  ].map(([east, north]) => [...moved(building.southWest, east, north)].reverse());
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const features = [
    { type: 'Feature', properties: { buildingModelId: 1, buildingId: 1, building: 'Office' }, geometry },
    ...[0, 1].map(floorIndex => ({ type: 'Feature', properties: { floorIndex, room: 'Hall' }, geometry })),
  ];
  writeFileSync(plan, JSON.stringify({ type: 'FeatureCollection', features }));
  await service.job({ verb: 'import', kind: 'buildings', files: [plan] });

  const survey = join(base, 'survey.csv');
  const bell = normal(uniform(seed + 1));
  const routers = victims.filter(({ kind, isInBuilding }) => isInBuilding && kind !== 'bluetooth');
  const radios = [
    ...[...building.points, ...building.own].map(({ address, at }) => ({ address, at, floor: 0 })),
    ...routers.map(({ address, home }, i) => ({ address, at: home, floor: i % 2 })),
  ];
  const rows = ['scan,floor,latitude,longitude,accuracy,mac,level'];
  for (const floor of [0, 1]) {
    for (let east = 1.5; east < width; east += 3) {
      for (let north = 1.5; north < depth; north += 3) {
        const at = moved(building.southWest, east, north);
        for (const radio of radios) {
          const level = Math.round(indoorLevel(at, radio.at, Math.abs(floor - radio.floor)) + 2 * bell());
          if (level >= -90) rows.push(`${floor}/${east}/${north},${floor},${degrees(at)},1,${radio.address},${level}`);
        }
      }
    }
  }
  writeFileSync(survey, [...rows, ''].join('\n'));
  await service.job({ verb: 'import', kind: 'fingerprints', files: [survey] });
}

function indoorLevel(at: Position, from: Position, floors: number): number {
  return -38 - 30 * Math.log10(1 + metres(at, from)) - FLOOR_DB * floors;
}

/** Metres between two places of the town, in its plane. */
function metres([latitude, longitude]: Position, [otherLatitude, otherLongitude]: Position): number {
  const east = (otherLongitude - longitude) * Math.cos((latitude * Math.PI) / 180);
  return 111_195 * Math.hypot(otherLatitude - latitude, east);
}

function degrees([latitude, longitude]: Position): string {
  return `${latitude.toFixed(7)},${longitude.toFixed(7)}`;
}

/** What the owners report of their homes another time: those that are new for the first time. */
export async function reportAgain(service: ServiceProcess, { town, owners }: SettledTown): Promise<void> {
  const random = uniform(town.seed + 4);
  const byOwner = owners.map((): object[] => []);
  for (const [v, victim] of town.victims.entries())
    byOwner[v % OWNERS].push(...reportsOf(victim, true, Date.now(), random, 0.02));
  for (const [o, items] of byOwner.entries()) await submit(service, owners[o], items);
}

/**
 * Owners report their homes, two mappers those that are known, and a trusted key the beacons of the town. @returns the
 * owners' keys
 */
async function report(service: ServiceProcess, town: Town): Promise<string[]> {
  const random = uniform(town.seed + 2);
  const now = Date.now() - DAY_MS;
  const byAccount = Array.from({ length: OWNERS + 2 }, (): object[] => []);
  for (const [v, victim] of town.victims.entries()) {
    const mapper = byAccount[OWNERS + (v % 2)];
    byAccount[v % OWNERS].push(...reportsOf(victim, victim.kind !== 'new', now, random));
    mapper.push(...reportsOf(victim, victim.kind === 'known' || victim.kind === 'bluetooth', now, random));
  }
  const keys: string[] = [];
  for (const [a, items] of byAccount.entries()) {
    keys.push((await service.key({ name: `honest ${a}` })).key);
    await submit(service, keys[a], items);
  }
  const beacons = town.beacons.map(({ address, at }, i) =>
    itemAt(at, now + i, { bluetoothBeacons: [{ macAddress: address, signalStrength: -60 }] }),
  );
  await submit(service, (await service.key({ name: 'operator', trusted: true })).key, beacons);
  return keys.slice(0, OWNERS);
}

/** What one account has heard at a home. */
function reportsOf(victim: Victim, hearsIt: boolean, now: number, random: () => number, days = DAYS): object[] {
  const bell = normal(random);
  const level = (mean: number) => Math.round(mean + 5 * bell());
  return Array.from({ length: REPORTS }, () => {
    const at = moved(victim.home, 10 * bell(), 10 * bell());
    const when = Math.round(now - days * DAY_MS * random());
    if (victim.kind === 'bluetooth') {
      const near = moved(victim.home, 4 * bell(), 4 * bell());
      const heard = { bluetoothBeacons: [{ macAddress: victim.address, signalStrength: level(-65) }] };
      return itemAt(near, when, heard, victim.isInBuilding ? 0 : undefined);
    }
    const own = [victim.address, ...(victim.sibling ? [victim.sibling.address] : [])];
    const heard = [
      ...(hearsIt ? own.map(macAddress => ({ macAddress, signalStrength: level(-48) })) : []),
      ...victim.neighbours.map(macAddress => ({ macAddress, signalStrength: level(-72) })),
    ];
    return itemAt(at, when, { wifiAccessPoints: heard });
  });
}

/** An item of a submission. @param floor of a building, if it is told */
export function itemAt(
  [latitude, longitude]: Position,
  timestamp: number,
  heard: object,
  floor?: number,
  accuracy = 8,
): object {
  return {
    timestamp,
    position: { latitude, longitude, accuracy, ...(floor === undefined ? {} : { floor }) },
    ...heard,
  };
}

async function submit(service: ServiceProcess, key: string, items: object[]): Promise<void> {
  const { status, text } = await service.request({ path: `/v2/geosubmit?key=${key}`, body: { items } });
  if (status !== 200) throw new Error(`The service refused a submission: ${text}`);
}
