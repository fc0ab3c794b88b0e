// The pass of large bodies: batches of many megabytes, positions of 8 MB, and both compressed. Bodies are drawn, so
// that each can be made of any size.

import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { formatMac } from '../../src/radio/mac.ts';

const MEGABYTE = 1_048_576;
const ENTRIES_AN_ITEM = 10;
const FIRST_MAC = 0x3c_00_00_00_00_00;
/** Requests of each kind that are sent at once. */
const BATCHES_AT_ONCE = 2;
const POSITIONS_AT_ONCE = 8;

/** Sizes of the bodies before compression, in megabytes. */
interface Sizes {
  batch: number;
  position: number;
}

/** Sends all kinds of large bodies. @returns how often each kind had each status; 0 stands for a broken connection */
export async function sendLargeBodies(
  port: number,
  key: string,
  sizes: Sizes,
  rounds: number,
): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true });
  const counts = new Map<string, number>();
  const batch = drawBatch(sizes.batch);
  const position = drawPosition(sizes.position);
  const kinds = [
    { kind: 'batch', path: '/v2/geosubmit', body: batch, headers: {}, atOnce: BATCHES_AT_ONCE },
    {
      kind: 'gzip batch',
      path: '/v2/geosubmit',
      body: gzipSync(batch),
      headers: { 'content-encoding': 'gzip' },
      atOnce: BATCHES_AT_ONCE,
    },
    { kind: 'position', path: '/', body: position, headers: {}, atOnce: POSITIONS_AT_ONCE },
    {
      kind: 'gzip position',
      path: '/',
      body: gzipSync(position),
      headers: { 'content-encoding': 'gzip' },
      atOnce: POSITIONS_AT_ONCE,
    },
  ];
  for (let round = 0; round < rounds; round++) {
    for (const { kind, path, body, headers, atOnce } of kinds) {
      const send = () => statusOf({ agent, port, path: `${path}?key=${key}`, headers }, body);
      for (const status of await Promise.all(Array.from({ length: atOnce }, send))) {
        const name = `${kind} ${status}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
  }
  agent.destroy();
  return counts;
}

function statusOf(
  target: { agent: Agent; port: number; path: string; headers: Record<string, string> },
  body: Buffer,
): Promise<number> {
  return new Promise(resolve => {
    const sent = request({ ...target, host: '127.0.0.1', method: 'POST' }, response => {
      response.resume().on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

function drawBatch(megabytes: number): Buffer {
  let seen = 0;
  return drawList('items', megabytes, item => {
    const entries = Array.from({ length: ENTRIES_AN_ITEM }, () => accessPoint(seen++)).join(',');
    const [latitude, longitude] = [48 + (item % 1000) / 1e4, 9 + (item % 777) / 1e4];
    const timestamp = Date.now() - (item % 100_000);
    return `{"timestamp":${timestamp},"position":{"latitude":${latitude},"longitude":${longitude},"accuracy":10},"wifiAccessPoints":[${entries}]}`;
  });
}

function drawPosition(megabytes: number): Buffer {
  return drawList('wifiAccessPoints', megabytes, accessPoint);
}

function drawList(member: string, megabytes: number, draw: (n: number) => string): Buffer {
  const rows: string[] = [];
  for (let length = 0; ; ) {
    const row = draw(rows.length);
    length += row.length + 1;
    if (length > megabytes * MEGABYTE - 100) return Buffer.from(`{"${member}":[${rows.join(',')}]}`);
    rows.push(row);
  }
}

function accessPoint(n: number): string {
  return `{"macAddress":"${formatMac(FIRST_MAC + n * 7919)}","signalStrength":${-40 - (n % 50)},"channel":6}`;
}
