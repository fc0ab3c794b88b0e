// Devices that are followed through a drawn hall of three floors, through a real socket: what a state does, and what no
// state can do.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { degreesAt, type Metres } from '../kits/buildings/drawn.ts';
import { heardAt, publish, RADIOS, survey } from '../kits/buildings/fingerprinted.ts';
import { uniform } from '../kits/random.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';

const HALL = { modelId: 7, buildingId: 3, name: 'Hall' };
const START = 1_700_000_000;
const YEAR = 365 * 86_400;
/** The radios of another building: as those of the hall, by other addresses. */
const ANNEX = RADIOS.map(radio => ({ ...radio, mac: radio.mac + 0x01_00_00 }));

const errorMetres = ({ location: { lat, lng } }: { location: { lat: number; lng: number } }, at: Metres) => {
  const [longitude, latitude] = degreesAt(at);
  return Math.hypot((lat - latitude) * 111_195, (lng - longitude) * 111_195 * Math.cos((latitude * Math.PI) / 180));
};

describe('computed in a worker', () => {
  let served: ServedParts;
  let key: string;
  let id: number;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 2, ringBytes: RING_BYTES });
    await publish(served.folder, served.maps, HALL, survey());
    await publish(
      served.folder,
      served.maps,
      { modelId: undefined, buildingId: undefined, name: 'Annex' },
      survey(ANNEX),
    );
    key = 'followed';
    ({ id } = await served.accountWriter.create({
      keyHash: hashKey(key),
      createdMs: 0,
      indoor: true,
      credits: 100_000,
    }));
  });
  afterAll(() => served.close());

  /** Asks as a device does. @param at seconds after the start */
  async function ask(
    wifiAccessPoints: readonly object[],
    at: number,
    more: object = {},
    device = 'walker',
    asKey = key,
  ) {
    const query = device === '' ? '' : `&id=${device}`;
    const body = { wifiAccessPoints, timestamp: START + at, ...more };
    const { status, json } = await served.post(body, '/', { path: `/?key=${encodeURIComponent(asKey)}${query}` });
    return { status, ...json };
  }
  const credits = () => served.accountWriter.get(id)!.credits!;
  /** What is answered of where a device is. */
  const placeOf = ({ location, accuracy, indoor }: { location: object; accuracy: number; indoor?: object }) => ({
    location,
    accuracy,
    indoor,
  });

  /** Walks east through floor 1, a request each five seconds. */
  async function walk(
    seed: number,
    isFollowed: boolean,
  ): Promise<{ errors: number[]; floors: number[]; states: string[] }> {
    const random = uniform(seed);
    const walked = { errors: [] as number[], floors: [] as number[], states: [] as string[] };
    let state: string | undefined;
    for (let step = 0; step < 6; step++) {
      const at: Metres = [4 + 6.5 * step, 15];
      const more = isFollowed && state !== undefined ? { state, sensors: [{ steps: 10, heading: 90 }] } : {};
      const answer = await ask(heardAt(1, at, random), 5 * step, more);
      walked.errors.push(errorMetres(answer, at));
      walked.floors.push(answer.indoor.floorIndex);
      walked.states.push(answer.state);
      state = answer.state;
    }
    return walked;
  }

  test('a device that is followed is found better than by single scans, and its states are short', async () => {
    let followed = 0;
    let single = 0;
    for (let seed = 0; seed < 8; seed++) {
      const tracked = await walk(seed, true);
      const alone = await walk(seed, false);
      expect(tracked.errors[0]).toBe(alone.errors[0]);
      expect(tracked.floors.filter(floor => floor === 1).length).toBeGreaterThanOrEqual(5);
      for (const state of tracked.states) expect(state).toMatch(/^[A-Za-z0-9_-]{84,600}$/);
      followed += tracked.errors.reduce((sum, error) => sum + error, 0);
      single += alone.errors.reduce((sum, error) => sum + error, 0);
    }
    expect(followed).toBeLessThan(single);
  });

  test('the same request has the same answer, however often its state is sent', async () => {
    const { states } = await walk(20, true);
    const heard = heardAt(1, [36, 15], uniform(1));
    const more = { state: states[4], sensors: [{ steps: 5, heading: 90 }] };
    const before = credits();
    const first = await ask(heard, 25, more);
    expect(placeOf(await ask(heard, 25, more))).toEqual(placeOf(first));
    expect(placeOf(first)).not.toEqual(placeOf(await ask(heard, 25)));
    expect(before - credits()).toBe(3 * 2);
  });

  test('a request within five seconds is answered by its scan alone, and the track goes on after it', async () => {
    const { states } = await walk(21, true);
    const heard = heardAt(1, [30, 15], uniform(2));
    const state = states[5];
    const sensors = [{ steps: 3, heading: 270 }];
    const soon = await ask(heard, 27, { state, sensors });
    expect(placeOf(soon)).toEqual(placeOf(await ask(heard, 27)));
    const later = await ask(heard, 31, { state: soon.state, sensors });
    expect(placeOf(later)).toEqual(placeOf(await ask(heard, 31, { state, sensors })));
    expect(placeOf(later)).not.toEqual(placeOf(await ask(heard, 31)));
  });

  test('a request that hears nothing of the building does not end the track', async () => {
    const { states } = await walk(22, true);
    const [longitude, latitude] = degreesAt([36, 15]);
    const gps = { latitude, longitude, accuracy: 10, age: 5 };
    const { state } = await ask([], 30, { state: states[5], gps });
    const heard = heardAt(1, [30, 15], uniform(3));
    expect(placeOf(await ask(heard, 35, { state }))).toEqual(placeOf(await ask(heard, 35, { state: states[5] })));
    expect(placeOf(await ask(heard, 35, { state }))).not.toEqual(placeOf(await ask(heard, 35)));
  });

  test('a vehicle ends the track, also soon after the last request and where nothing of the building is heard', async () => {
    const { states } = await walk(27, true);
    const heard = heardAt(1, [30, 15], uniform(9));
    const [longitude, latitude] = degreesAt([36, 15]);
    const leaving = { state: states[5], sensors: [{ activity: 'IN_VEHICLE' }] };
    const alone = placeOf(await ask(heard, 40));
    for (const ended of [
      await ask(heard, 30, leaving),
      await ask(heard, 27, leaving),
      await ask([], 30, { ...leaving, gps: { latitude, longitude, accuracy: 10, age: 5 } }),
    ]) {
      expect(ended.status).toBe(200);
      expect(placeOf(await ask(heard, 40, { state: ended.state }))).toEqual(alone);
    }
    expect(placeOf(await ask(heard, 40, { state: states[5] }))).not.toEqual(alone);
  });

  test(
    'a phone that lies still and sends all steps it has ever counted, or as many as nobody takes, is found by ' +
      'its scans',
    async () => {
      for (const steps of [20, 200, 5_000, 65_535]) {
        const random = uniform(28);
        let state: string | undefined;
        for (let k = 0; k < 8; k++) {
          const heard = heardAt(1, [20, 15], random);
          const answer = await ask(
            heard,
            5 * k,
            state === undefined ? {} : { state, sensors: [{ steps, heading: 90 }] },
          );
          const alone = await ask(heard, 5 * k);
          expect(errorMetres(answer, [20, 15]), `${steps} steps`).toBeLessThan(
            errorMetres(alone, [20, 15]) + 2 * answer.accuracy,
          );
          expect(errorMetres(answer, [20, 15]), `${steps} steps`).toBeLessThan(20);
          expect(answer.indoor.floorIndex).toBe(1);
          state = answer.state;
        }
      }
    },
  );

  test('a state that was changed is none: the scan is answered by itself, for the same price', async () => {
    const { states } = await walk(23, true);
    const heard = heardAt(1, [30, 15], uniform(4));
    const alone = placeOf(await ask(heard, 30));
    const bytes = Buffer.from(states[5], 'base64url');
    const before = credits();
    let asked = 0;
    for (let at = 0; at < bytes.length; at += 23) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 1 << (at % 8);
      for (const state of [changed, bytes.subarray(0, at), Buffer.concat([bytes, bytes.subarray(0, at + 1)])]) {
        const answer = await ask(heard, 30, { state: state.toString('base64url') });
        expect([answer.status, placeOf(answer)]).toEqual([200, alone]);
        asked++;
      }
    }
    expect(before - credits()).toBe(2 * asked);
  });

  test('a state of another building, of a year ago or of times to come is none, for the same price', async () => {
    const { states } = await walk(24, true);
    const before = credits();
    const annex = heardAt(1, [30, 15], uniform(5), ANNEX);
    expect((await ask(annex, 30)).indoor).toMatchObject({ building: 'Annex', floorIndex: 1 });
    expect(placeOf(await ask(annex, 30, { state: states[5] }))).toEqual(placeOf(await ask(annex, 30)));
    const heard = heardAt(1, [30, 15], uniform(6));
    const times = [YEAR, -YEAR, 20, 25, 24 * 3600, 700];
    for (const at of times) {
      expect(placeOf(await ask(heard, at, { state: states[5] }))).toEqual(placeOf(await ask(heard, at)));
    }
    expect(before - credits()).toBe((3 + 2 * times.length) * 2);
  });

  test('a state of another device or key is refused, and costs nothing', async () => {
    const { states } = await walk(25, true);
    const heard = heardAt(1, [30, 15], uniform(7));
    const other = 'other';
    const { id: otherId } = await served.accountWriter.create({
      keyHash: hashKey(other),
      createdMs: 0,
      indoor: true,
      credits: 10,
    });
    for (const refused of [
      await ask(heard, 30, { state: states[5] }, 'thief'),
      await ask(heard, 30, { state: states[5] }, ''),
      await ask(heard, 30, { state: states[5] }, 'walker', other),
    ]) {
      expect([refused.status, refused.error.errors[0].reason]).toEqual([400, 'settingsKeyInvalid']);
    }
    expect(served.accountWriter.get(otherId)!.credits).toBe(10);
    expect(served.errors).toEqual([]);
  });

  test('a device that stands still is where it was, whatever its next scan says', async () => {
    const { states, errors } = await walk(26, true);
    const heard = heardAt(1, [30, 15], uniform(8));
    const still = await ask(heard, 30, { state: states[5], sensors: [{ steps: 0, activity: 'STILL' }] });
    expect(errorMetres(still, [36.5, 15])).toBeLessThan(errorMetres(await ask(heard, 30), [36.5, 15]) + errors[5]);
  });
});
