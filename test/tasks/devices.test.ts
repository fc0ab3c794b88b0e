// Devices over several pages of a log, and requests that were stored in another order than they arrived.

import { expect, onTestFinished, test } from 'vitest';
import { LOG_ROUTES, recordBytesAtMost, writeRecord } from '../../src/tables/requests/record.ts';
import { RequestLog } from '../../src/tables/requests/request_log.ts';
import { type PageEnd, RequestSearch } from '../../src/tables/requests/search.ts';
import { readDevices } from '../../src/tasks/devices.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const NOW = Date.now();

/** A request of a device, seconds ago, answered with this latitude; without one nothing was found. */
interface Asked {
  device: string;
  ago: number;
  latitude?: number;
}

/** A log with runs of requests, each stored at once. */
async function logOf(...runs: Asked[][]): Promise<RequestSearch> {
  const folder = temporaryFolder();
  const log = RequestLog.open(folder, 100, error => {
    throw error;
  });
  for (const run of runs) {
    const first = await log.allocateBlock();
    const records = run.map(({ device, ago, latitude }, i) => {
      const entry = {
        logId: first + i + 1,
        timeMs: NOW - ago * 1_000,
        latencyUs: 1,
        status: latitude === undefined ? 404 : 200,
        route: LOG_ROUTES.indexOf('position'),
        accountId: 1,
        nr: undefined,
        deviceId: device,
        query: '',
        request: undefined,
        response: latitude === undefined ? '{}' : JSON.stringify({ location: { lat: latitude, lng: 1 }, accuracy: 9 }),
      };
      const bytes = Buffer.alloc(recordBytesAtMost(entry));
      return bytes.subarray(0, writeRecord(bytes, new DataView(bytes.buffer), 0, entry));
    });
    await log.append(Uint8Array.from(Buffer.concat(records)));
  }
  await log.close();
  const search = RequestSearch.open(folder)!;
  onTestFinished(() => search.close());
  return search;
}

test('a later request counts, also if it was stored in an earlier part of the log', async () => {
  const log = await logOf(
    [
      { device: 'slow', ago: 3_000, latitude: 1 },
      { device: 'a', ago: 10, latitude: 2 },
      { device: 'a', ago: 5 },
    ],
    [
      { device: 'a', ago: 20, latitude: 3 },
      { device: 'b', ago: 8 },
    ],
  );
  const { devices, end } = await readDevices(log, {}, NOW, undefined);
  expect(end).toBeUndefined();
  expect(devices.map(({ device }) => device)).toEqual(['a', 'b', 'slow']);
  expect(devices[0]).toMatchObject({ last: { status: 404 }, position: { latitude: 2, longitude: 1, accuracy: 9 } });
  expect(devices[1]).not.toHaveProperty('position');
  expect((await readDevices(log, { device: 'slow' }, NOW, undefined)).devices).toHaveLength(1);
  expect((await readDevices(log, { account: 2 }, NOW, undefined)).devices).toEqual([]);
});

test('a page ends after some devices, and the pages together have all of them', async () => {
  const blocks = Array.from({ length: 8 }, (_, block) =>
    Array.from({ length: 1_200 }, (_, i) => ({ device: `${block} ${i}`, ago: 900 - block, latitude: block })),
  );
  const log = await logOf(...blocks);
  const known = new Set<string>();
  let end: PageEnd | undefined;
  let pages = 0;
  do {
    const page = await readDevices(log, {}, NOW, end);
    for (const { device } of page.devices) known.add(device);
    end = page.end;
    pages++;
  } while (end !== undefined);
  expect(known.size).toBe(9_600);
  expect(pages).toBeGreaterThan(1);
});
