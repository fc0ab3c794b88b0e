// The ceiling of memory, of the whole service as a process: large bodies at once stay under it, and a ceiling that is
// too low is refused at the start.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runSextant, ServiceProcess, send } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const base = folderOfFile();
const CEILING_MEGABYTES = 700;
/** Bodies sent at once: far more than there is room for. */
const AT_ONCE = 16;
const ROUNDS = 2;

/** The most memory that a process has had, in megabytes. */
const peakOf = (pid: number) =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024;
const body = Buffer.from(
  JSON.stringify({
    wifiAccessPoints: Array.from({ length: 100_000 }, (_, i) => ({
      macAddress: (0x060000000000 + i * 7919).toString(16).padStart(12, '0'),
      signalStrength: -70,
      channel: 6,
    })),
  }),
);

test.skipIf(!existsSync('/proc/self/status'))(
  'large bodies at once stay under the ceiling, and light requests go on',
  async () => {
    const service = await ServiceProcess.start(
      join(base, 'var'),
      '--http-threads',
      '1',
      '--max-memory',
      String(CEILING_MEGABYTES),
    );
    const path = `/?key=${service.demoKey}`;
    const statuses = new Map<number, number>();
    const known = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
    for (let round = 0; round < ROUNDS; round++) {
      const compressed = { path, body: gzipSync(body), headers: { 'content-encoding': 'gzip' } };
      const sent = Array.from({ length: AT_ONCE }, (_, i) =>
        send(service.url, i % 2 === 0 ? { path, body } : compressed),
      );
      expect((await service.post(service.demoKey, known)).status).toBe(200);
      for (const { status, headers } of await Promise.all(sent)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 503) expect(headers['retry-after']).toBe('1');
      }
    }
    const peak = peakOf(service.pid);
    console.log(
      `at most ${peak.toFixed(0)} MB; ${[...statuses].map(([status, count]) => `${count} times ${status}`).join(', ')}`,
    );
    expect([...statuses.keys()].sort()).toEqual([404, 503]);
    expect(peak).toBeLessThan(CEILING_MEGABYTES);
    expect((await service.stop()).code).toBe(0);
  },
);

test('a start with too low a ceiling is refused, and leaves no folder behind', async () => {
  const folder = join(base, 'refused');
  const ended = await runSextant('serve', '--data', folder, '--port', '0', '--max-memory', '200');
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(
    /^A ceiling of 200 MB of memory is too low: cache and threads need \d+ MB, .* Give --max-memory at least \d+/,
  );
  expect(existsSync(folder)).toBe(false);
});
