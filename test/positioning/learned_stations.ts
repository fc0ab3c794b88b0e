// Real scans end to end without a server: access points are learned from the training folds by the code that learns
// from contributions, and the scans of the test folds are located by them. The simple methods answer the same scans.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wifiBaselines } from '../../lab/baselines.ts';
import { foldOf } from '../../lab/evaluation/folds.ts';
import type { Scan } from '../../lab/evaluation/scan.ts';
import { openScans } from '../../lab/evaluation/scan_file.ts';
import { screenReport } from '../../src/intake/screen.ts';
import { Tally } from '../../src/intake/tally.ts';
import { Aggregation } from '../../src/learning/aggregate.ts';
import { KIND_WIFI } from '../../src/radio/kind.ts';
import { parseMac } from '../../src/radio/mac.ts';
import { macOfKey } from '../../src/radio/station_key.ts';
import type { Outcome } from '../kits/radio/drawn_town.ts';
import { metresTo } from '../kits/radio/ground.ts';
import { stationOf } from '../kits/radio/stations.ts';
import { World } from '../kits/radio/world.ts';

/** What was measured: the errors of each simple method by its name, of the scans that both located. */
export interface Compared extends Outcome {
  baselines: Map<string, number[]>;
}

/**
 * Locates the test folds of a set, each by what the others have taught. Of the scans of a test fold every `every`-th is
 * asked.
 */
export async function locateByLearned(file: string, testFolds: readonly number[], every: number): Promise<Compared> {
  const scans = await scansOf(file);
  const compared: Compared = { errors: [], radii: [], baselines: new Map() };
  for (const fold of testFolds) {
    const training = scans.filter(({ track }) => foldOf(track) !== fold);
    const baselines = wifiBaselines();
    for (const scan of training) baselines.train(scan);
    const world = await learn(training);
    const asked = scans.filter(({ track }) => foldOf(track) === fold).filter((_, i) => i % every === 0);
    for (const scan of asked) {
      const question = world.ask();
      for (const { macAddress, signalStrength, age: ageMs, frequency } of scan.wifiAccessPoints)
        question.wifiByMac(parseMac(macAddress), signalStrength, { ageMs, frequency });
      const answer = question.answer();
      const simple = baselines.answer(scan);
      // Each method on all that it answers: a scan whose stations are not at one place is refused here, and averaged
      // there.
      simple.forEach((place, i) => {
        const errors = compared.baselines.get(baselines.names[i]) ?? [];
        if (place !== undefined) errors.push(metresTo(place, scan));
        compared.baselines.set(baselines.names[i], errors);
      });
      if (answer === undefined) continue;
      compared.errors.push(metresTo(answer, scan));
      compared.radii.push(answer.accuracyMetres);
    }
    await world.close();
  }
  return compared;
}

/** The scans of a set. */
export async function scansOf(file: string): Promise<Scan[]> {
  const scans: Scan[] = [];
  for await (const scan of (await openScans(pathOf(file))).scans()) scans.push(scan);
  return scans;
}

/** Why a set cannot be used; undefined when it can. */
export function whyNoSet(file: string): string | undefined {
  return existsSync(pathOf(file)) ? undefined : `skipped: ${file} is not next to the checkout`;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../../shared/data/positioning/${file}`, import.meta.url));
}

/** A world of the access points that trusted reports of these scans teach. */
export async function learn(scans: readonly Scan[]): Promise<World> {
  const aggregation = new Aggregation({
    learned: () => undefined,
    importedRecord: () => undefined,
    areasOfCell: () => [],
    track: () => undefined,
  });
  const tally = new Tally();
  scans.forEach(({ timeMs, latitude, longitude, accuracyMetres, wifiAccessPoints }, i) => {
    const draft = {
      latitude,
      longitude,
      wifiAccessPoints,
      ...(timeMs === undefined ? {} : { timeMs }),
      ...(accuracyMetres === undefined ? {} : { accuracyMetres }),
    };
    const report = screenReport(draft, { contributor: 1, isTrusted: true, track: 0, receivedMs: Date.now() }, tally);
    if (report !== undefined) aggregation.add(i + 1, report, report.timeMs);
  });
  const world = new World();
  for (const { key, record } of aggregation.changes().learned) {
    if (record === undefined || key[0] !== KIND_WIFI) continue;
    world.addWifi(macOfKey(key, 0), stationOf(record));
  }
  await world.build();
  return world;
}
