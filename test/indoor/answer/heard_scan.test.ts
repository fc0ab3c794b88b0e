import { expect, test } from 'vitest';
import { HeardScan } from '../../../src/indoor/answer/heard_scan.ts';
import { RadioIndex } from '../../../src/indoor/tables/fingerprints/reader.ts';
import { queryBytesOf, readQuery } from '../../../src/protocol/requests/position_query.ts';
import { checkStructure } from '../../../src/protocol/requests/schema.ts';
import { formatMac, radioOfMac } from '../../../src/radio/mac.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryReader } from '../../../src/radio/query/reader.ts';
import { QueryWriter } from '../../../src/radio/query/writer.ts';
import { deviceMac } from '../../kits/radio/stations.ts';

const heard = new HeardScan();
const mac = deviceMac;

/**
 * Reads what is heard: access points by their number, with levels. @param buildings the numbers of the access points of
 * each
 */
function read(
  levels: readonly (readonly [i: number, levelDbm: number | undefined])[],
  buildings: readonly (readonly number[])[],
) {
  const body = {
    wifiAccessPoints: levels.map(([i, signalStrength]) => ({ macAddress: formatMac(mac(i)), signalStrength })),
  };
  return readBody(
    body,
    buildings.map(of => of.map(i => radioOfMac(mac(i)))),
  );
}

/** Reads a body. @param buildings the radios of each */
function readBody(body: object, buildings: readonly (readonly number[])[]) {
  checkStructure(body);
  const memory = new QueryMemory(new ArrayBuffer(queryBytesOf(body)));
  readQuery(body, 0, new QueryWriter(memory), 0);
  const known = buildings.map((of, id) => [id, Float64Array.from(of).sort()] as const);
  return heard.read(new QueryReader(memory, 0), new RadioIndex(new Map(known)), { isOut: () => false });
}
const levelsRead = () => [...heard.all.levelDbm.subarray(0, heard.all.count)];

test('a building may be meant where two of its radios are heard, or a beacon', () => {
  const far = [1, -60] as const;
  expect(read([[0, -60], far], [[0], [1]])).toEqual([]);
  expect(read([[0, -60], far, [2, -60]], [[0, 2], [1]])).toMatchObject([
    { id: 0, hasNetworks: true, hasBeacons: false },
  ]);
});

test('an iBeacon with an address is one beacon and two radios, each of which may be known', () => {
  const address = 0xc1_23_45_67_89_ab;
  const iBeacon = { uuid: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', major: 1, minor: 2, signalStrength: -60, age: 300 };
  const radios = (body: object): number[] => {
    readBody(body, []);
    return [...heard.all.radio.subarray(0, heard.all.count)];
  };
  const [byIdentity] = radios({ bluetoothBeacons: [iBeacon] });
  const [byAddress] = radios({ bluetoothBeacons: [{ macAddress: formatMac(address), signalStrength: -60 }] });
  const both = { bluetoothBeacons: [{ ...iBeacon, macAddress: formatMac(address) }] };
  expect(radios(both)).toEqual([byIdentity, byAddress]);
  expect([...heard.all.ageMs.subarray(0, 2)]).toEqual([300, 300]);
  expect([levelsRead(), heard.stations, heard.beaconStations, heard.beacons().count]).toEqual([[-60, -60], 1, 1, 2]);
  for (const radio of [byIdentity, byAddress])
    expect(readBody(both, [[radio]])).toMatchObject([{ id: 0, hasNetworks: false, hasBeacons: true }]);
  const many = {
    bluetoothBeacons: Array.from({ length: 1_000 }, (_, i) => ({ ...iBeacon, macAddress: formatMac(address + i) })),
  };
  expect(radios(many)).toHaveLength(1_024);
  expect(heard.stations).toBe(1_000);
});

test(
  'of many buildings the four that are heard best are looked at, the best first, and none that is heard half as ' +
    'well',
  () => {
    const buildings = Array.from({ length: 10 }, (_, id) => [2 * id, 2 * id + 1]);
    const levels = buildings.flatMap((of, id) => of.map(i => [i, -50 - id] as const));
    expect(read(levels, buildings).map(({ id }) => id)).toEqual([0, 1, 2, 3]);
    const two = (levelDbm: number) =>
      read(
        [0, 1, 2, 3].map(i => [i, i < 2 ? -50 : levelDbm]),
        buildings,
      ).map(({ id }) => id);
    expect(two(-75)).toEqual([0, 1]);
    expect(two(-76)).toEqual([0]);
  },
);

test('of too many readings the strongest are used, wherever they stand', () => {
  const used = (levelOf: (i: number) => number | undefined, count: number) => {
    read(
      Array.from({ length: count }, (_, i) => [i, levelOf(i)]),
      [],
    );
    return levelsRead();
  };
  expect(used(() => -85, 1024)).toHaveLength(1024);
  expect(used(() => undefined, 3000)).toHaveLength(1024);
  expect(used(() => -85, 1025)).toHaveLength(1024);
  const strongest = used(i => (i % 3 === 0 ? -40 : -90), 2000);
  expect(strongest).toHaveLength(1024);
  expect(strongest.filter(level => level === -40)).toHaveLength(667);
  expect(used(i => (i < 2000 ? -90 : -40), 4000).every(level => level === -40)).toBe(true);
});
