import { expect, test } from 'vitest';
import type { FoundScan } from '../../../../src/indoor/transfer/fingerprints/found_scan.ts';
import { isSurveyHeader, SurveyRows } from '../../../../src/indoor/transfer/fingerprints/survey_csv.ts';

const HEADER =
  'scan,time,building,buildingId,buildingModelId,floor,latitude,longitude,accuracy,mac,uuid,major,minor,level,frequency,age';

/** All scans of rows. */
function read(header: string, ...rows: string[]): FoundScan[] {
  const reader = new SurveyRows(header.split(','));
  return [...rows.map(row => reader.add(row.split(','))), reader.end()].filter(scan => scan !== undefined);
}

/** A row with these values. */
function row(values: Record<string, string>): string {
  const usual: Record<string, string> = {
    floor: '1',
    latitude: '50',
    longitude: '4',
    mac: '02:00:00:00:00:01',
    level: '-50',
  };
  const all = { ...usual, ...values };
  return HEADER.split(',')
    .map(column => all[column] ?? '')
    .join(',');
}

test('the rows of a scan become one, with access points and beacons', () => {
  const uuid = '12345678-1234-1234-1234-123456789abc';
  const first = {
    scan: 'a',
    time: '2026-05-04T09:00:00Z',
    building: 'House',
    buildingId: '4',
    buildingModelId: '2',
    accuracy: '1.5',
  };
  const scans = read(
    HEADER,
    row({ ...first, frequency: '5180', age: '200' }),
    row({ ...first, mac: '', uuid, major: '0', minor: '65535', level: '-70' }),
    row({ scan: 'b', floor: '-2' }),
  );
  expect(scans).toEqual([
    {
      floor: 1,
      building: { modelId: 2, buildingId: 4, name: 'House' },
      otherwise: undefined,
      draft: {
        latitude: 50,
        longitude: 4,
        accuracyMetres: 1.5,
        timeMs: Date.parse('2026-05-04T09:00:00Z'),
        wifiAccessPoints: [{ macAddress: '02:00:00:00:00:01', signalStrength: -50, frequency: 5180, age: 200 }],
        bluetoothBeacons: [{ uuid, major: 0, minor: 65_535, signalStrength: -70 }],
      },
    },
    {
      floor: -2,
      building: undefined,
      otherwise: undefined,
      draft: {
        latitude: 50,
        longitude: 4,
        wifiAccessPoints: [{ macAddress: '02:00:00:00:00:01', signalStrength: -50 }],
        bluetoothBeacons: [],
      },
    },
  ]);
});

test('without a column for scans, rows that agree are one', () => {
  const header = 'Floor Index,Lat,Lon,BSSID,RSSI';
  const scans = read(
    header,
    '0,50,4,02:00:00:00:00:01,-50',
    '0,50,4,02:00:00:00:00:02,-60',
    '0,50.1,4,02:00:00:00:00:01,-50',
  );
  expect(scans.map(({ draft }) => draft.wifiAccessPoints?.length)).toEqual([2, 1]);
});

test('a header is recognised by floor and level, whatever else there is', () => {
  expect(isSurveyHeader(['x', 'FLOOR', 'RSSI'])).toBe(true);
  expect(isSurveyHeader(['bssid', 'lat', 'lon', 'level'])).toBe(false);
});

test.each([
  ['latitude', 'floor,longitude,mac,level', 'the header has no column "latitude"'],
  ['level', 'floor,latitude,longitude,mac', 'the header has no column "level"'],
  ['mac and uuid', 'floor,latitude,longitude,level', 'the header has neither a column "mac" nor "uuid"'],
])('a header without %s is refused', (_, header, message) => {
  expect(() => new SurveyRows(header.split(','))).toThrow(message);
});

test.each<[Record<string, string>]>([
  [{ floor: '-50' }],
  [{ floor: '200' }],
  [{ latitude: '-90', longitude: '180' }],
  [{ accuracy: '0' }],
  [{ level: '0' }],
  [{ buildingId: '0' }],
  [{ time: '1700000000' }],
])('a value at the end of its range is read: %o', values => {
  expect(read(HEADER, row(values))).toHaveLength(1);
});

test.each<[Record<string, string>, string]>([
  [{ floor: '' }, 'floor is "", which is no whole number from -50 to 200'],
  [{ floor: '-99' }, 'floor is "-99", which is no whole number from -50 to 200'],
  [{ floor: '201' }, 'floor is "201"'],
  [{ floor: '0.5' }, 'floor is "0.5"'],
  [{ latitude: '90.1' }, 'latitude is "90.1", which is no number from -90 to 90'],
  [{ longitude: 'east' }, 'longitude is "east", which is no number from -180 to 180'],
  [{ accuracy: '-1' }, 'accuracy is "-1", which is no number from 0'],
  [{ level: '60' }, 'level is "60", which is no number from'],
  [{ level: '' }, 'level is ""'],
  [{ mac: '' }, 'it has neither a mac nor a uuid'],
  [{ uuid: 'x', major: '65536', minor: '0' }, 'major is "65536"'],
  [{ buildingId: '-1' }, 'buildingId is "-1", which is no whole number from 0'],
  [{ building: 'x'.repeat(201) }, 'building has 201 characters, and at most 200'],
  [{ time: 'yesterday' }, 'time is "yesterday", which is no time'],
  [{ age: '-1' }, 'age is "-1"'],
])('a value that means nothing is told with its column: %o', (values, message) => {
  expect(() => read(HEADER, row(values))).toThrow(message);
});

test('a row with another number of fields is refused', () => {
  expect(() => read(HEADER, '1,2')).toThrow('it has 2 fields, and the header has 16');
});
