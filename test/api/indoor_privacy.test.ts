// A single access point is never located by fingerprints, whatever is sent beside it, through a real socket: two
// buildings, and one with two far ends.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { heardAt, publish, RADIOS, survey } from '../kits/buildings/fingerprinted.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';

const shifted = (by: number) => RADIOS.map(radio => ({ ...radio, mac: radio.mac + by }));
const ANNEX = shifted(0x01_00_00);
const [WEST, EAST] = [shifted(0x02_00_00), shifted(0x03_00_00)];
const BEACON = { macAddress: '00:14:bc:00:00:01', signalStrength: -60 };
const BEACON_NUMBER = 2 ** 48 + 0x00_14_bc_00_00_01;

describe('computed in a worker', () => {
  let served: ServedParts;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 1, ringBytes: RING_BYTES });
    const named = (name: string) => ({ modelId: undefined, buildingId: undefined, name });
    await publish(served.folder, served.maps, named('Hall'), survey());
    await publish(served.folder, served.maps, named('Annex'), survey(ANNEX));
    // One building whose ends are 400 m apart, and a beacon at its eastern end.
    const east = survey(EAST).map(each => ({
      ...each,
      eastMetres: each.eastMetres + 400,
      readings: [...each.readings, { radio: BEACON_NUMBER, levelDbm: -60 }],
    }));
    await publish(served.folder, served.maps, named('Mall'), [...survey(WEST), ...east]);
    await served.accountWriter.create({ keyHash: hashKey('indoor'), createdMs: 0 });
  });
  afterAll(() => served.close());

  const ask = async (body: object) => {
    const { status, json } = await served.post({ indoor: 1, ...body }, '/', { path: '/?key=indoor' });
    return [status, json.indoor?.building];
  };
  /** The access point that is heard best at a point, and that of another place, hardly heard. */
  const target = (radios: typeof ANNEX) => ({ ...heardAt(0, [5, 8], undefined, radios)[0], signalStrength: -45 });
  const hardly = (radios: typeof ANNEX, count: number) =>
    heardAt(0, [5, 8], undefined, radios)
      .slice(0, count)
      .map(each => ({ ...each, signalStrength: -100 }));

  test('one access point of a building with those of another is not located', async () => {
    expect(await ask({ wifiAccessPoints: [target([...RADIOS]), ...hardly(ANNEX, 1)] })).toEqual([404, undefined]);
  });

  test('of a building that is heard with two the place is told, though one of another is heard better', async () => {
    expect(await ask({ wifiAccessPoints: [target([...RADIOS]), ...heardAt(0, [5, 8], undefined, ANNEX)] })).toEqual([
      200,
      'Annex',
    ]);
  });

  test(
    'one access point with one of the other end of its building is not located, and neither with a second there ' +
      'that is hardly heard',
    async () => {
      expect(await ask({ wifiAccessPoints: [target(WEST), ...hardly(EAST, 1)] })).toEqual([404, undefined]);
      expect((await ask({ wifiAccessPoints: [target(WEST), ...hardly(EAST, 2)] }))[0]).toBe(404);
    },
  );

  test('two that are heard in one place are located', async () => {
    const two = heardAt(0, [5, 8], undefined, WEST).slice(0, 2);
    expect(await ask({ wifiAccessPoints: two })).toEqual([200, 'Mall']);
  });

  test('beside a beacon of the other end only the beacon is located', async () => {
    const beacon = await served.post({ bluetoothBeacons: [BEACON] }, '/', { path: '/?key=indoor' });
    const both = {
      bluetoothBeacons: [{ ...BEACON, signalStrength: -100 }],
      wifiAccessPoints: [target(WEST), ...hardly(EAST, 1)],
    };
    const { status, json } = await served.post(both, '/', { path: '/?key=indoor' });
    expect([beacon.status, status]).toEqual([200, 200]);
    expect(Math.abs(json.location.lng - beacon.json.location.lng)).toBeLessThan(0.001);
  });
});
