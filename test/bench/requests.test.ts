import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderBody, renderRequest, scanAt, writeRequestFile } from '../../bench/requests.ts';
import { createWorld, ENTRY_BYTES, stationBatches } from '../../bench/world.ts';
import { KIND_WIFI } from '../../src/radio/kind.ts';
import { macOfKey } from '../../src/radio/station_key.ts';

const world = createWorld(50_000, 3);
const scans = Array.from({ length: 2000 }, (_, number) => scanAt(world, number));

test('a request names 8 to 20 different access points and 1 to 6 cells', () => {
  for (const { accessPoints, cells } of scans) {
    expect(accessPoints.length).toBeGreaterThanOrEqual(8);
    expect(accessPoints.length).toBeLessThanOrEqual(20);
    expect(new Set(accessPoints.map(seen => seen.mac)).size).toBe(accessPoints.length);
    expect(cells.length).toBeGreaterThanOrEqual(1);
    expect(cells.length).toBeLessThanOrEqual(6);
  }
});

test('a tenth of the access points is unknown to the tables, and said to be', () => {
  const stored = new Set<number>();
  for (const { bytes, count } of stationBatches(world)) {
    for (let at = 0; at < count * ENTRY_BYTES; at += ENTRY_BYTES)
      if (bytes[at] === KIND_WIFI) stored.add(macOfKey(bytes, at));
  }
  const seen = scans.flatMap(({ accessPoints }) => accessPoints);
  for (const { mac, known } of seen) expect(stored.has(mac)).toBe(known);
  const share = seen.filter(({ known }) => !known).length / seen.length;
  expect(share).toBeGreaterThan(0.09);
  expect(share).toBeLessThan(0.11);
});

test('the same number of the same world is the same request, another seed another one', () => {
  expect(renderBody(scanAt(world, 12))).toBe(renderBody(scans[12]));
  expect(renderBody(scanAt(createWorld(50_000, 4), 12))).not.toBe(renderBody(scans[12]));
});

test('a body may name one kind of station alone, the same ones', () => {
  const [scan] = scans;
  const both = JSON.parse(renderBody(scan));
  const { cellTowers, ...withoutCells } = both;
  const { wifiAccessPoints, ...withoutAccessPoints } = both;
  expect(JSON.parse(renderBody(scan, 'access points'))).toEqual(withoutCells);
  expect(JSON.parse(renderBody(scan, 'cells'))).toEqual(withoutAccessPoints);
  expect([cellTowers.length, wifiAccessPoints.length]).toEqual([scan.cells.length, scan.accessPoints.length]);
});

test('a body may ask for a name or an address too', () => {
  const [scan] = scans;
  const plain = JSON.parse(renderBody(scan, 'access points'));
  expect(JSON.parse(renderBody(scan, 'access points', { geoname: 1, address: 1 }))).toEqual({
    ...plain,
    geoname: 1,
    address: 1,
  });
});

test('a request without a body is a GET', () => {
  expect(renderRequest('/reverse?lat=1&lon=2', undefined).toString()).toBe(
    'GET /reverse?lat=1&lon=2 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  );
});

test('the request file holds count, lengths and whole HTTP requests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-requests-'));
  try {
    const path = join(folder, 'requests.bin');
    const meanBytes = writeRequestFile(path, world, 5, 'some-key');
    const file = readFileSync(path);
    expect(file.readUInt32LE(0)).toBe(5);
    let at = 4 + 4 * 5;
    let bodyBytes = 0;
    for (let number = 0; number < 5; number++) {
      const length = file.readUInt32LE(4 + 4 * number);
      const [head, body] = file.toString('utf8', at, at + length).split('\r\n\r\n');
      expect(head).toContain('POST /?key=some-key HTTP/1.1');
      expect(head).toContain(`Content-Length: ${body.length}`);
      expect(body).toBe(renderBody(scans[number]));
      at += length;
      bodyBytes += body.length;
    }
    expect(at).toBe(file.length);
    expect(meanBytes).toBe(bodyBytes / 5);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
