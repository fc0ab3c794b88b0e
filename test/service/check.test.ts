// `sextant check` beside a service that learns all the while, after a kill, and on damage.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const base = folderOfFile();
let folder: string;
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  folder = join(base, 'var');
  service = await ServiceProcess.start(folder, ...FEW_THREADS);
  key = (await service.key({ contributor: true, trusted: true })).key;
});
afterAll(async () => {
  await service?.stop();
});

const REPORTS = 50;

/** Reports of one place each, past access points and cells that others hear too. */
function batch(b: number): { items: unknown[] } {
  const items = Array.from({ length: REPORTS }, (_, i) => {
    const n = b * REPORTS + i;
    const address = (a: number) =>
      `02:11:22:33:${((a >> 8) & 255).toString(16).padStart(2, '0')}:${(a & 255).toString(16).padStart(2, '0')}`;
    return {
      timestamp: Date.now() - 3_600_000 + n,
      position: { latitude: 50.8 + (n % 1000) / 1e4, longitude: 4.35, accuracy: 5 },
      wifiAccessPoints: [0, 1, 2].map(a => ({ macAddress: address(((n % 1000) >> 1) + a), signalStrength: -50 - a })),
      cellTowers: [
        {
          radioType: 'lte',
          mobileCountryCode: 206,
          mobileNetworkCode: 1,
          locationAreaCode: 7,
          cellId: 1_000 + ((n % 1000) >> 3),
          signalStrength: -90,
        },
      ],
    };
  });
  return { items };
}

test('finds nothing wrong while contributions are taken in and an import replaces the tables', async () => {
  let going = true;
  let batches = 0;
  const load = (async () => {
    while (going) {
      const { status } = await service.request({ path: `/v2/geosubmit?key=${key}`, body: batch(batches++) });
      expect(status).toBe(200);
    }
  })().catch((error: Error) => {
    throw new Error(`${error.message}; the service has printed: ${service.printed}`, { cause: error });
  });
  // Awaited at the end.
  load.catch(() => {});
  const list = join(base, 'cells.csv');
  writeFileSync(
    list,
    Array.from({ length: 3_000 }, (_, i) => `LTE,206,1,7,${2_000 + i},0,4.35,50.8,500,9,1,0,0,0\n`).join(''),
  );
  try {
    for (const words of [[], ['--quick'], []]) {
      const [{ code, stdout }, imported] = await Promise.all([
        runSextant('check', ...words, '--data', folder),
        runSextant('import', 'cells', list, '--data', folder),
      ]);
      expect(imported.code).toBe(0);
      expect(stdout).toMatch(/^Checked [\d,]+ records in \d+ tables: all is sound\.\n$/);
      expect(code).toBe(0);
    }
  } finally {
    going = false;
    await load;
  }
  expect(batches).toBeGreaterThan(3);
});

test('finds nothing wrong after a kill, and prints one JSON object', async () => {
  await service.stop('SIGKILL');
  const { code, stdout } = await runSextant('check', '--json', '--data', folder);
  const { tables, findings } = JSON.parse(stdout);
  expect(findings).toEqual([]);
  expect(code).toBe(0);
  expect(tables.observations.records).toBeGreaterThan(3 * REPORTS);
  expect(tables['learned stations'].records).toBeGreaterThan(100);
});

test('prints a line for each finding and ends with 1', async () => {
  const path = join(folder, 'stations', readFileSync(join(folder, 'stations', 'CURRENT'), 'utf8').trim());
  const root = open({ path, encoding: 'binary', keyEncoding: 'binary', noSubdir: false, maxDbs: 8 });
  const stations = root.openDB<Buffer, Buffer>('stations', { encoding: 'binary', keyEncoding: 'binary' });
  stations.putSync(Buffer.from('0102005e000001', 'hex'), Buffer.alloc(3));
  await root.close();
  const { code, stdout, stderr } = await runSextant('check', '--data', folder);
  const [first, second] = stdout.split('\n');
  expect(first).toBe(
    'record: stations, wifi 02:00:5e:00:00:01: its record has 3 bytes instead of 24; import it again, or ' +
      'restore the data folder from a backup.',
  );
  expect(second).toMatch(/^Checked [\d,]+ records in \d+ tables: 1 finding\.$/);
  expect(stderr).toContain(`The data folder ${folder} is damaged: 1 finding.`);
  expect(code).toBe(1);
});

test('refuses a folder that is none', async () => {
  const { code, stderr } = await runSextant('check', '--data', join(base, 'nothing'));
  expect(code).toBe(1);
  expect(stderr).toContain(`There is no data folder ${join(base, 'nothing')}`);
});
