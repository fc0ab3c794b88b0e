import { expect, test } from 'vitest';
import { linkedObject } from '../../../../src/geocoding/search/words/coordinate_links.ts';
import { pointInText, wholeDegrees } from '../../../../src/geocoding/search/words/coordinates.ts';
import { shortCodeIn, shortCodePoint } from '../../../../src/geocoding/search/words/grid_codes.ts';
import { OSM_NODE, OSM_WAY } from '../../../../src/tables/places/place.ts';

test.each([
  ['40.446, -79.982'],
  ['40.446 -79.982'],
  ['[40.446;-79.982]'],
  ['N 40.446 W 79.982'],
  ['N40.446° W79.982°'],
  ['40.446° N, 79.982° W'],
  ['40.446n79.982w'],
  ['N 40 26.76 W 79 58.92'],
  ["N 40° 26.76' W 79° 58.92'"],
  ['40° 26.76′ N 79° 58.92′ W'],
  ['N 40 26 45.6 W 79 58 55.2'],
  ['40°26\'45.6"N 79°58\'55.2"W'],
  ['40 26 45.6 N, 79 58 55.2 W'],
  ['79.982° W, 40.446° N'],
  ['W 79 58.92 N 40 26.76'],
  ['40,446° N 79,982° W'],
  ["N 40° 26,76' W 79° 58,92'"],
  ['40° 26\' 45.6" -79° 58\' 55.2"'],
  ['40.446/-79.982'],
  ['40.446, −79.982'],
  ['+40.446-079.982/'],
  ['lat 40.446 lon -79.982'],
  ['lat: 40.446, long: -79.982'],
  ['latitude=40.446&longitude=-79.982'],
  ['lng: -79.982, lat: 40.446'],
  ['{"lat":40.446,"lon":-79.982}'],
  ['{"type":"Point","coordinates":[-79.982,40.446]}'],
  ['POINT(-79.982 40.446)'],
  ['SRID=4326;POINT (-79.982 40.446)'],
  ['40d26m45.6s N 79d58m55.2s W'],
  ['40°26′45,6″ nördlicher Breite, 79°58′55,2″ westlicher Länge'],
  ['40°26′45.6″ с. ш. 79°58′55.2″ з. д.'],
  ['北緯40度26分45.6秒 西経79度58分55.2秒'],
])('%s', text => {
  const point = pointInText(text)!;
  expect(point.latitude).toBeCloseTo(40.446, 9);
  expect(point.longitude).toBeCloseTo(-79.982, 9);
  expect(point.rest).toBe('');
});

test.each([
  ['47,14 9,52'],
  ['47,14; 9,52'],
  ['47,14, 9,52'],
  ['geo:47.14,9.52'],
  ['geo:47.14,9.52;u=35?z=12'],
  ['https://www.openstreetmap.org/#map=16/47.14/9.52'],
  ['https://www.openstreetmap.org/?mlat=47.14&mlon=9.52#map=16/47.1/9.5'],
  ['https://www.google.com/maps/@47.14,9.52,15z'],
  ['https://www.google.com/maps/place/X/@47.1,9.5,15z/data=!3m1!4b1!8m2!3d47.14!4d9.52'],
  ['https://maps.google.com/?q=47.14,9.52'],
  ['https://www.google.com/maps/search/?api=1&query=47.14%2C9.52'],
  ['https://www.google.com/maps/place/47.14,9.52'],
  ['https://www.openstreetmap.org/search?lat=47.14&lon=9.52'],
  ['https://www.openstreetmap.org/directions?from=&to=47.14%2C9.52'],
  ['https://maps.apple.com/?ll=47.14,9.52'],
  ['https://www.bing.com/maps?cp=47.14~9.52&lvl=15'],
  ['https://yandex.com/maps/?ll=9.52%2C47.14&z=12'],
  ['https://wego.here.com/?map=47.14,9.52,15,normal'],
  ['geo:0,0?q=47.14,9.52(Town hall)'],
])('%s is 47.14, 9.52', text => {
  expect(pointInText(text)).toEqual({ latitude: 47.14, longitude: 9.52, rest: '' });
});

// The codes are those that the packages open-location-code 1.0.3 and mgrs 2.2.0 give for the point.
test.each([
  ['8FVF4GQC+X2'],
  ['32TNT3942920853'],
  ['32tnt3942920853'],
  ['32T NT 39429 20853'],
  ['MGRS 32TNT 3942 2085'],
  ['32TNT39422085'],
  ['32T 539429 5220853'],
  ['UTM 32T 539429 5220853'],
  ['32N 539429 5220853'],
])('%s is 47.14, 9.52, too', text => {
  const point = pointInText(text)!;
  expect(Math.abs(point.latitude - 47.14)).toBeLessThan(0.0001);
  expect(Math.abs(point.longitude - 9.52)).toBeLessThan(0.0001);
  expect(point.rest).toBe('');
});

test('O is east, unless a language is asked for in which it is west', () => {
  const text = "40° 26,76' N 79° 58,92' O";
  expect(pointInText(text)?.longitude).toBeCloseTo(79.982, 9);
  expect(pointInText(text, ['de'])?.longitude).toBeCloseTo(79.982, 9);
  expect(pointInText(text, ['fr'])?.longitude).toBeCloseTo(-79.982, 9);
});

test('S behind a zone is south, unless its metres are those of the band in the north', () => {
  expect(pointInText('56S 334436 6250816')?.latitude).toBeCloseTo(-33.87, 4);
  expect(pointInText('33S 500000 3900000')?.latitude).toBeCloseTo(35.24, 2);
});

// The link is that of openstreetmap.org for the middle of its map at 51.51, -0.05.
test('a short link of openstreetmap.org has the middle of its map', () => {
  const point = pointInText('https://osm.org/go/0EEQjE--')!;
  expect(point.latitude).toBeCloseTo(51.511, 2);
  expect(point.longitude).toBeCloseTo(0.055, 2);
  expect(point.rest).toBe('');
});

test('a short plus code is nearest to the place beside it', () => {
  expect(shortCodeIn('4GQC+X2 Vaduz')).toEqual({ digits: '4GQC+X2', rest: 'Vaduz' });
  expect(shortCodeIn('Vaduz, 4gqc+x2')).toEqual({ digits: '4GQC+X2', rest: 'Vaduz' });
  expect(shortCodeIn('2345+2367 Vaduz')).toBeUndefined();
  // The town lies in the next square of the longer codes.
  for (const near of [
    { latitude: 47.14, longitude: 9.52 },
    { latitude: 46.9, longitude: 10.01 },
  ]) {
    const point = shortCodePoint('4GQC+X2', near);
    expect(point.latitude).toBeCloseTo(47.14, 3);
    expect(point.longitude).toBeCloseTo(9.52, 3);
  }
});

test.each([
  ['https://www.openstreetmap.org/way/123#map=19/47.1/9.5', { type: OSM_WAY, id: 123 }],
  ['openstreetmap.org/node/7', { type: OSM_NODE, id: 7 }],
  ['https://www.openstreetmap.org/#map=16/47.14/9.52', undefined],
])('%s names an object', (text, object) => {
  expect(linkedObject(text)).toEqual(object);
});

test('what stands around them is kept', () => {
  expect(pointInText('pharmacy 47.14, 9.52 Vaduz')?.rest.split(/\s+/)).toEqual(['pharmacy', 'Vaduz']);
});

test.each([
  '40.446',
  '12 14',
  'Landstrasse 33, 9494',
  '191.0, 9.5',
  '47.1, 181.2',
  'N 40 61.5 W 79 58.9',
  '40 N 5 W',
  'A12.5, 9.5x',
  '1.2.3, 4.5',
  '1,3 5,7',
  '197,14 9,52',
  '12345+67',
  '10 S 5th St 20 N',
  'Main St N 12,5',
  '1.2/3',
])('%s has none', text => {
  expect(pointInText(text)).toBeUndefined();
});

test.each([
  ['-122.4194 37.7749', 37.7749, -122.4194],
  ['-122.4194, 37.7749', 37.7749, -122.4194],
  ['139.6917,35.6895', 35.6895, 139.6917],
  ['151.2093 -33.8688', -33.8688, 151.2093],
  ['139,6917; 35,6895', 35.6895, 139.6917],
  ['-87.63, 41.88', 41.88, -87.63],
  ['-70.6693 -33.4489', -33.4489, -70.6693],
  ['88.3639, 22.5726', 22.5726, 88.3639],
])('longitude first: %s', (text, latitude, longitude) => {
  expect(pointInText(text)).toEqual({ latitude, longitude, rest: '' });
});

test.each([
  ['-77.846, 166.668', -77.846, 166.668],
  ['-62.5 20.5', -62.5, 20.5],
  ['-66.5, 25.5', -66.5, 25.5],
  ['78.22, 15.65', 78.22, 15.65],
  ['41.88, -87.63', 41.88, -87.63],
])('latitude first, as it is no place the other way round: %s', (text, latitude, longitude) => {
  expect(pointInText(text)).toEqual({ latitude, longitude, rest: '' });
});

test.each(['-122.4 -137.8', '181.5, 41.2', '91.5 95.5'])('%s is no point in any order', text => {
  expect(pointInText(text)).toBeUndefined();
});

test.each([
  ['TQ 30000 80000', 51.504, -0.1287],
  ['TQ3000080000', 51.504, -0.1287],
  ['tq 300 800', 51.5045, -0.128],
  ['NN 166 712', 56.7967, -5.0036],
  // The example of the Ordnance Survey's guide.
  ['TG 51409 13177', 52.657979, 1.716052],
  ['2600000 1200000', 46.951083, 7.438632],
  ["2'600'000, 1'200'000", 46.951083, 7.438632],
  ['2 600 000 / 1 200 000', 46.951083, 7.438632],
  // The example of swisstopo's formulas.
  ['LV95: 2700000 1100000', 46.044131, 8.730497],
  ['600000 200000', 46.951083, 7.438632],
  ['600 000 / 200 000', 46.951083, 7.438632],
  ['155000 463000', 52.155174, 5.387206],
  ['RD 121687 487484', 52.374419, 4.897876],
])('a national grid: %s', (text, latitude, longitude) => {
  const point = pointInText(text)!;
  expect(point.latitude).toBeCloseTo(latitude, 3);
  expect(point.longitude).toBeCloseTo(longitude, 3);
  expect(point.rest).toBe('');
});

test.each(['TQ 12', 'TQ12 4AB', 'TQ 123 45', 'ZZ 30000 80000', '600000 900000', '12345 67890', '123456', 'NE 12 34'])(
  '%s is in no national grid',
  text => {
    expect(pointInText(text)).toBeUndefined();
  },
);

test.each([
  ['48 16', 48, 16],
  ['48, 16', 48, 16],
  ['-33 151', -33, 151],
  ['151 -33', -33, 151],
  ['51N 7E', 51, 7],
  ['N51 E7', 51, 7],
  ['33° S, 151° E', -33, 151],
])('whole degrees: %s', (text, latitude, longitude) => {
  expect(wholeDegrees(text)).toEqual({ latitude, longitude, rest: '' });
  expect(pointInText(text.replaceAll('°', ''))).toBeUndefined();
});

test.each(['48,16', '48', '48 16 12', '200 300', '51N 7E Street'])('%s are no whole degrees', text => {
  expect(wholeDegrees(text)).toBeUndefined();
});
