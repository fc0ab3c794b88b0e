import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMac } from '../../../src/radio/mac.ts';
import { queryOf } from '../../kits/radio/query_in_memory.ts';

const MAC = '00:14:bf:aa:bb:01';
const wifiOf = (...wifiAccessPoints: unknown[]) => queryOf({ wifiAccessPoints }).wifi;
const beaconsOf = (...bluetoothBeacons: unknown[]) => queryOf({ bluetoothBeacons }).beacons;
const radiosOf = (...macs: string[]) => queryOf({ wifiAccessPoints: macs.map(macAddress => ({ macAddress })) }).radios;

describe('an access point', () => {
  test.each([
    ['signalStrength', 'signal', [-100, -60, -20], [-101, -19, 0, 'x', true, {}]],
    ['frequency', 'frequency', [1, 2412, 65_535], [0, -1, 65_536, 'x']],
    ['channel', 'channel', [1, 36, 65_535], [0, -1, 65_536, [1]]],
    ['age', 'age', [0, 1000, 4_294_967_294], [-1, 4_294_967_295, 'x', Number.MAX_VALUE]],
  ] as const)('keeps %s in range and only loses it outside', (field, reads, inside, outside) => {
    for (const value of inside)
      expect(wifiOf({ macAddress: MAC, [field]: value })).toMatchObject([{ mac: MAC, [reads]: value }]);
    for (const value of [...outside, null, undefined]) {
      expect(wifiOf({ macAddress: MAC, [field]: value })).toEqual([
        { mac: MAC, signal: undefined, frequency: undefined, channel: undefined, age: undefined },
      ]);
    }
  });

  test('has its age in milliseconds as text, integer or fraction', () => {
    expect(['900', 900, 900.4, ' 900 ', '9e2'].map(age => wifiOf({ macAddress: MAC, age })[0].age)).toEqual(
      Array(5).fill(900),
    );
  });

  test('has its signal rounded', () => {
    expect(
      [-60.4, '-60', '-59.6'].map(signalStrength => wifiOf({ macAddress: MAC, signalStrength })[0].signal),
    ).toEqual([-60, -60, -60]);
    expect([-100.4, -100.6].map(signalStrength => wifiOf({ macAddress: MAC, signalStrength })[0].signal)).toEqual([
      -100,
      undefined,
    ]);
  });

  test('has its address in any of the usual spellings', () => {
    const spellings = ['00-14-bf-aa-bb-01', '0014.BFAA.BB01', '0014bfaabb01', '00:14:BF:AA:BB:01'];
    expect(spellings.map(macAddress => wifiOf({ macAddress })[0].mac)).toEqual(Array(4).fill(MAC));
  });

  test('is skipped without an address that a radio can have', () => {
    for (const macAddress of [
      undefined,
      null,
      '',
      'x',
      5,
      [MAC],
      '00:00:00:00:00:00',
      'ff:ff:ff:ff:ff:ff',
      '01:00:5e:90:10:00',
      '0'.repeat(1e6),
    ]) {
      expect(wifiOf({ macAddress, signalStrength: -50 })).toEqual([]);
    }
    expect(wifiOf(null, 5, 'x', [], { macAddress: MAC })).toHaveLength(1);
  });

  test('stays when its address is locally administered', () => {
    expect(wifiOf({ macAddress: '02:14:bf:aa:bb:01' })).toHaveLength(1);
  });

  test('is skipped when its owner opted out', () => {
    const hex = Buffer.from('x_nomap').toString('hex');
    expect(
      wifiOf(
        { macAddress: MAC, ssid: 'x_nomap' },
        { macAddress: MAC, ssid: 'a_optout_b' },
        { macAddress: MAC, ssidHex: hex },
        { macAddress: MAC, ssid: 'HOME_NOMAP ' },
        { macAddress: MAC, ssid: 'WIFIonICE' },
        { macAddress: MAC, ssidHex: Buffer.from('AndroidAP_1').toString('hex') },
      ),
    ).toEqual([]);
    expect(wifiOf({ macAddress: MAC, ssid: 'home', ssidHex: hex }, { macAddress: MAC, ssid: 7 })).toHaveLength(2);
  });

  test('is kept as often as it is sent', () => {
    expect(wifiOf({ macAddress: MAC }, { macAddress: MAC })).toHaveLength(2);
  });
});

describe('the number of radios', () => {
  test('counts virtual networks of one access point once', () => {
    expect(radiosOf(MAC, '02:14:bf:aa:bb:01', '06:14:bf:aa:bb:01')).toBe(1);
    expect(radiosOf(MAC, '00:14:bf:aa:bb:02', '00:15:bf:aa:bb:01')).toBe(3);
    expect(radiosOf()).toBe(0);
  });

  test('does not count skipped entries', () => {
    const entries = [{ macAddress: MAC }, { macAddress: 'x' }, { macAddress: '00:14:bf:aa:bb:02', ssid: 'y_nomap' }];
    expect(queryOf({ wifiAccessPoints: entries }).radios).toBe(1);
  });

  test('is right for few and for many, repeated or not', () => {
    // Two first octets and 60 radios: collisions of both kinds are common.
    const radio = fc.tuple(fc.constantFrom(0, 2), fc.integer({ min: 0, max: 59 }));
    fc.assert(
      fc.property(fc.array(radio, { maxLength: 100 }), drawn => {
        const macs = drawn.map(([first, last]) =>
          formatMac(first * 2 ** 40 + (last % 3) * 2 ** 32 + last * 65_536 + 1),
        );
        expect(radiosOf(...macs)).toBe(new Set(drawn.map(([, last]) => last)).size);
      }),
    );
  });

  test('is found among ten thousand', () => {
    const macs = Array.from({ length: 10_000 }, (_, i) => formatMac((i % 2) * 2 ** 41 + (i >> 1) * 4099 + 256));
    expect(radiosOf(...macs)).toBe(5000);
  });
});

describe('a beacon', () => {
  const uuid = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e';
  const hex = uuid.replaceAll('-', '');

  test('is identified by its address', () => {
    expect(beaconsOf({ macAddress: 'FF-23-45-67-89-AB', signalStrength: -70, age: '100' })).toEqual([
      { kind: 2, id: 'ff23456789ab', signal: -70, age: 100 },
    ]);
  });

  test('is identified by uuid, major and minor, at both ends of their ranges', () => {
    expect(
      beaconsOf(
        { uuid, major: 0, minor: 65_535 },
        { uuid: hex.toUpperCase(), major: '65535', minor: '0' },
        { uuid, major: 10, minor: 20 },
      ),
    ).toMatchObject([
      { kind: 3, id: `${hex}0000ffff` },
      { kind: 3, id: `${hex}ffff0000` },
      { kind: 3, id: `${hex}000a0014` },
    ]);
  });

  test('is identified by its uuid rather than by its address, which is kept', () => {
    const iBeacon = { uuid, major: 1, minor: 2 };
    const addresses = ['00:00:00:00:00:01', MAC, 'c1:23:45:67:89:ab', 'ff:ff:ff:ff:ff:fe'];
    expect(beaconsOf(...addresses.map(macAddress => ({ ...iBeacon, macAddress })))).toMatchObject(
      [1, 0x0014bfaabb01, 0xc123456789ab, 0xfffffffffffe].map(address => ({ kind: 3, id: `${hex}00010002`, address })),
    );
    for (const macAddress of [undefined, null, 'x', '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'])
      expect(beaconsOf({ ...iBeacon, macAddress })).toMatchObject([{ kind: 3, address: undefined }]);
  });

  test('falls back to its address when the iBeacon identity is incomplete', () => {
    const broken = [
      { major: 1, minor: 2 },
      { uuid, minor: 2 },
      { uuid, major: 1 },
      { uuid, major: -1, minor: 2 },
      { uuid, major: 65_536, minor: 2 },
      { uuid, major: 1, minor: -1 },
      { uuid, major: 1, minor: 65_536 },
      { uuid, major: 1.5, minor: 2 },
      { uuid: 'x', major: 1, minor: 2 },
      { uuid: 7, major: 1, minor: 2 },
      { uuid: '0'.repeat(32), major: 1, minor: 2 },
    ];
    for (const identity of broken) {
      expect(beaconsOf({ macAddress: MAC, ...identity })).toMatchObject([{ kind: 2, id: '0014bfaabb01' }]);
      expect(beaconsOf(identity)).toEqual([]);
    }
  });

  test('has id1, id2, id3 as uuid, major, minor when its type is iBeacon', () => {
    const ids = { id1: uuid, id2: '1', id3: '2' };
    for (const beaconType of [533, '533', undefined, null])
      expect(beaconsOf({ ...ids, beaconType })).toMatchObject([{ kind: 3, id: `${hex}00010002` }]);
    expect(beaconsOf({ ...ids, beaconType: 0, macAddress: MAC })).toMatchObject([{ kind: 2 }]);
    expect(beaconsOf({ ...ids, beaconType: 48_812 })).toEqual([]);
  });

  test('is skipped without an identity', () => {
    for (const macAddress of [undefined, null, '', 'x', 5, '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'])
      expect(beaconsOf({ macAddress, name: 'b' })).toEqual([]);
    expect(beaconsOf(null, 5, [], {})).toEqual([]);
  });

  test('keeps its signal in range and only loses it outside', () => {
    expect(
      [-100, -70, -20, -101, -19, 'x'].map(signalStrength => beaconsOf({ macAddress: MAC, signalStrength })[0].signal),
    ).toEqual([-100, -70, -20, undefined, undefined, undefined]);
  });

  test('keeps its age in milliseconds as text or number', () => {
    expect(['100', 100, 99.6, -1, 'x', null].map(age => beaconsOf({ macAddress: MAC, age })[0].age)).toEqual([
      100,
      100,
      100,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
