import { describe, expect, onTestFinished, test } from 'vitest';
import {
  LONE_BEACONS_ALL,
  LONE_BEACONS_NONE,
  SOURCE_BLUETOOTH,
  SOURCE_CELL,
  SOURCE_GPS,
  SOURCE_WIFI,
} from '../../src/radio/query/layout.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { World } from '../kits/radio/world.ts';

test('nothing sent, nothing found', async () => {
  const world = await World.draw({ metres: 10, map: 'A' });
  expect(world.ask().answer()).toBeUndefined();
});

describe('beacons', () => {
  const known = { metres: 10, map: 'A...B', bluetooth: 'AB' };

  test('that only untrusted accounts vouch for place no device, alone or together: one person carries several', async () => {
    const untrusted = { isLearned: true, isUntrusted: true, samples: 20 };
    const world = await World.draw({
      ...known,
      map: 'A...B\nC',
      bluetooth: 'ABC',
      stations: { A: untrusted, B: untrusted },
    });
    const both = () => world.ask().bluetooth('A', -70).bluetooth('B', -70);
    expect(world.ask().bluetooth('A', -70).answer()).toBeUndefined();
    expect(both().answer()).toBeUndefined();
    expect(both().bluetooth('C', -80).answer()?.used).toBeGreaterThan(1);
    expect(world.ask().loneBeacons(LONE_BEACONS_ALL).bluetooth('A', -70).answer()?.used).toBe(1);
    expect(both().loneBeacons(LONE_BEACONS_ALL).answer()?.used).toBe(2);
  });

  test('of one person do not take the place of a beacon that the operator vouches for', async () => {
    const untrusted = { isLearned: true, isUntrusted: true, samples: 20 };
    const far = { metres: 10, map: 'C', bluetooth: 'C', origin: [49.9, 8.7] as const };
    const world = await World.draw({ ...known, stations: { A: untrusted, B: untrusted } }, far);
    const answer = world.ask().bluetooth('A', -40).bluetooth('B', -40).bluetooth('C', -80).answer();
    expect(world.metresTo(answer, 'C')).toBeLessThan(1);
    expect(answer?.used).toBe(1);
  });

  test('place no device alone where the operator says so', async () => {
    const world = await World.draw(known);
    expect(world.ask().bluetooth('A', -70).answer()?.used).toBe(1);
    expect(world.ask().loneBeacons(LONE_BEACONS_NONE).bluetooth('A', -70).answer()).toBeUndefined();
  });

  test('with an address that a device made up itself place none alone, whoever vouches for them', async () => {
    const world = new World();
    onTestFinished(() => world.close());
    world.addBluetooth(0xc2005e000001, stationAt(49.87, 8.65, 5, 10));
    await world.build();
    expect(world.ask().bluetoothByMac(0xc2005e000001, -70).answer()).toBeUndefined();
    expect(world.ask().loneBeacons(LONE_BEACONS_ALL).bluetoothByMac(0xc2005e000001, -70).answer()).toBeUndefined();
  });

  test('one beacon is a position, by address or as iBeacon', async () => {
    const world = await World.draw({ metres: 10, map: 'A.B', bluetooth: 'A', beacons: 'B' });
    const byAddress = world.ask().bluetooth('A', -70).answer();
    const asBeacon = world.ask().beacon('B', -70).answer();
    expect(world.metresTo(byAddress, 'A')).toBeLessThan(0.1);
    expect(world.metresTo(asBeacon, 'B')).toBeLessThan(0.1);
    expect(asBeacon).toMatchObject({ sources: SOURCE_BLUETOOTH, used: 1 });
  });

  test('a weaker beacon is farther away', async () => {
    const world = await World.draw({ metres: 10, map: 'A', beacons: 'A' });
    const near = world.ask().beacon('A', -60).answer()?.accuracyMetres ?? 0;
    const far = world.ask().beacon('A', -85).answer()?.accuracyMetres ?? 0;
    expect(near).toBeGreaterThanOrEqual(1);
    expect(far).toBeGreaterThan(3 * near);
  });

  test('iBeacons that differ only in their minor number are two', async () => {
    const world = await World.draw({ metres: 6, map: 'A.x.B', beacons: 'AB' });
    const answer = world.ask().beacon('A', -70).beacon('B', -70).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(1);
    expect(answer?.used).toBe(2);
  });

  test('the address of an access point is not that of a beacon', async () => {
    const world = await World.draw({ metres: 10, map: 'A' });
    expect(world.ask().bluetooth('A', -60).answer()).toBeUndefined();
  });

  test('a beacon whose reading is stale is not used', async () => {
    const world = await World.draw({ metres: 10, map: 'A...B', bluetooth: 'AB' });
    const answer = world.ask().bluetooth('A', -70).bluetooth('B', -50, { ageMs: 100_000 }).answer();
    expect(world.metresTo(answer, 'A')).toBeLessThan(0.1);
  });

  test('a beacon and access points around it are fused', async () => {
    const world = await World.draw({ metres: 10, map: 'A....B\n..Kx..\nC....D', beacons: 'K' });
    const answer = world.ask().beacon('K', -75).wifi('A', -70).wifi('B', -70).wifi('C', -70).wifi('D', -70).answer();
    expect(answer?.sources).toBe(SOURCE_BLUETOOTH | SOURCE_WIFI);
    expect(world.metresTo(answer, 'x')).toBeLessThan(12);
    expect(answer).toMatchObject({ used: 5 });
  });
});

describe('GPS', () => {
  const drawing = { metres: 20, map: 'A...B\n..x..\nC...D....y...1' };
  const all = (world: World) => world.ask().wifi('A', -65).wifi('B', -65).wifi('C', -65).wifi('D', -65);

  test('a fix alone is answered unchanged', async () => {
    const world = await World.draw(drawing);
    const answer = world.ask().gps('y', 12).answer();
    const place = world.positions.get('y');
    expect([answer?.latitude, answer?.longitude]).toEqual(place);
    expect(answer?.accuracyMetres).toBeCloseTo(12, 5);
    expect(answer).toMatchObject({ sources: SOURCE_GPS, used: 0 });
  });

  test('an accuracy of 0 is a metre', async () => {
    const world = await World.draw(drawing);
    expect(world.ask().gps('y', 0).answer()?.accuracyMetres).toBeCloseTo(1, 5);
  });

  test('a fix without accuracy is a poor one', async () => {
    const world = await World.draw(drawing);
    expect(world.ask().gps('y', -1).answer()?.accuracyMetres).toBeCloseTo(20, 5);
  });

  test('an older fix is less accurate', async () => {
    const world = await World.draw(drawing);
    expect(world.ask().gps('y', 10, 300).answer()?.accuracyMetres).toBeGreaterThan(100);
  });

  test('at 0, 0 is none where a station says where the device is, and else what it says', async () => {
    const world = await World.draw({ metres: 10, map: 'A.x.B' });
    const nowhere = () => world.ask().gps([0, 0], 12);
    const answer = nowhere().wifi('A', -60).wifi('B', -60).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(30);
    expect(answer?.sources).toBe(SOURCE_WIFI);
    expect(nowhere().answer()).toMatchObject({ latitude: 0, longitude: 0, sources: SOURCE_GPS });
  });

  test('a precise fix and access points around it are fused', async () => {
    const world = await World.draw(drawing);
    const answer = all(world).gps('x', 5).answer();
    expect(answer?.sources).toBe(SOURCE_GPS | SOURCE_WIFI);
    expect(world.metresTo(answer, 'x')).toBeLessThan(5);
    expect(answer?.accuracyMetres).toBeLessThan(5);
  });

  test('a fused position has the lightest tail of its estimates, a single one its own', async () => {
    const world = await World.draw(drawing);
    const fix = world.ask().gps('x', 5).answer()?.tail;
    const points = all(world).answer()?.tail;
    expect(fix?.at95).toBeLessThan(points?.at95 ?? 0);
    expect(all(world).gps('x', 5).answer()?.tail).toEqual(fix);
    expect(world.ask().cell(1, -90).answer()?.tail.at95).toBeGreaterThan(fix?.at95 ?? 0);
  });

  test('a poor fix leaves the position to the access points', async () => {
    const world = await World.draw(drawing);
    const answer = all(world).gps('y', 150).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(5);
  });

  test('a fresh fix wins over access points that moved away together', async () => {
    const world = await World.draw(drawing, { metres: 20, map: 'E.F\nG.H', origin: [52.5, 13.4] });
    const answer = world.ask().gps('x', 10).wifi('E', -50).wifi('F', -50).wifi('G', -50).wifi('H', -50).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(0.001);
    expect(answer?.sources).toBe(SOURCE_GPS);
  });

  test('and its radius reaches those that agree elsewhere, from three of them and five kilometres on', async () => {
    const world = await World.draw(drawing, { metres: 20, map: 'E.F\nG.H', origin: [52.5, 13.4] });
    const three = world.ask().gps('x', 10).wifi('E', -50).wifi('F', -50).wifi('G', -50).answer();
    expect(three?.sources).toBe(SOURCE_GPS);
    expect(three!.accuracyMetres / world.metresTo(three, 'E')).toBeCloseTo(1, 2);
    const two = world.ask().gps('x', 10).wifi('E', -50).wifi('F', -50).answer();
    expect(two?.accuracyMetres).toBeCloseTo(10, 3);
    const near = await World.draw(drawing, { metres: 20, map: 'E.F\nG.H', origin: [49.91, 8.65] });
    const answer = near.ask().gps('x', 10).wifi('E', -50).wifi('F', -50).wifi('G', -50).answer();
    expect(answer?.accuracyMetres).toBeCloseTo(10, 3);
  });

  test('an old fix elsewhere gives way to access points', async () => {
    const world = await World.draw(drawing);
    const answer = all(world).gps([52.5, 13.4], 10, 500).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(5);
    expect(answer?.sources).toBe(SOURCE_WIFI);
  });

  test('a false fix gives way when access points and cell agree on another place', async () => {
    const world = await World.draw(drawing);
    const answer = all(world).gps([52.5, 13.4], 10).cell(1, -90).answer();
    expect(answer?.sources).toBe(SOURCE_WIFI | SOURCE_CELL);
    expect(world.metresTo(answer, 'x')).toBeLessThan(5);
  });
});

describe('access points and cells', () => {
  test('a cell around the access points changes little', async () => {
    const world = await World.draw({ metres: 20, map: 'A...B\n..x..\nC...D..........1' });
    const answer = world.ask().wifi('A', -65).wifi('B', -65).wifi('C', -65).wifi('D', -65).cell(1, -80).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(5);
    expect(answer).toMatchObject({ sources: SOURCE_WIFI | SOURCE_CELL, used: 5 });
  });

  test('access points win over a single cell elsewhere', async () => {
    const world = await World.draw({ metres: 20, map: 'A.x.B' }, { metres: 20, map: '9', origin: [51.5, 8.65] });
    const answer = world.ask().wifi('A', -65).wifi('B', -65).cell(9, -80).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(5);
    expect(answer?.sources).toBe(SOURCE_WIFI);
  });

  test('two access points lose against several cells that agree on another place', async () => {
    const world = await World.draw(
      { metres: 100, map: '1.2\n.3.' },
      { metres: 20, map: 'A.x.B', origin: [51.5, 8.65] },
    );
    const answer = world.ask().wifi('A', -65).wifi('B', -65).cell(1, -80).cell(2, -80).cell(3, -80).answer();
    expect(answer?.sources).toBe(SOURCE_CELL);
    expect(world.metresTo(answer, '3')).toBeLessThan(300);
  });
});

test('the accuracy is a finite number of metres, at least 1', async () => {
  const world = await World.draw({ metres: 1, map: 'AB\nCD', bluetooth: '', r50: { A: 0, B: 0, C: 0, D: 0 } });
  const answer = world.ask().wifi('A', -20).wifi('B', -20).wifi('C', -20).wifi('D', -20).gps('A', 0).answer();
  expect(answer?.accuracyMetres).toBeGreaterThanOrEqual(1);
  expect(answer?.accuracyMetres).toBeLessThan(10);
});
