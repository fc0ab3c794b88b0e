// Floors and rooms by fingerprints, through a real socket: a drawn hall of three floors, surveyed every two metres.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { openOrCreateBuildings } from '../../src/indoor/tables/buildings/building_tables.ts';
import { putSource } from '../../src/indoor/tables/buildings/change_source.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { degreesAt, drawnFloor, drawnModel, type Metres, rectangle } from '../kits/buildings/drawn.ts';
import { heardAt, publish, survey } from '../kits/buildings/fingerprinted.ts';
import { uniform } from '../kits/random.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';

const HALL = { buildingModelId: 7, buildingId: 3, building: 'Hall' };
const NAMES = { modelId: 7, buildingId: 3, name: 'Hall' };
const ROOMS = [
  { name: 'West', outline: [rectangle([0, 0], [20, 30])] },
  { name: 'East', outline: [rectangle([20, 0], [40, 30])] },
];
const INSIDE: Metres = [9, 15];

const errorMetres = ({ location: { lat, lng } }: { location: { lat: number; lng: number } }, at: Metres) => {
  const [longitude, latitude] = degreesAt(at);
  return Math.hypot((lat - latitude) * 111_195, (lng - longitude) * 111_195 * Math.cos((latitude * Math.PI) / 180));
};

describe('computed in a worker', () => {
  let served: ServedParts;
  let keys = 0;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 2, ringBytes: RING_BYTES });
    const tables = await openOrCreateBuildings(served.folder);
    const floors = [drawnFloor(0, { label: 'G' }), drawnFloor(1, { label: 'First', rooms: ROOMS }), drawnFloor(2)];
    const kiosk = drawnModel({ name: 'Kiosk', outline: [rectangle([500, 0], [540, 30])] }, [
      drawnFloor(0, { label: 'Street' }),
    ]);
    putSource(tables, 'drawn', [drawnModel(NAMES, floors), kiosk], () => {});
    await tables.root.close();
    await publish(served.folder, served.maps, NAMES, survey());
  });
  afterAll(() => served.close());

  async function ask(body: object, settings: object = {}) {
    const key = `key ${keys++}`;
    const { id } = await served.accountWriter.create({ keyHash: hashKey(key), createdMs: 0, ...settings });
    const { status, json } = await served.post(body, '/', { path: `/?key=${encodeURIComponent(key)}` });
    return { status, credits: served.accountWriter.get(id)!.credits, ...json };
  }
  const fixAt = (at: Metres, more: object = {}) => {
    const [longitude, latitude] = degreesAt(at);
    return { gps: { latitude, longitude, accuracy: 5, age: 3, ...more } };
  };

  test('floor, label and room are told with the building, for one credit more', async () => {
    const body = { indoor: 1, wifiAccessPoints: heardAt(1, INSIDE) };
    const answer = await ask(body, { credits: 10 });
    expect(answer.indoor).toEqual({ ...HALL, floorIndex: 1, floorLabel: 'First', room: 'West' });
    expect(errorMetres(answer, INSIDE)).toBeLessThan(4);
    expect(answer.credits).toBe(8);
    expect((await ask(body, { credits: 1 })).indoor).toBeUndefined();
    const east = await ask({ indoor: 1, wifiAccessPoints: heardAt(1, [31, 15]) });
    expect(east.indoor).toMatchObject({ floorIndex: 1, room: 'East' });
  });

  test('a floor of which the model says nothing has its index alone', async () => {
    expect((await ask({ indoor: 1, wifiAccessPoints: heardAt(0, INSIDE) })).indoor).toEqual({
      ...HALL,
      floorIndex: 0,
      floorLabel: 'G',
    });
    expect((await ask({ indoor: 1, wifiAccessPoints: heardAt(2, INSIDE) })).indoor).toEqual({ ...HALL, floorIndex: 2 });
  });

  test('between two rooms none is told', async () => {
    expect((await ask({ indoor: 1, wifiAccessPoints: heardAt(1, [20, 15]) })).indoor).toMatchObject({ floorIndex: 1 });
  });

  test('noisy scans find the floor, and half of the positions lie within their radii', async () => {
    const random = uniform(5);
    let floors = 0;
    let inside = 0;
    const asked = 60;
    for (let i = 0; i < asked; i++) {
      const floor = i % 3;
      const at: Metres = [2 + 36 * random(), 2 + 26 * random()];
      const answer = await ask({ indoor: 1, wifiAccessPoints: heardAt(floor, at, random) });
      if (answer.indoor?.floorIndex === floor) floors++;
      if (errorMetres(answer, at) <= answer.accuracy) inside++;
      expect(errorMetres(answer, at)).toBeLessThan(25);
    }
    expect(floors).toBeGreaterThanOrEqual(asked - 2);
    expect(inside).toBeGreaterThan(asked * 0.3);
  });

  test('the position is that of the fingerprints without being asked for the building', async () => {
    const answer = await ask({ wifiAccessPoints: heardAt(1, INSIDE) }, { credits: 5 });
    expect([answer.indoor, answer.credits]).toEqual([undefined, 4]);
    expect(errorMetres(answer, INSIDE)).toBeLessThan(4);
  });

  test('one network tells nothing, two do, and those of one radio are one', async () => {
    const heard = heardAt(1, INSIDE);
    const twin = { ...heard[0], macAddress: heard[0].macAddress.replace(/^00/, '06') };
    expect((await ask({ indoor: 1, wifiAccessPoints: [heard[0]] })).status).toBe(404);
    expect((await ask({ indoor: 1, wifiAccessPoints: [heard[0], twin] })).status).toBe(404);
    expect((await ask({ indoor: 1, wifiAccessPoints: heard.slice(0, 2) })).status).toBe(200);
  });

  test('with a fix elsewhere that outweighs the fingerprints no floor is told', async () => {
    const answer = await ask({ indoor: 1, ...fixAt([520, 15]), wifiAccessPoints: heardAt(1, INSIDE) });
    expect(answer.indoor?.building).not.toBe('Hall');
    expect(errorMetres(answer, [520, 15])).toBeLessThan(10);
  });

  test('a fix in the same place joins, and the floor is told', async () => {
    const answer = await ask({ indoor: 1, ...fixAt(INSIDE), wifiAccessPoints: heardAt(1, INSIDE) });
    expect(answer.indoor).toMatchObject({ building: 'Hall', floorIndex: 1, room: 'West' });
  });

  test('without fingerprints the floor is known where the model has one alone', async () => {
    expect((await ask({ indoor: 1, ...fixAt([520, 15]) })).indoor).toEqual({
      building: 'Kiosk',
      floorIndex: 0,
      floorLabel: 'Street',
    });
    expect((await ask({ indoor: 1, ...fixAt(INSIDE) })).indoor).toEqual(HALL);
  });

  test('a device that hears mostly other stations is not in the building', async () => {
    const street = Array.from({ length: 12 }, (_, i) => ({
      macAddress: `00:14:be:00:00:${(16 + i).toString(16)}`,
      signalStrength: -45 - i,
    }));
    const weak = heardAt(0, [-30, 15]).map(each => ({ ...each, signalStrength: each.signalStrength - 5 }));
    const answer = await ask({ indoor: 1, ...fixAt([-30, 15]), wifiAccessPoints: [...street, ...weak] });
    expect(answer.indoor).toBeUndefined();
    expect(errorMetres(answer, [-30, 15])).toBeLessThan(6);
  });

  test('a new map is used at once', async () => {
    const heard = heardAt(0, INSIDE);
    const raised = survey().map(each => ({ ...each, floor: each.floor + 5 }));
    await publish(served.folder, served.maps, NAMES, raised);
    expect((await ask({ indoor: 1, wifiAccessPoints: heard })).indoor).toEqual({ ...HALL, floorIndex: 5 });
    await publish(served.folder, served.maps, NAMES, survey());
    expect((await ask({ indoor: 1, wifiAccessPoints: heard })).indoor?.floorIndex).toBe(0);
    expect(served.errors).toEqual([]);
  });
});
