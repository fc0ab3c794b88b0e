// Kills an import of fingerprints at many points of its way. Whatever the moment, the fingerprints are those before it
// or those after it, whole, and what was left to be built is built by the next job.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { changeFingerprints } from '../../../src/indoor/jobs/change_fingerprints.ts';
import { checkFingerprints } from '../../../src/indoor/tables/fingerprints/check.ts';
import { openFingerprints } from '../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { fingerprintsOf, staleBuildings } from '../../../src/indoor/tables/fingerprints/publish_map.ts';
import { Check, type Finding } from '../../../src/tables/environment/check_walk.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const SCANS = 3_000;
const ROUNDS = 12;

/** Writes a survey in which everything is heard at one level. */
function writeSurvey(path: string, level: number): string {
  const rows = Array.from({ length: SCANS }, (_, i) => {
    const at = `House,${i % 3},${(47 + (i % 40) * 1e-5).toFixed(5)},${(9 + (i % 70) * 1e-5).toFixed(5)}`;
    return [1, 2, 3].map(radio => `${i},${at},02:00:00:00:00:0${radio},${level}`).join('\n');
  });
  writeFileSync(path, ['scan,building,floor,latitude,longitude,mac,level', ...rows].join('\n'));
  return path;
}

/** Levels in the tables with their numbers, and what is wrong with the tables. */
async function lookAt(
  folder: string,
): Promise<{ levels: Record<number, number>; findings: Finding[]; stale: number; maps: number }> {
  const tables = openFingerprints(folder);
  if (tables === undefined) return { levels: {}, findings: [], stale: 0, maps: 0 };
  const findings: Finding[] = [];
  const check = new Check(false, news => 'finding' in news && findings.push(news.finding));
  await checkFingerprints(tables, check, map => new FingerprintMap(map).radios());
  const levels: Record<number, number> = {};
  for (const id of tables.buildings.getKeys({})) {
    for (const { fingerprint } of fingerprintsOf(tables, id.readUInt32BE())) {
      const [{ levelDbm }] = fingerprint.readings;
      levels[levelDbm] = (levels[levelDbm] ?? 0) + 1;
    }
  }
  const seen = { levels, findings, stale: staleBuildings(tables).length, maps: tables.maps.getKeysCount() };
  await tables.root.close();
  return seen;
}

test('a kill leaves the fingerprints before or those after, and a map of them', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const data = join(folder, 'fingerprints', 'data.mdb');
  const random = uniform(7);
  let before = 0;
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const level = -40 - round;
    const file = writeSurvey(join(files, `${round}.csv`), level);
    const child = spawn(process.execPath, ['test/indoor/jobs/fingerprints_child.ts', folder, 'survey', file], {
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const [growth, turns] = [random() * 1.2e6, Math.floor(random() * 60)];
    const start = existsSync(data) ? statSync(data).mtimeMs : 0;
    const isTime = () => existsSync(data) && (statSync(data).mtimeMs > start || statSync(data).size > growth);
    while (child.exitCode === null && (round % 3 === 0 || !isTime())) await nextTurn();
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    child.kill('SIGKILL');
    await ended;
    const after = await lookAt(folder);
    expect(after.findings).toEqual([]);
    expect([{}, { [before]: SCANS }, { [level]: SCANS }]).toContainEqual(after.levels);
    if (after.levels[level] === SCANS) before = level;
    outcomes.add(after.levels[level] === SCANS ? (after.stale === 0 ? 'built' : 'to be built') : 'before');
    await changeFingerprints({ verb: 'fingerprints', action: 'learn' }, folder, () => {});
    if (before !== 0) expect(await lookAt(folder)).toMatchObject({ stale: 0, maps: 1 });
  }
  expect(outcomes.size).toBeGreaterThan(1);
}, 120_000);
