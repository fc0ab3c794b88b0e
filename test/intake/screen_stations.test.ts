import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ReportDraft } from '../../src/intake/draft.ts';
import {
  AGE_ABSENT,
  FLAG_SERVING,
  OBSERVATION_AGE,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  SIGNAL_ABSENT,
} from '../../src/radio/query/layout.ts';
import { isMovingHotspot } from '../../src/radio/wifi.ts';
import { BEACON, CELL, OTHER_WIFI, ruleOfEntry, screen, values, WIFI } from './screened.ts';

const hex = (byte: number) => byte.toString(16).padStart(2, '0');
const ruleOfWifi = (entry: unknown, draft?: Partial<ReportDraft>) => ruleOfEntry('wifiAccessPoints', entry, draft);

describe('access points', () => {
  test.each([
    [undefined, WIFI],
    ['unidentified', null],
    ['unidentified', 'text'],
    ['unidentified', []],
    ['unidentified', {}],
    ['unidentified', { macAddress: 7 }],
    ['unidentified', { macAddress: '88:f7:c7:52:54' }],
    ['group address', { macAddress: '00:00:00:00:00:00' }],
    ['group address', { macAddress: 'ff:ff:ff:ff:ff:ff' }],
    ['group address', { macAddress: '01:00:5e:00:00:fb' }],
    [undefined, { macAddress: '02:00:00:00:00:00' }],
    ['opted out', { ...WIFI, ssid: 'Home_nomap' }],
    [undefined, { ...WIFI, ssid: 'Home_nomap2' }],
    ['opted out', { ...WIFI, ssid: 'a_optout_b' }],
    ['moving hotspot', { ...WIFI, ssid: 'AndroidAP' }],
    ['moving hotspot', { ...WIFI, ssid: undefined, ssidHex: Buffer.from('WIFIonICE').toString('hex') }],
    ['reading age', { ...WIFI, age: 20_001 }],
    ['reading age', { ...WIFI, age: '-20001' }],
    [undefined, { ...WIFI, age: 20_000 }],
    [undefined, { ...WIFI, age: 'old' }],
  ])('%s: %o', (rule, entry) => {
    expect(ruleOfWifi(entry)).toBe(rule);
  });

  test('an owner who opts out is heard in the hex name too, also beside a text', () => {
    const hex = (name: string) => Buffer.from(name).toString('hex');
    expect(ruleOfWifi({ ...WIFI, ssid: undefined, ssidHex: hex('Home_nomap') })).toBe('opted out');
    expect(ruleOfWifi({ ...WIFI, ssid: '', ssidHex: hex('Home_nomap').toUpperCase() })).toBe('opted out');
    expect(ruleOfWifi({ ...WIFI, ssid: 'Home', ssidHex: hex('Café_optout!') })).toBe('opted out');
    expect(ruleOfWifi({ ...WIFI, ssid: 'Home', ssidHex: hex('Café') })).toBeUndefined();
  });

  test('a reading is judged by its distance in time from the position, not from the report', () => {
    expect(ruleOfWifi({ ...WIFI, age: 25_000 }, { positionAgeMs: 15_000 })).toBeUndefined();
    expect(ruleOfWifi({ ...WIFI, age: -10_000 }, { positionAgeMs: 15_000 })).toBe('reading age');
    expect(ruleOfWifi(WIFI, { positionAgeMs: 20_000 })).toBeUndefined();
  });

  test('a bad value of a good entry is dropped, and the entry stays', () => {
    const { report } = screen({ wifiAccessPoints: [{ ...WIFI, signalStrength: 5, frequency: -1, age: -500 }] });
    const view = new DataView(report!.observations.buffer, report!.observations.byteOffset);
    expect(view.getInt16(OBSERVATION_SIGNAL, true)).toBe(SIGNAL_ABSENT);
    expect(view.getUint16(OBSERVATION_FREQUENCY, true)).toBe(0);
    expect(view.getUint32(OBSERVATION_AGE, true)).toBe(AGE_ABSENT);
  });
});

describe('beacons', () => {
  const IBEACON = { uuid: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', major: 1, minor: 2 };
  test.each([
    [undefined, BEACON],
    [undefined, IBEACON],
    [undefined, { macAddress: '01:00:5e:00:00:fb' }],
    ['unidentified', undefined],
    ['unidentified', { ...IBEACON, minor: 65_536 }],
    ['unidentified', { ...IBEACON, uuid: '00000000-0000-0000-0000-000000000000' }],
    ['group address', { macAddress: '00:00:00:00:00:00' }],
    ['group address', { macAddress: 'ff:ff:ff:ff:ff:ff' }],
    ['opted out', { ...BEACON, name: 'Lamp_nomap' }],
    ['moving hotspot', { ...BEACON, name: 'iPhone' }],
    ['reading age', { ...BEACON, age: 20_001 }],
  ])('%s: %o', (rule, entry) => {
    expect(ruleOfEntry('bluetoothBeacons', entry)).toBe(rule);
  });

  test('an iBeacon with an address is learned under both, each once', () => {
    const numbered = { beaconType: 533, id1: IBEACON.uuid, id2: IBEACON.major, id3: 3 };
    const entries = [
      IBEACON,
      BEACON,
      { ...IBEACON, ...BEACON, signalStrength: -60 },
      { ...numbered, macAddress: '00:a0:50:00:00:02' },
    ];
    const { report, stations } = screen({ bluetoothBeacons: entries });
    const beacon = (minor: string) => `beacon f7826da64fa24e988024bc5b71e0893e0001${minor}`;
    expect(stations).toEqual([
      beacon('0002'),
      'bluetooth 00:a0:50:00:00:01',
      beacon('0003'),
      'bluetooth 00:a0:50:00:00:02',
    ]);
    expect(values(report!.observations, OBSERVATION_SIGNAL).slice(0, 2)).toEqual([-60, -60]);
  });

  test('an iBeacon whose address is none is learned as an iBeacon', () => {
    for (const macAddress of [undefined, 7, 'x', '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'])
      expect(screen({ bluetoothBeacons: [{ ...IBEACON, macAddress }] }).stations).toHaveLength(1);
  });

  test('there is room for both identities of every beacon', () => {
    const bluetoothBeacons = Array.from({ length: 1000 }, (_, i) => ({
      ...IBEACON,
      minor: i,
      macAddress: `00:a0:50:00:${hex(i >> 8)}:${hex(i & 255)}`,
    }));
    expect(screen({ bluetoothBeacons }).stations).toHaveLength(2000);
  });
});

test.each([
  'AndroidAP',
  'AndroidAP_4711',
  'ANDROIDAP',
  'Anna’s iPhone',
  "Anna's iPhone (2)",
  'iPhone de Marie',
  'Galaxy S21 5G',
  'Pixel 7',
  'SM-G991B',
  'Moto G(7) 1234',
  'HUAWEI P30 lite',
  'DB',
  'WIFIonICE',
  'WIFI@DB',
  'ÖBB',
  'öbb',
  '_SNCF_WIFI_INOUI',
  'FlixBus Wi-Fi',
  'Tesla Model 3',
  'VIOFO_A129',
  'Telekom_FlyNet',
  'MiFi-1A2B',
  'DIRECT-7F-HP OfficeJet',
])('%s is a moving hotspot', name => {
  expect(isMovingHotspot(name, undefined)).toBe(true);
});

test.each([
  'FRITZ!Box 7590 AB',
  'Telekom_FON',
  'eduroam',
  'Vodafone-1234',
  'DBX',
  'My DB',
  'Galaxy Apartments',
  'Moto Garage',
  'SM-Guest',
  'Pixel Bar',
  'Volvo Cars Guest',
  'not AndroidAP',
  '',
])('%s is none', name => {
  expect(isMovingHotspot(name, undefined)).toBe(false);
});

test('the name may come in hex, which counts only without a text', () => {
  const hex = Buffer.from('ÖBB').toString('hex');
  expect(isMovingHotspot(undefined, hex)).toBe(true);
  expect(isMovingHotspot('', hex.toUpperCase())).toBe(true);
  expect(isMovingHotspot('eduroam', hex)).toBe(false);
  expect(isMovingHotspot(undefined, 'no hex')).toBe(false);
});

test('what is no name, or longer than a name can be, is none', () => {
  for (const value of [undefined, null, 7, {}, ['AndroidAP'], `AndroidAP${'x'.repeat(24)}`]) {
    expect(isMovingHotspot(value, value)).toBe(false);
  }
  expect(isMovingHotspot(`AndroidAP${'x'.repeat(23)}`, undefined)).toBe(true);
});

test('every line of the list is in order, in small letters, and finds its own name', () => {
  const lines = readFileSync('data/moving_hotspots.csv', 'utf8').trim().split('\n').slice(1);
  expect(lines.length).toBeGreaterThan(200);
  expect(new Set(lines.map(line => line.split(',').slice(0, 2).join())).size).toBe(lines.length);
  for (const line of lines) {
    expect(line).toMatch(/^(is|starts|contains),[^,A-Z]+,[^,]+$/);
    const name = line.split(',')[1].replaceAll('#', '7').replaceAll('?', 'x');
    expect(isMovingHotspot(name, undefined), line).toBe(true);
  }
});

describe('a station that is listed twice', () => {
  const signals = (entries: unknown[]) =>
    values(screen({ wifiAccessPoints: entries }).report!.observations, OBSERVATION_SIGNAL);

  test('keeps its strongest reading, and a stated one before none', () => {
    expect(signals([WIFI, { ...WIFI, signalStrength: -50 }, { ...WIFI, signalStrength: -55 }])).toEqual([-50]);
    expect(signals([{ ...WIFI, signalStrength: undefined }, WIFI])).toEqual([-60]);
    expect(signals([WIFI, { ...WIFI, signalStrength: undefined }])).toEqual([-60]);
    expect(screen({ wifiAccessPoints: [WIFI, WIFI, OTHER_WIFI] })).toMatchObject({
      rules: { repeated: 1 },
      counts: { acceptedObservations: 2 },
    });
  });

  test('keeps the younger of equally strong ones', () => {
    const agesOf = (...ages: (number | undefined)[]) => {
      const { report } = screen({ wifiAccessPoints: ages.map(age => ({ ...WIFI, age })) });
      return values(report!.observations, OBSERVATION_AGE);
    };
    expect(agesOf(900, 100, 500)).toEqual([100]);
    expect(agesOf(undefined, 500)).toEqual([500]);
    expect(agesOf(500, undefined)).toEqual([500]);
  });

  test('stays where its first reading stood, and counts a refused reading under its own rule', () => {
    const old = { ...WIFI, signalStrength: -30, age: 30_000 };
    const { stations, rules, report } = screen({
      wifiAccessPoints: [old, WIFI, OTHER_WIFI, { ...WIFI, signalStrength: -40 }],
    });
    expect(stations).toEqual(['wifi 88:f7:c7:52:54:c6', 'wifi 88:f7:c7:52:54:c7']);
    expect(values(report!.observations, OBSERVATION_SIGNAL)).toEqual([-40, -70]);
    expect(rules).toEqual({ 'reading age': 1, repeated: 1 });
  });

  test('stays the serving cell when one of its readings says so', () => {
    const { report } = screen({
      cellTowers: [
        { ...CELL, cellId: 1000, signalStrength: -60 },
        { ...CELL, serving: 1, signalStrength: -90 },
        { ...CELL, signalStrength: -80 },
      ],
    });
    expect(values(report!.observations, OBSERVATION_SIGNAL)).toEqual([-60, -80]);
    expect(values(report!.observations, OBSERVATION_FLAGS).map(flags => flags & FLAG_SERVING)).toEqual([0, 1]);
  });

  test('is one of another kind with the same address', () => {
    expect(
      screen({ wifiAccessPoints: [WIFI], bluetoothBeacons: [{ macAddress: WIFI.macAddress }] }).stations,
    ).toHaveLength(2);
  });
});
