import { expect, test } from 'vitest';
import { distanceMetres } from '../../../../src/geo/distance.ts';
import { fromWebMercator, isUjiHeader, UjiRows } from '../../../../src/indoor/transfer/fingerprints/ujiindoorloc.ts';

const HEADER =
  'WAP001,WAP002,WAP520,LONGITUDE,LATITUDE,FLOOR,BUILDINGID,SPACEID,RELATIVEPOSITION,USERID,PHONEID,TIMESTAMP'.split(
    ',',
  );

const read = (row: string) => new UjiRows(HEADER).read(row.split(','));

test('a row is a scan with an address for each column that was heard', () => {
  const found = read('-50,100,-97,-7541.2642999999225,4864920.7782000005,2,1,106,2,2,23,1371713733')!;
  expect(found).toMatchObject({
    floor: 2,
    otherwise: { buildingId: 1, name: 'UJIIndoorLoc 1' },
    draft: {
      timeMs: 1_371_713_733_000,
      wifiAccessPoints: [
        { macAddress: '02:55:4a:49:00:01', signalStrength: -50 },
        { macAddress: '02:55:4a:49:02:08', signalStrength: -97 },
      ],
    },
  });
  // The campus Riu Sec in Castellón.
  expect(distanceMetres(found.draft.latitude, found.draft.longitude, 39.9926, -0.0677)).toBeLessThan(200);
});

test('a scan in which nothing was heard is none', () => {
  expect(read('100,100,100,-7541,4864920,2,1,106,2,2,23,1371713733')).toBeUndefined();
});

test('metres of Web Mercator are longer than those on the ground, away from the equator', () => {
  const [a, b] = [fromWebMercator(-7_541, 4_864_920), fromWebMercator(-7_541 + 130.5, 4_864_920)];
  expect(distanceMetres(a.latitude, a.longitude, b.latitude, b.longitude)).toBeCloseTo(100, 0);
  expect(fromWebMercator(0, 0)).toEqual({ latitude: 0, longitude: 0 });
  expect(fromWebMercator(Math.PI * 6_378_137, 0).longitude).toBeCloseTo(180, 9);
});

test.each([
  ['-50,x,100,-7541,4864920,2,1,106,2,2,23,1371713733', 'WAP002 is "x", which is no whole number'],
  ['-50,100,100,west,4864920,2,1,106,2,2,23,1371713733', 'LONGITUDE is "west", which is no number'],
  ['-50,100,100,-7541,4864920,1.5,1,106,2,2,23,1371713733', 'FLOOR is "1.5", which is no whole number'],
  ['-50,100,100,-7541,4864920,2,-1.5,106,2,2,23,1371713733', 'BUILDINGID is "-1.5", which is no whole number from 0'],
  ['-50,100', 'it has 2 fields, and the header has 12'],
])('what a row cannot mean is told with its column: %s', (row, message) => {
  expect(() => read(row)).toThrow(message);
});

test('its header is recognised', () => {
  expect(isUjiHeader(HEADER)).toBe(true);
  expect(isUjiHeader(['WAP001', 'x'])).toBe(false);
  expect(isUjiHeader([])).toBe(false);
});
