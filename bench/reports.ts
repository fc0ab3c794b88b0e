// Draws batches of reports from contributors in the seeded world: geosubmit items of devices that stand somewhere in a
// town every two minutes, enough time between any two positions. Consecutive reports share no stations, so the
// aggregation cannot reuse what it has loaded; walks would be cheaper. Batch k is a pure function of (seed, k).

import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { formatMac } from '../src/radio/mac.ts';
import { hash32, uniform } from '../test/kits/random.ts';
import { type Scan, scanAt } from './requests.ts';
import { COUNTRY_CODE, NETWORK_CODE, type World } from './world.ts';

const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
const SECONDS_APART = 120;

/** A file of batches. */
export interface BatchFile {
  batches: number;
  reports: number;
  /** Observations in all reports. */
  observations: number;
  /** Mean bytes of a batch before compression. */
  batchBytes: number;
}

/**
 * Writes batches as requests for the load generator; every other one is compressed.
 * @param keys contributors, in turn
 * @param first number of the first report
 */
export function writeBatchFile(
  path: string,
  world: World,
  batches: number,
  reportsABatch: number,
  keys: readonly string[],
  first = 0,
): BatchFile {
  const lengths = new Uint32Array(batches + 1);
  lengths[0] = batches;
  const requests: Buffer[] = [];
  let observations = 0;
  let bytes = 0;
  for (let batch = 0; batch < batches; batch++) {
    const items = Array.from({ length: reportsABatch }, (_, i) => reportAt(world, first + batch * reportsABatch + i));
    for (const { wifiAccessPoints, cellTowers } of items) observations += wifiAccessPoints.length + cellTowers.length;
    const text = JSON.stringify({ items });
    bytes += text.length;
    const request = renderBatch(text, keys[(batch >> 1) % keys.length], batch % 2 === 1);
    lengths[batch + 1] = request.length;
    requests.push(request);
  }
  writeFileSync(path, Buffer.concat([new Uint8Array(lengths.buffer), ...requests]));
  return { batches, reports: batches * reportsABatch, observations, batchBytes: bytes / batches };
}

/** Report `number` of the world, as an item of a batch. */
export function reportAt(world: World, number: number) {
  // Other positions than those of the lookups.
  const scan = scanAt(world, 0x4000_0000 + number);
  return itemOf(scan, FIRST_MS + number * SECONDS_APART * 1000, NETWORK_CODE, uniform(hash32(world.seed, number, 98)));
}

/** A scan with a fix, as an item of a batch. @param timestamp milliseconds since 1970 */
export function itemOf(scan: Scan, timestamp: number, networkCode: number, random: () => number) {
  return {
    timestamp,
    position: {
      latitude: Number(scan.latitude.toFixed(7)),
      longitude: Number(scan.longitude.toFixed(7)),
      accuracy: Math.round(30 + random() * 120) / 10,
      altitude: 300 + Math.round(random() * 200) / 10,
      heading: Math.round(random() * 3600) / 10,
      speed: Math.round(random() * 200) / 10,
      source: 'gps',
    },
    wifiAccessPoints: scan.accessPoints
      .filter(({ known }) => known)
      .map(seen => ({
        macAddress: formatMac(seen.mac),
        signalStrength: seen.signalDbm,
        channel: seen.channel,
        age: Math.floor(random() * 1500),
      })),
    cellTowers: scan.cells.map((cell, i) => ({
      radioType: 'lte',
      mobileCountryCode: COUNTRY_CODE,
      mobileNetworkCode: networkCode,
      locationAreaCode: cell.area,
      cellId: cell.cell,
      primaryScramblingCode: cell.code,
      signalStrength: cell.signalDbm,
      serving: i === 0 ? 1 : 0,
      age: Math.floor(random() * 1500),
    })),
  };
}

function renderBatch(text: string, key: string, isCompressed: boolean): Buffer {
  const body = isCompressed ? gzipSync(text) : Buffer.from(text);
  const encoding = isCompressed ? 'Content-Encoding: gzip\r\n' : '';
  const head =
    `POST /v2/geosubmit?key=${key} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ` +
    `application/json\r\n${encoding}Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
