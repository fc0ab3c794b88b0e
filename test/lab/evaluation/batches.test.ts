import { expect, test } from 'vitest';
import { Batches } from '../../../lab/evaluation/batches.ts';
import type { Scan } from '../../../lab/evaluation/scan.ts';

function scanOf(device: string, timeMs: number | undefined, accessPoints: number): Scan {
  const wifiAccessPoints = Array.from({ length: accessPoints }, () => ({ macAddress: 'a', signalStrength: -50 }));
  const nothing = { accuracyMetres: undefined, cellTowers: [], bluetoothBeacons: [] };
  return {
    id: `${device} ${timeMs}`,
    track: device,
    device,
    timeMs,
    latitude: 0,
    longitude: 0,
    wifiAccessPoints,
    ...nothing,
  };
}

/** Sends scans through; resolves with the batches, each the device and the times. */
async function batched(scans: readonly Scan[]): Promise<[string, (number | undefined)[]][]> {
  const sent: [string, (number | undefined)[]][] = [];
  const batches = new Batches(async batch => {
    expect(new Set(batch.map(({ device }) => device)).size).toBe(1);
    sent.push([batch[0].device, batch.map(({ timeMs }) => timeMs)]);
  });
  for (const scan of scans) await batches.add(scan);
  await batches.end();
  return sent;
}

test('a batch holds one device in order of time', async () => {
  const scans = [scanOf('a', 3, 1), scanOf('b', 2, 1), scanOf('a', 1, 1), scanOf('b', undefined, 1)];
  expect(await batched(scans)).toEqual([
    ['a', [1, 3]],
    ['b', [undefined, 2]],
  ]);
});

test('a batch ends at 1,000 scans or 20,000 readings', async () => {
  const many = await batched(Array.from({ length: 2500 }, (_, i) => scanOf('a', i, 1)));
  expect(many.map(([, times]) => times.length)).toEqual([1000, 1000, 500]);
  const large = await batched(Array.from({ length: 5 }, (_, i) => scanOf('a', i, 9_000)));
  expect(large.map(([, times]) => times.length)).toEqual([3, 2]);
});

test('with many devices at once the one open longest goes first', async () => {
  const scans = Array.from({ length: 12 }, (_, i) => scanOf(`d${i}`, i, 10_000));
  expect((await batched(scans)).map(([device]) => device)).toEqual(scans.map(({ device }) => device));
  const late = [...scans, scanOf('d1', 12, 1), scanOf('d11', 13, 1)];
  expect(await batched(late)).toEqual([
    ['d0', [0]],
    ['d1', [1]],
    ...scans.slice(2, 3).map(({ device, timeMs }) => [device, [timeMs]]),
    ...scans.slice(3, 11).map(({ device, timeMs }) => [device, [timeMs]]),
    ['d11', [11, 13]],
    ['d1', [12]],
  ]);
});
