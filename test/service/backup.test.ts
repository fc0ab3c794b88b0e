// Backups of a service under load, some of them with a kill in the middle. Whatever was acknowledged before a backup
// began is in it once, each balance is exact, and the restored tables are those that follow from the restored log.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatMac } from '../../src/radio/mac.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../../src/tables/stations/knowledge.ts';
import type { BackupSummary } from '../../src/writer/backup_run.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const FLAGS = [...FEW_THREADS, '--max-contribution-credits', '1000000', '--keep-observations', 'aggregated'];
const CREDITS = 1000;
const SPENT = 37;
const DEMO_POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
/** LMDB marks a commit that is not flushed yet, and trusts it only until the next boot. */
const META_FLAGS = [52, 4096 + 52];
const NOT_FLUSHED = 0x1000;

const base = folderOfFile();
const folder = join(base, 'var');
let service: ServiceProcess;
let contributor: { id: number; key: string };
/** Says what the contributor says, before it does. */
let witness: { id: number; key: string };
let quiet: { id: number; key: string };
/** Reports that were acknowledged, and whether contributing goes on. */
let acknowledged = 0;
let goesOn = true;

beforeAll(async () => {
  service = await ServiceProcess.start(folder, ...FLAGS);
  const cells = join(base, 'cells.csv');
  writeFileSync(cells, 'LTE,206,1,251,51764,88,4.35,50.8,1500,42,1,1459814306,1741057142,0\n');
  await service.job({ verb: 'import', kind: 'cells', files: [cells] });
  contributor = await service.key({ contributor: true, credits: CREDITS });
  witness = await service.key();
  quiet = await service.key({ credits: CREDITS });
  for (let i = 0; i < SPENT; i++) expect((await service.post(quiet.key, DEMO_POINTS)).status).toBe(200);
});

afterAll(async () => {
  await service.stop();
});

/**
 * Contributes one batch after the other, each report of an access point of its own, until it is told to stop or the
 * service is gone.
 */
async function contribute(lane: number): Promise<void> {
  for (let n = 0; goesOn; n++) {
    const items = Array.from({ length: 5 }, (_, i) => ({
      timestamp: Date.parse('2026-05-01T00:00:00Z') + 10_000 * (5 * n + i),
      position: { latitude: 48 + lane / 10 + (5 * n + i) / 1e6, longitude: 9, accuracy: 5 },
      wifiAccessPoints: [
        { macAddress: formatMac(0x02_00_5e_11_00_00 + 0x10_0000 * lane + 5 * n + i), signalStrength: -50 },
      ],
    }));
    const body = JSON.stringify({ items });
    for (const { key } of [witness, contributor]) {
      const answer = await service.request({ path: `/v2/geosubmit?key=${key}`, body }).catch(() => undefined);
      if (answer === undefined) return;
      expect([200, 204]).toContain(answer.status);
      acknowledged += items.length;
    }
  }
}

/** What a restored folder holds. */
async function restored(
  backup: string,
  to: string,
): Promise<{ reports: number; dropped: number; credits: number; confirmed: number; quiet: number; rows: string[] }> {
  const { code, stdout, stderr } = await runSextant('restore', backup, '--data', to);
  expect([code, stderr.replace(/^(copying|checking).*\n/gm, '')]).toEqual([0, '']);
  expect(stdout).toContain('all is sound');
  const creditsOf = async (id: number) =>
    JSON.parse((await runSextant('keys', 'show', String(id), '--data', to)).stdout).credits;
  const log = new ObservationLog(to, 'commit');
  const sequences = log.read(1, 1_000_000).map(({ sequence }) => sequence);
  const [reports, dropped] = [log.lastSequence, log.droppedThrough];
  await log.close();
  expect(sequences).toEqual(Array.from({ length: reports - dropped }, (_, i) => dropped + 1 + i));
  expect(await runSextant('aggregate', '--data', to)).toMatchObject({ code: 0 });
  return {
    reports,
    dropped,
    credits: await creditsOf(contributor.id),
    confirmed: await confirmedIn(to),
    quiet: await creditsOf(quiet.id),
    rows: await stationRows(to, reports),
  };
}

/** Access points that two accounts have seen. */
async function confirmedIn(of: string): Promise<number> {
  const generation = openGeneration(generationPath(of, currentGeneration(of)!));
  const stations = new KnowledgeTables(generation).learnedAfter(undefined, 1_000_000);
  await generation.root.close();
  return stations.filter(({ learned }) => learned.candidates.some(({ contributors }) => contributors.length === 2))
    .length;
}

/** Rows of the live tables, in which so many reports have taken effect. */
async function stationRows(of: string, reports: number): Promise<string[]> {
  const generation = openGeneration(generationPath(of, currentGeneration(of)!));
  expect(new KnowledgeTables(generation).progress).toBe(reports);
  const rows = (['stations', 'learned', 'areas'] as const).flatMap(table =>
    [...generation[table].getRange()].map(
      ({ key, value }) => `${table} ${key.toString('hex')} ${value.toString('hex')}`,
    ),
  );
  await generation.root.close();
  return rows;
}

function bytesAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

test('backups under load hold what was acknowledged before them, once, with exact credits', async () => {
  const lanes = [0, 1, 2, 3].map(contribute);
  try {
    for (const round of [0, 1, 2]) {
      const target = join(base, 'again');
      while (acknowledged < 200 * (round + 1)) await nextTurn();
      const before = acknowledged;
      const { code, stdout } = await runSextant('backup', target, '--data', folder);
      expect(stdout).toMatch(/^The backup \S+ is complete: [\d.]+ MB.*, written by user \S+ \(process \d+\)\.\n$/);
      expect(code).toBe(0);
      expect(existsSync(`${target}.partial`)).toBe(false);
      const after = acknowledged;
      const found = await restored(target, join(base, `restored-${round}`));
      expect(found.reports).toBeGreaterThanOrEqual(before);
      // Four batches may have been on their way.
      expect(found.reports).toBeLessThanOrEqual(after + 20);
      expect(found.confirmed).toBeGreaterThan(50);
      expect(found.credits).toBe(CREDITS + found.confirmed);
      expect(found.quiet).toBe(CREDITS - SPENT);
    }
  } finally {
    goesOn = false;
    await Promise.all(lanes);
  }
});

test('a backup needs nothing that is only good until the next boot, and what has not changed is taken over', async () => {
  await service.job({ verb: 'aggregate', action: 'all' });
  const target = join(base, 'twice');
  await service.job({ verb: 'aggregate', action: 'checkpoint' });
  const first = await service.job<BackupSummary>({ verb: 'backup', path: target });
  for (const part of ['accounts', 'observations', 'requests', 'checkpoint', `stations/${currentGeneration(folder)}`]) {
    const bytes = readFileSync(join(target, part, 'data.mdb'));
    expect(META_FLAGS.map(at => bytes.readUInt16LE(at) & NOT_FLUSHED)).toEqual([0, 0]);
  }
  expect(first).toEqual({
    path: target,
    bytes: expect.any(Number),
    unchangedBytes: 0,
    writer: expect.stringMatching(/^user \S+ \(process \d+\)$/),
  });
  expect(existsSync(join(target, 'sources', '1.records'))).toBe(true);
  const second = await service.job<BackupSummary>({ verb: 'backup', path: target });
  expect(second.unchangedBytes).toBeGreaterThan(bytesAt(join(target, 'checkpoint', 'data.mdb')) + 31);
  const found = await restored(target, join(base, 'restored-twice'));
  expect(found.rows).toEqual(await stationRows(folder, found.reports));
});

test('a kill in the middle of a backup leaves the one before, and nothing that looks complete', async () => {
  const target = join(base, 'killed');
  await service.job({ verb: 'backup', path: target });
  let kills = 0;
  const moments = [
    () => existsSync(`${target}.partial`),
    () => existsSync(`${target}.partial/accounts`),
    () => existsSync(`${target}.partial/requests`),
  ];
  for (const isTime of moments) {
    goesOn = true;
    const lanes = [4, 5].map(contribute);
    const backup = service.job({ verb: 'backup', path: target }).then(
      () => true,
      () => false,
    );
    let isOver = false;
    void backup.then(() => {
      isOver = true;
    });
    while (!isOver && !isTime()) await nextTurn();
    const wasOver = isOver;
    await service.stop('SIGKILL');
    goesOn = false;
    await Promise.all(lanes);
    await backup;
    expect(existsSync(`${target}.partial/FORMAT`)).toBe(false);
    const refused = await runSextant('restore', `${target}.partial`, '--data', join(base, 'refused'));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is no complete backup of Sextant')]);
    if (!wasOver) kills++;
    service = await ServiceProcess.start(folder, ...FLAGS);
  }
  const found = await restored(target, join(base, 'restored-killed'));
  expect(found.quiet).toBe(CREDITS - SPENT);
  expect(kills).toBeGreaterThan(0);
  await service.job({ verb: 'backup', path: target });
  expect(existsSync(`${target}.partial`)).toBe(false);
});

test('the restored service gives the same answers', async () => {
  const target = join(base, 'served');
  const body = { wifiAccessPoints: [0, 1, 2].map(k => ({ macAddress: `02:00:5e:11:00:0${k}` })) };
  await service.job({ verb: 'aggregate', action: 'all' });
  const { location, accuracy } = (await service.post(service.demoKey || quiet.key, body)).json;
  await service.job({ verb: 'backup', path: target });
  const to = join(base, 'restored-served');
  expect(await runSextant('restore', target, '--data', to)).toMatchObject({ code: 0 });
  const other = await ServiceProcess.start(to, ...FLAGS);
  expect((await other.post(quiet.key, body)).json).toMatchObject({ location, accuracy });
  expect(await other.stop()).toMatchObject({ code: 0 });
});
