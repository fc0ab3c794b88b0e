import { expect, test } from 'vitest';
import { databaseOf } from './database_of.ts';
import { readFile } from './read_file.ts';

const TIME_MS = 1714979289125;
const POSITION = {
  latitude: 60.17,
  longitude: 24.94,
  accuracy: 4.3,
  age: 1200,
  altitude: 17.8,
  heading: 90,
  speed: 3.4,
  source: 'gps',
};

/** The tables of the app, with the reports in the order of `times`. @param suffix of their names */
function databaseOfReports(suffix: string, times: readonly number[]): Buffer {
  const reports = times.map((timestamp, i) => ({ id: i + 1, timestamp, uploaded: 0 }));
  return databaseOf([
    { name: 'Report', columns: 'id INTEGER PRIMARY KEY, timestamp INTEGER, uploaded INTEGER', rows: reports },
    {
      name: `Position${suffix}`,
      columns:
        'id INTEGER PRIMARY KEY, latitude REAL, longitude REAL, accuracy REAL, age INTEGER, altitude REAL, heading REAL, speed REAL, source TEXT, reportId INTEGER',
      rows: reports.map(({ id }) => ({ ...POSITION, reportId: id })),
    },
    {
      name: `WifiAccessPoint${suffix}`,
      columns:
        'macAddress TEXT, age INTEGER, channel INTEGER, frequency INTEGER, signalStrength INTEGER, ssid TEXT, reportId INTEGER',
      rows: reports.map(({ id }) => ({
        macAddress: '01:23:45:67:89:ab',
        age: 900,
        channel: 1,
        frequency: 2412,
        signalStrength: -67,
        ssid: 'café',
        reportId: id,
      })),
    },
    {
      name: `CellTower${suffix}`,
      columns:
        'radioType TEXT, mobileCountryCode TEXT, mobileNetworkCode TEXT, cellId INTEGER, locationAreaCode INTEGER, primaryScramblingCode INTEGER, serving INTEGER, signalStrength INTEGER, timingAdvance INTEGER, age INTEGER, reportId INTEGER',
      rows: [
        {
          radioType: 'nr',
          mobileCountryCode: '244',
          mobileNetworkCode: '05',
          cellId: 68719476735,
          locationAreaCode: 42,
          primaryScramblingCode: 321,
          serving: 1,
          signalStrength: -99,
          timingAdvance: null,
          age: 700,
          reportId: 1,
        },
      ],
    },
    {
      name: `BluetoothBeacon${suffix}`,
      columns:
        'macAddress TEXT, age INTEGER, beaconType INTEGER, id1 TEXT, id2 TEXT, id3 TEXT, signalStrength INTEGER, reportId INTEGER',
      rows: [
        {
          macAddress: 'ff:23:45:67:89:ab',
          age: 100,
          beaconType: 533,
          id1: 'uuid',
          id2: '1',
          id3: '2',
          signalStrength: -70,
          reportId: 1,
        },
      ],
    },
  ]);
}

test.each([
  ['since version 9', 'Entity'],
  ['before', ''],
])('reports of the schema %s', async (_, suffix) => {
  const { format, found, refused } = await readFile(
    databaseOfReports(suffix, [TIME_MS, TIME_MS + 1000]),
    'neostumbler.db',
  );
  expect({ format, refused }).toEqual({ format: 'neostumbler', refused: [] });
  expect(found).toHaveLength(2);
  expect(found[0]).toMatchObject({
    file: expect.stringMatching(/neostumbler\.db\/WifiAccessPoint/),
    line: 1,
    rows: 3,
    draft: {
      timeMs: TIME_MS,
      latitude: 60.17,
      longitude: 24.94,
      accuracyMetres: 4.3,
      positionAgeMs: 1200,
      altitude: 17.8,
      heading: 90,
      speed: 3.4,
      wifiAccessPoints: [
        { macAddress: '01:23:45:67:89:ab', age: '900', ssid: 'café', signalStrength: '-67', frequency: '2412' },
      ],
      cellTowers: [
        {
          radioType: 'nr',
          mobileCountryCode: '244',
          cellId: '68719476735',
          locationAreaCode: '42',
          serving: '1',
          age: '700',
        },
      ],
      bluetoothBeacons: [
        { macAddress: 'ff:23:45:67:89:ab', beaconType: '533', id1: 'uuid', id2: '1', id3: '2', age: '100' },
      ],
    },
  });
  expect(found[1].draft.timeMs).toBe(TIME_MS + 1000);
});

test('reports are read in the order of time, thousands too', async () => {
  const times = Array.from({ length: 2_500 }, (_, i) => TIME_MS - i * 1000);
  const { found } = await readFile(databaseOfReports('Entity', times));
  expect(found.map(({ draft }) => draft.timeMs)).toEqual(times.toReversed());
});
