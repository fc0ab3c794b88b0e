// Bodies as large as the limit lets them be are answered, and requests of others go on beside them. How long those wait
// is printed, not asserted: it depends on the machine.

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccessPoints } from '../../src/folder/demo_town.ts';
import { formatMac } from '../../src/radio/mac.ts';
import { Racer, totalBut } from '../kits/racer.ts';
import { type RequestOptions, ServiceProcess, send } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const LIMIT_BYTES = 8 * 1_048_576;
const DEMO_POINTS = JSON.stringify({
  wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }],
});

const base = folderOfFile();
let service: ServiceProcess;

beforeAll(async () => {
  service = await ServiceProcess.start(join(base, 'var'), '--http-threads', '1', '--workers', '1', '--compute', 'auto');
});
afterAll(async () => {
  const ended = await service?.stop();
  expect(ended.stderr).not.toContain('"level":50');
});

/** A body with as many entries as fit. */
function fill(member: string, entryOf: (i: number) => string, bytes = LIMIT_BYTES): string {
  const entries: string[] = [];
  for (let left = bytes - member.length - 8; ; ) {
    const entry = entryOf(entries.length);
    left -= entry.length + 1;
    if (left < 0) return `{"${member}":[${entries.join(',')}]}`;
    entries.push(entry);
  }
}

/** A street of the demo town first, then unknown ones. So many are no scan, and nothing is found by them. */
const TOWN = demoAccessPoints();
const macOf = (i: number): string => formatMac(i < 5 ? TOWN[200 + i].mac : 0x060000000000 + i * 7919);
const thousands = Array.from({ length: 10_000 }, (_, i) => ({
  macAddress: macOf(i),
  signalStrength: -70,
  channel: 6,
  age: 100,
}));

test.each<[string, number, () => Pick<RequestOptions, 'body' | 'headers'>]>([
  ['10,000 access points', 404, () => ({ body: { wifiAccessPoints: thousands } })],
  ['8 MB of access points', 404, () => ({ body: fill('wifiAccessPoints', i => `{"macAddress":"${macOf(i)}"}`) })],
  [
    '8 MB of access points, compressed',
    404,
    () => ({
      body: gzipSync(fill('wifiAccessPoints', i => `{"macAddress":"${macOf(i)}"}`)),
      headers: { 'content-encoding': 'gzip' },
    }),
  ],
  [
    '8 MB of cells',
    200,
    () => ({
      body: fill(
        'cellTowers',
        i =>
          `{"radioType":"lte","mobileCountryCode":1,"mobileNetworkCode":1,"locationAreaCode":1,"cellId":${256_001 + i}}`,
      ),
    }),
  ],
  [
    '1 MB of cells without type and area',
    200,
    () => ({
      body: fill('cellTowers', i => `{"mobileCountryCode":1,"mobileNetworkCode":1,"cellId":${256_001 + i}}`, 1_048_576),
    }),
  ],
  ['8 MB of entries that are nothing', 404, () => ({ body: fill('wifiAccessPoints', () => '0') })],
  ['8 MB of empty objects', 413, () => ({ body: fill('cellTowers', () => '{}') })],
  [
    '8 MB of empty objects, compressed',
    413,
    () => ({ body: gzipSync(fill('cellTowers', () => '{}')), headers: { 'content-encoding': 'gzip' } }),
  ],
  ['8 MB of text', 404, () => ({ body: `{"comment":"${'x'.repeat(LIMIT_BYTES - 20)}"}` })],
])('%s are answered', async (name, status, options) => {
  const request = options();
  const { key } = await service.key();
  let longest = 0;
  let last = 0;
  let going = true;
  const racers: Racer[] = [];
  await new Promise<void>(warm => {
    let left = 100;
    racers.push(
      new Racer(service.port, `/?key=${key}`, DEMO_POINTS, () => {
        const now = performance.now();
        if (left === 0) longest = Math.max(longest, now - last);
        else if (--left === 0) warm();
        last = now;
        return going;
      }),
    );
  });
  const begun = performance.now();
  const answer = await send(service.url, { path: `/?key=${key}`, ...request });
  const took = performance.now() - begun;
  going = false;
  await racers[0].closed;
  console.log(
    `${name}: ${answer.status} after ${took.toFixed(0)} ms; a small request waited ${longest.toFixed(0)} ms at most.`,
  );
  expect(answer.status).toBe(status);
  expect(totalBut(racers, 200)).toBe(0);
  const logged = await service.logged(answer.json.logId);
  expect(logged).toMatchObject({ status, response: answer.json });
});
