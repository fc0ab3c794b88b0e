// Large bodies over HTTP: answered like small ones, refused with the same error messages, whatever thread parses them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError, ServiceProcess, send } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const base = folderOfFile();
let service: ServiceProcess;

beforeAll(async () => {
  service = await ServiceProcess.start(`${base}/data`);
});
afterAll(async () => {
  const ended = await service.stop();
  expect(ended.code).toBe(0);
});

const KNOWN = [
  { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
  { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
  { macAddress: '02:00:5e:00:00:e7', signalStrength: -58 },
];
const filler = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ macAddress: (0x0a0000000000 + i).toString(16).padStart(12, '0') }));

test('a body of as many access points as a scan may have is answered where its known ones are', async () => {
  const padding = 'x'.repeat(300_000);
  const post = (entries: object[]) => service.post(service.demoKey, { padding, wifiAccessPoints: entries });
  const few = await service.post(service.demoKey, { wifiAccessPoints: KNOWN });
  const many = await post([...filler(297), ...KNOWN]);
  expect(many.status).toBe(200);
  expect(many.json.location).toEqual(few.json.location);
  expect(many.json.accuracy).toBe(few.json.accuracy);
  // A longer list is no scan: nobody may look through the neighbours of an address in one request.
  for (const count of [298, 10_000])
    expectError(await post([...filler(count), ...KNOWN]), 404, 'notFound', 'geolocation');
});

test('a body near the cap is answered, and its options count', async () => {
  const padding = 'x'.repeat(7_500_000);
  const answer = await service.post(service.demoKey, {
    padding,
    wifiAccessPoints: KNOWN,
    gps: { latitude: 1.25, longitude: -2.5, accuracy: 9, heading: 77 },
  });
  expect(answer.status).toBe(200);
  expect(answer.json.heading).toBe(77);
});

test('a large body that is no JSON or of the wrong structure is a parse error like a small one', async () => {
  expectError(
    await service.post(service.demoKey, `{"a":"${'x'.repeat(300_000)}"`),
    400,
    'parseError',
    'global',
    /not JSON/,
  );
  const wrong = await service.post(service.demoKey, { padding: 'x'.repeat(300_000), cellTowers: 7 });
  expectError(wrong, 400, 'parseError', 'global', /cellTowers/);
});

test('small requests are answered while large ones are parsed', async () => {
  const large = JSON.stringify({ wifiAccessPoints: [...filler(100_000), ...KNOWN] });
  const running = Array.from({ length: 4 }, () => send(service.url, { path: `/?key=${service.demoKey}`, body: large }));
  let longestMs = 0;
  for (let i = 0; i < 200; i++) {
    const start = performance.now();
    expect((await service.post(service.demoKey, { wifiAccessPoints: KNOWN })).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - start);
  }
  console.log(
    `longest wait of a small request beside four of ${(large.length / 1e6).toFixed(1)} MB: ${longestMs.toFixed(0)} ms`,
  );
  for (const answer of await Promise.all(running)) expectError(answer, 404, 'notFound', 'geolocation');
});
