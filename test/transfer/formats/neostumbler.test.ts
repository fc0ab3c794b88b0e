import { describe, expect, test } from 'vitest';
import { readFile } from './read_file.ts';
import { zipOf } from './zip_of.ts';

const REPORT_COLUMNS =
  'timestamp,latitude,longitude,locationAccuracy,altitude,altitudeAccuracy,locationAge,speed,pressure';
const WIFIS = `${REPORT_COLUMNS},macAddress,wifiScanAge,signalStrength,ssid\r\n`;
const CELLS = `${REPORT_COLUMNS},cellId,radioType,mcc,mnc,lac,psc,signalStrength,asu,arfcn,cellScanAge\r\n`;
const BEACONS = `${REPORT_COLUMNS},macAddress,beaconType,id1,id2,id3,bluetoothScanAge,signalStrength\r\n`;

const at = (timeMs: number, latitude = 60.17) => `${timeMs},${latitude},24.94,4.3,17.8,3.1,1200,3.4,1013.2`;
const wifi = (timeMs: number, last = 'ab', latitude?: number) =>
  `${at(timeMs, latitude)},01:23:45:67:89:${last},900,-67,"caf\u00e9, 1"\r\n`;
const cell = (timeMs: number) => `${at(timeMs)},68719476735,NR,244,5,42,321,-99,41,640000,700\r\n`;
const beacon = (timeMs: number) => `${at(timeMs)},ff:23:45:67:89:ab,533,uuid,1,2,100,-70\r\n`;

describe('tables that agree in time and position', () => {
  test('become reports again', async () => {
    const { format, found, refused } = await readFile(
      zipOf(
        { name: 'beacons.csv', content: BEACONS + beacon(3000000000001) },
        { name: 'cells.csv', content: CELLS + cell(3000000000001) + cell(3000000000003) },
        { name: 'wifis.csv', content: WIFIS + wifi(3000000000001) + wifi(3000000000001, 'ac') + wifi(3000000000002) },
      ),
    );
    expect({ format, refused }).toEqual({ format: 'neostumbler', refused: [] });
    expect(found.map(({ draft }) => draft.timeMs)).toEqual([3000000000001, 3000000000002, 3000000000003]);
    expect(found[0]).toMatchObject({
      file: expect.stringMatching(/\/file\/beacons\.csv$/),
      line: 2,
      draft: {
        latitude: 60.17,
        longitude: 24.94,
        accuracyMetres: 4.3,
        positionAgeMs: 1200,
        altitude: 17.8,
        speed: 3.4,
        wifiAccessPoints: [
          { macAddress: '01:23:45:67:89:ab', ssid: 'caf\u00e9, 1', signalStrength: '-67', age: '900' },
          { macAddress: '01:23:45:67:89:ac' },
        ],
        cellTowers: [
          {
            radioType: 'NR',
            mobileCountryCode: '244',
            mobileNetworkCode: '5',
            locationAreaCode: '42',
            cellId: '68719476735',
            age: '700',
          },
        ],
        bluetoothBeacons: [
          { macAddress: 'ff:23:45:67:89:ab', beaconType: '533', id1: 'uuid', id2: '1', id3: '2', age: '100' },
        ],
      },
    });
  });

  test('also over many blocks', async () => {
    const times = Array.from({ length: 5_000 }, (_, i) => 3000000000000 + i);
    const { found } = await readFile(
      zipOf(
        { name: 'a/wifis.csv', content: WIFIS + times.map(time => wifi(time)).join('') },
        {
          name: 'a/cells.csv',
          content:
            CELLS +
            times
              .filter(time => time % 7 === 0)
              .map(cell)
              .join(''),
        },
      ),
    );
    expect(found).toHaveLength(5_000);
    expect(found.filter(({ draft }) => draft.cellTowers !== undefined)).toHaveLength(714);
  });

  test('in another order nothing is lost', async () => {
    const { found } = await readFile(
      zipOf(
        { name: 'wifis.csv', content: WIFIS + wifi(3000000000002) + wifi(3000000000001) },
        { name: 'cells.csv', content: CELLS + cell(3000000000001) + cell(3000000000002) },
      ),
    );
    expect(found.flatMap(({ draft }) => [draft.wifiAccessPoints ?? [], draft.cellTowers ?? []].flat())).toHaveLength(4);
  });

  test('of one time and different positions are different reports', async () => {
    const { found } = await readFile(
      zipOf(
        { name: 'wifis.csv', content: WIFIS + wifi(3000000000001, 'ab', 61) },
        { name: 'cells.csv', content: CELLS + cell(3000000000001) },
      ),
    );
    expect(found).toHaveLength(2);
  });
});

test('columns may have the names of the JSON bodies', async () => {
  const content =
    'timestamp,latitude,longitude,accuracy,macAddress,age,signalStrength\n3000000000001,60,24,5,01:23:45:67:89:ab,9,-60\n';
  const { found } = await readFile(zipOf({ name: 'wifis.csv', content }));
  expect(found[0].draft).toMatchObject({ accuracyMetres: 5, wifiAccessPoints: [{ age: '9' }] });
});

test('an export of nothing has no reports', async () => {
  expect((await readFile(zipOf({ name: 'wifis.csv', content: '' }))).found).toEqual([]);
  expect((await readFile(zipOf({ name: 'wifis.csv', content: WIFIS }))).found).toEqual([]);
});

describe('an archive is refused', () => {
  const GOOD = { name: 'wifis.csv', content: WIFIS + wifi(3000000000001).repeat(50) };
  test.each<[string, Buffer, string]>([
    [
      'without the tables',
      zipOf({ name: 'notes.txt', content: 'x' }),
      'file is not an export of NeoStumbler: it holds none of wifis.csv, cells.csv, beacons.csv.',
    ],
    ['without entries', zipOf(), 'holds none of'],
    ['that is cut off', zipOf(GOOD).subarray(0, 200), 'file cannot be read as a ZIP archive: '],
    ['with an encrypted table', zipOf({ ...GOOD, flags: 1 }), 'file/wifis.csv cannot be read: entry is encrypted'],
    [
      'with an unknown compression',
      zipOf({ ...GOOD, method: 99 }),
      'file/wifis.csv cannot be read: unsupported compression method: 99.',
    ],
    [
      'with a table larger than stated',
      zipOf({ ...GOOD, size: 100 }),
      'file/wifis.csv cannot be read: too many bytes in the stream. expected 100.',
    ],
    ['with a table smaller than stated', zipOf({ ...GOOD, size: 100_000 }), 'file/wifis.csv cannot be read'],
    [
      'with a table that is another',
      zipOf({ ...GOOD, crc: 1 }),
      'file/wifis.csv cannot be read: its CRC-32 is not what the archive states.',
    ],
    [
      'that would unpack to more than 4 GiB',
      zipOf({ ...GOOD, size: 4_000_000_000 }, { ...GOOD, size: 4_000_000_000 }),
      'its files would take more than 4 GiB.',
    ],
    [
      'with a thousand files and more',
      zipOf(...Array.from({ length: 1_001 }, (_, i) => ({ name: `${i}`, content: '' }))),
      'it lists 1001 files',
    ],
    [
      'with a path that leads out of it',
      zipOf({ ...GOOD, name: '../wifis.csv' }),
      'file cannot be read as a ZIP archive: invalid relative path',
    ],
    [
      'with other columns',
      zipOf({ name: 'cells.csv', content: 'a,b\n' }),
      'file/cells.csv is not cells.csv of NeoStumbler: its header names no column timestamp, latitude, longitude.',
    ],
  ])('%s', async (_, archive, sentence) => {
    await expect(readFile(archive)).rejects.toThrow(sentence);
  });

  test('when its data is damaged, naming the last line that could be read', async () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => wifi(3000000000000 + i * 7919, ((i % 89) + 10).toString()));
    const archive = zipOf({ name: 'wifis.csv', content: WIFIS + rows.join('') });
    archive.fill(0xff, archive.length - 3_000, archive.length - 1_000);
    await expect(readFile(archive)).rejects.toThrow(/file\/wifis\.csv cannot be read after line [\d,]{5,}: /);
  });
});
