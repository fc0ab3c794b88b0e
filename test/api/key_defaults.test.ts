// What a key has by default for the confidence and the fallbacks of its requests: in the fast lane, in Fastify, in the
// compact form, in a batch and in a worker.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';
import { send } from '../kits/service_process.ts';

const DEMO_POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
/** Of a base station of the demo town. */
const UNKNOWN_CELL = {
  cellTowers: [{ radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1, cellId: 256_100 }],
};

let served: ServedParts;
beforeAll(async () => {
  served = await serveParts({ mode: 'auto', workers: 1, ringBytes: RING_BYTES });
  await served.accountWriter.create({ keyHash: hashKey('sure'), createdMs: 0, confidence: 95, fallbacks: ['nbcidf'] });
});
afterAll(() => served.close());

/** A body that a worker reads. */
const large = (body: object) => ({ ...body, padding: 'x'.repeat(300_000) });

function ask(key: string, body: object, lane: 'fast' | 'fastify' = 'fast'): ReturnType<typeof send> {
  const path = `${lane === 'fast' ? '/' : '//'}?key=${encodeURIComponent(key)}`;
  return send(`http://127.0.0.1:${served.port}`, { path, body });
}

const radius = async (...question: Parameters<typeof ask>): Promise<number> => (await ask(...question)).json.accuracy;

describe('the radius', () => {
  test.each(['fast', 'fastify'] as const)('is that of the default, by the way %s', async lane => {
    const [at50, at95] = [await radius('a key', DEMO_POINTS, lane), await radius('sure', DEMO_POINTS, lane)];
    expect(at95).toBeGreaterThan(at50);
    expect(await radius('a key', { ...DEMO_POINTS, confidence: 95 }, lane)).toBe(at95);
    // What the request says wins.
    expect(await radius('sure', { ...DEMO_POINTS, confidence: 50 }, lane)).toBe(at50);
  });

  test('also of a large body, in a batch and in the compact form', async () => {
    const at95 = await radius('sure', DEMO_POINTS);
    expect(await radius('sure', large(DEMO_POINTS))).toBe(at95);
    const batch = await served.get('/v1/geolocate/batch?key=sure', { method: 'POST', body: [DEMO_POINTS] });
    expect(batch.json[0].accuracy).toBe(at95);
    const compact = async (key: string) =>
      (await served.get(`/?key=${encodeURIComponent(key)}&wifi=02005e0000d3;02005e0000d4`)).text;
    expect(await compact('sure')).toContain(`acc=${at95}`);
    expect(await compact('a key')).toContain(`acc=${await radius('a key', DEMO_POINTS)}`);
  });
});

describe('fallbacks', () => {
  test.each([
    ['fast', UNKNOWN_CELL],
    ['fastify', UNKNOWN_CELL],
    ['fast', large(UNKNOWN_CELL)],
  ] as const)('of the key are tried where the request names none, by the way %s', async (lane, body) => {
    expect((await ask('a key', body, lane)).status).toBe(404);
    expect((await ask('sure', body, lane)).json).toMatchObject({ fallback: 'nbcidf' });
    expect((await ask('sure', { ...body, fallbacks: {} }, lane)).status).toBe(404);
  });
});
