// Devices that are followed outdoors, through a real socket: which keys have it, and that no state can break it. The
// devices hear access points of the demo town.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import type { AccountSettings } from '../../src/tables/accounts/key_settings.ts';
import { writeOsmPbf } from '../kits/places/osm_pbf.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';

const START = 1_700_000_000;
/** A little north of where a device is that hears the second point more. */
const STREET_LATITUDE = 1.2505;
const heard = (level: number) => [
  { macAddress: '02:00:5e:00:00:d3', signalStrength: level },
  { macAddress: '02:00:5e:00:00:d4', signalStrength: -120 - level },
];

async function importStreet(folder: string): Promise<void> {
  const file = join(folder, 'street.osm.pbf');
  const ends = [-2.51, -2.49].map((lon, i) => ({ type: 'node' as const, id: i + 1, lat: STREET_LATITUDE, lon }));
  writeOsmPbf(file, [
    ...ends,
    { type: 'way', id: 1, nodes: [1, 2], tags: { highway: 'residential', name: 'High Street' } },
  ]);
  await importExtracts({ folder, files: [file], onProgress: () => {} });
}

describe('computed in a worker', () => {
  let served: ServedParts;
  let followedId: number;
  let filteredId: number;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 1, ringBytes: RING_BYTES }, importStreet);
    const make = (name: string, settings: AccountSettings) =>
      served.accountWriter.create({ keyHash: hashKey(name), createdMs: 0, credits: 1_000, ...settings });
    ({ id: followedId } = await make('followed', { tracking: true }));
    ({ id: filteredId } = await make('filtered', { speedFilter: true }));
  });
  afterAll(() => served.close());

  async function ask(key: string, at: number, level: number, state?: string, activity?: string) {
    const sensors = activity === undefined ? undefined : [{ activity }];
    const body = { wifiAccessPoints: heard(level), timestamp: START + at, state, sensors };
    const { status, json } = await served.post(body, '/', { path: `/?key=${key}&id=walker` });
    return { status, ...json };
  }
  const credits = (id: number) => served.accountWriter.get(id)!.credits!;

  test('a key with tracking has states with tracks, and others have states without', async () => {
    const followed = await ask('followed', 0, -50);
    const filtered = await ask('filtered', 0, -50);
    expect(followed.location).toEqual(filtered.location);
    expect(followed.accuracy).toBe(filtered.accuracy);
    expect(followed.state.length).toBeGreaterThan(filtered.state.length);
    expect(followed.state.length).toBeLessThanOrEqual(600);
  });

  test('a vehicle and a bicycle are drawn to the street, and nobody else is', async () => {
    const alone = await ask('followed', 0, -50);
    for (const activity of ['ON_FOOT', 'STILL', 'UNKNOWN']) {
      const { location, accuracy } = await ask('followed', 0, -50, undefined, activity);
      expect([location, accuracy]).toEqual([alone.location, alone.accuracy]);
    }
    for (const activity of ['IN_VEHICLE', 'ON_BICYCLE']) {
      const { location } = await ask('followed', 0, -50, undefined, activity);
      expect(Math.abs(location.lat - STREET_LATITUDE)).toBeLessThan(Math.abs(alone.location.lat - STREET_LATITUDE));
      expect(location.lng).toBeCloseTo(alone.location.lng, 5);
      expect((await ask('filtered', 0, -50, undefined, activity)).location).toEqual(alone.location);
    }
  });

  test('what is sent back says where the device was, and nothing else can, for one credit a request', async () => {
    const before = [credits(followedId), credits(filteredId)];
    let asked = 5;
    const { state } = await ask('followed', 0, -50);
    const alone = await ask('followed', 8, -70);
    const again = await ask('followed', 8, -70, state);
    expect(again.status).toBe(200);
    expect((await ask('followed', 8, -70, state)).location).toEqual(again.location);
    const bytes = Buffer.from(state, 'base64url');
    for (let at = 0; at < bytes.length; at += 11) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 64;
      for (const sent of [changed, bytes.subarray(0, at)]) {
        const answer = await ask('followed', 8, -70, sent.toString('base64url'));
        expect([answer.status, answer.location, answer.accuracy]).toEqual([200, alone.location, alone.accuracy]);
        asked++;
      }
    }
    expect((await ask('followed', 8 + 365 * 86_400, -70, state)).location).toEqual(alone.location);
    expect((await ask('filtered', 8, -70, state)).status).toBe(400);
    expect([before[0] - credits(followedId), before[1] - credits(filteredId)]).toEqual([asked, 0]);
    expect(served.errors).toEqual([]);
  });
});
