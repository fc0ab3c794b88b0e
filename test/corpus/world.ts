// The world of the corpus on the disk: the demo town of a new data folder, drawn cells and access points, what the
// service learns from drawn walks, the drawn extract, the gazetteer of the world and drawn buildings, one of them
// surveyed, and a key for each kind of account. Everything comes in as an operator would bring it in.

import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceProcess } from '../kits/service_process.ts';
import { buildingsGeoJson } from './world/buildings.ts';
import { cellsCsv } from './world/cells.ts';
import { writeExtract } from './world/places.ts';
import { accessPointsCsv } from './world/radios.ts';
import { surveyCsv } from './world/survey.ts';
import { walksJsonLines } from './world/walks.ts';

/** Where positions are computed. All must answer the same. */
export type ComputeMode = 'auto' | 'inline' | 'pool';

/** Settings of the keys that requests name, in the order in which they are made. */
const KEYS = {
  main: {},
  prepaid: { credits: 1_000_000, expires: '2099-12-31' },
  described: { address: true, credits: 50_000 },
  indoor: { indoor: true },
  filtered: { speedFilter: true },
  slow: { speedFilter: true, speedLimit: 12.5 },
  dated: { expires: '2099-01-31' },
  empty: { credits: 0 },
  few: { credits: 3 },
  pair: { credits: 2, address: true },
  batch: { credits: 10 },
  limited: { ratePerSecond: 0.01 },
  limitedPlaces: { ratePerSecond: 0.01 },
  limitedCompact: { ratePerSecond: 0.01 },
  limitedSubmissions: { ratePerSecond: 0.01 },
  devices: { devices: 2 },
  expired: { expires: '2020-01-01' },
  revoked: {},
  trusted: { contributor: true, trusted: true },
  witness: { contributor: true },
  otherWitness: {},
  trails: { trail: true },
  fewTrails: { trail: true, credits: 1 },
  limitedTrails: { trail: true, ratePerSecond: 0.01 },
  deviceTrails: { trail: true, devices: 1 },
  extras: { credits: 8, address: true, indoor: true },
  earner: { contributor: true, trusted: true, credits: 100 },
  crowded: {},
  otherCrowded: {},
  straying: {},
} satisfies Record<string, Parameters<ServiceProcess['key']>[0]>;

/** Name of a key in requests. */
export type KeyName = keyof typeof KEYS | 'demo';

/** A data folder that nobody serves, and its keys. */
export interface World {
  folder: string;
  keys: ReadonlyMap<string, string>;
}

/**
 * Flags of every service of the corpus. One HTTP thread, so that balances and limits are those of one counter; small
 * bodies, so that large ones are cheap; radii as the source has them, so that an answer changes by what computes it alone.
 */
const FLAGS = ['--http-threads', '1', '--max-body-mb', '1', '--calibrate', 'off'];

/** Builds the world in a folder of its own under `base`. */
export async function buildWorld(base: string): Promise<World> {
  const folder = join(base, 'world');
  const file = (name: string, text: string): string => {
    const path = join(base, name);
    writeFileSync(path, text);
    return path;
  };
  const cells = file('cells.csv', cellsCsv());
  const accessPoints = file('access_points.csv', accessPointsCsv());
  const walks = file('walks.jsonl', walksJsonLines());
  const buildings = file('buildings.geojson', buildingsGeoJson());
  const survey = file('survey.csv', surveyCsv());
  const extract = join(base, 'drawn.osm.pbf');
  writeExtract(extract);

  const service = await ServiceProcess.start(folder, ...FLAGS);
  const keys = new Map([['demo', service.demoKey]]);
  for (const [name, settings] of Object.entries(KEYS)) {
    const { id, key } = await service.key(settings);
    keys.set(name, key);
    if (name === 'revoked') await service.job({ verb: 'keys', action: 'revoke', id });
  }
  await service.job({ verb: 'import', kind: 'cells', files: [cells] });
  await service.job({ verb: 'import', kind: 'wifi', files: [accessPoints] });
  await service.job({ verb: 'import', kind: 'observations', files: [walks] });
  await service.job({ verb: 'aggregate', action: 'all' });
  await service.job({ verb: 'import', kind: 'osm', files: [extract] });
  await service.job({ verb: 'import', kind: 'buildings', files: [buildings] });
  await service.job({ verb: 'import', kind: 'fingerprints', files: [survey] });
  await service.stop();
  return { folder, keys };
}

/** Serves a copy of the world: requests change it. */
export function serveCopy(
  world: World,
  folder: string,
  mode: ComputeMode,
  ...flags: string[]
): Promise<ServiceProcess> {
  cpSync(world.folder, folder, { recursive: true });
  return ServiceProcess.start(folder, ...FLAGS, '--compute', mode, ...flags);
}
