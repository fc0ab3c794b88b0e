// Files of measurements through the running service: imported while it serves, answered from, exported, and cut short
// by its end.

import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ObservationSummary } from '../../src/transfer/import_observations.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const ADDRESSES = ['88:f7:c7:2a:90:01', '88:f7:c7:71:0b:12', '88:f7:c7:e4:36:23'];

/** A walk of `count` scans up and down a street where three access points are heard. */
function walk(count: number, second = 0): string {
  const aps = ADDRESSES.map((address, i) => [address, -60 - 5 * i, 1 + 5 * i]);
  return Array.from({ length: count }, (_, i) => {
    const lat = 50.8 + (i % 20) * 1e-5;
    return `${JSON.stringify({ g: 'walk', t: 1_750_000_000 + second + i, lat, lon: 4.4, acc: 5, aps })}\n`;
  }).join('');
}

const base = folderOfFile();

describe('while the service runs', () => {
  let service: ServiceProcess;
  let key: string;
  const file = `${base}/walk.jsonl`;

  beforeAll(async () => {
    writeFileSync(file, walk(200));
    service = await ServiceProcess.start(`${base}/data`, ...FEW_THREADS);
    key = (await service.key()).key;
  });
  afterAll(async () => {
    expect((await service.stop()).code).toBe(0);
  });

  const importFile = () => service.job<ObservationSummary>({ verb: 'import', kind: 'observations', files: [file] });
  const locate = () =>
    service.post(key, { wifiAccessPoints: ADDRESSES.map(macAddress => ({ macAddress, signalStrength: -60 })) });

  test('what is imported is answered from, without a restart', async () => {
    expect((await locate()).status).toBe(404);
    expect(await importFile()).toMatchObject({ reports: 200, accepted: 200, duplicates: 0, observations: 600 });
    await service.job({ verb: 'aggregate', action: 'all' });
    const { status, json } = await locate();
    expect(status).toBe(200);
    expect(json.location.lat).toBeCloseTo(50.8001, 4);
    expect(json.location.lng).toBeCloseTo(4.4, 4);
  });

  test('and imported again it changes nothing', async () => {
    const before = await locate();
    expect(await importFile()).toMatchObject({ accepted: 0, duplicates: 200 });
    await service.job({ verb: 'aggregate', action: 'all' });
    expect((await locate()).json.location).toEqual(before.json.location);
  });

  test('an export gives the same tables in an empty folder', async () => {
    const lines = `${base}/lines.jsonl`;
    expect(await runSextant('export', 'observations', '--data', `${base}/data`, '-o', lines)).toMatchObject({
      code: 0,
    });
    expect(await runSextant('import', 'observations', lines, '--data', `${base}/second`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Accepted 200 new reports;'),
    });
    const stations = async (folder: string) =>
      (await runSextant('export', 'stations', '--kind', 'wifi', '--data', folder)).stdout;
    const demoTown = /^02:00:5e.*\n/gm;
    const first = (await stations(`${base}/data`)).replaceAll(demoTown, '');
    expect(first.match(/^88:f7:c7/gm)).toHaveLength(3);
    expect(await stations(`${base}/second`)).toBe(first);
  });

  test('a wrong file is refused with its name', async () => {
    const wrong = `${base}/wrong.csv`;
    writeFileSync(wrong, 'bssid,lat,lon\n');
    await expect(service.job({ verb: 'import', kind: 'observations', files: [wrong] })).rejects.toThrow(
      `${wrong} is not a file of measurements`,
    );
  });
});

test(
  'an import that the end of the service cuts short loses nothing it has acknowledged, and goes on when it is ' +
    'repeated',
  async () => {
    const total = 60_000;
    const file = `${base}/long.jsonl`;
    writeFileSync(file, walk(total));
    const job = { verb: 'import' as const, kind: 'observations' as const, files: [file] };
    const first = await ServiceProcess.start(`${base}/cut`, ...FEW_THREADS);
    let stopped: ReturnType<ServiceProcess['stop']> | undefined;
    const cut = first.job(job, () => {
      stopped ??= first.stop();
    });
    await expect(cut).rejects.toThrow('The service is stopping; the job was not finished.');
    expect(await stopped).toMatchObject({ code: 0 });
    const second = await ServiceProcess.start(`${base}/cut`, ...FEW_THREADS);
    const summary = await second.job<ObservationSummary>(job);
    expect(summary.accepted).toBeGreaterThan(0);
    expect(summary.accepted + summary.duplicates).toBe(total);
    const { progress } = await second.job<{ progress: number }>({ verb: 'aggregate', action: 'all' });
    expect(progress).toBe(total);
    expect((await second.stop()).code).toBe(0);
  },
);
