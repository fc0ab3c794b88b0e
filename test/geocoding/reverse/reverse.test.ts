import { expect, test } from 'vitest';
import { box, DrawnPlaces } from '../../kits/places/spots.ts';

test('a road answers with its point nearest to the question', () => {
  const map = new DrawnPlaces();
  map.road([0, 0, 100, 0], 'Long Road');
  expect(map.at([30, 5])).toEqual({ name: 'Long Road', spot: [30, 0] });
  expect(map.at([110, 5])).toEqual({ name: 'Long Road', spot: [100, 0] });
});

test('nothing farther away than 70 steps answers', () => {
  const map = new DrawnPlaces();
  map.road([0, 0, 100, 0], 'Long Road');
  map.poi([50, 200], 'Bakery', 0);
  expect(map.at([50, 70])?.name).toBe('Long Road');
  expect(map.at([50, 71])).toBeUndefined();
  expect(map.at([50, 131])?.name).toBe('Bakery');
});

test('zoom 16 sees roads, zoom 17 the paths too, zoom 18 the houses', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, 0, 100, 0], 'Road');
  map.road([0, 20, 100, 20], 'Path', { searchRank: 27, addressRank: 27 });
  map.house([50, 30], '7', road);
  expect([16, 17, 18].map(zoom => map.at([50, 30], zoom)?.name)).toEqual(['Road', 'Path', '7 Road']);
});

test('a house stands between two roads: it has the road that it belongs to, not the nearer one', () => {
  const map = new DrawnPlaces();
  const front = map.road([0, 0, 100, 0], 'Front Road');
  map.road([0, 10, 100, 10], 'Back Road');
  map.house([50, 7], '12', front);
  expect(map.at([50, 8.2])).toEqual({ name: '12 Front Road', spot: [50, 7] });
});

test('beside a road the house of that road answers that is nearest to the road, and no other road’s', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, 0, 100, 0], 'Road');
  const other = map.road([0, 50, 100, 50], 'Other Road');
  map.house([50, 4], '1', other);
  map.house([57, 4], '3', road);
  map.house([40, 4], '5', road);
  expect(map.at([50, 1])).toEqual({ name: '3 Road', spot: [57, 4] });
});

test('a house of the road that is ten steps away from the road’s point does not answer for it', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, 0, 100, 0], 'Road');
  map.house([60, 0], '1', road);
  expect(map.at([50, 1])).toEqual({ name: 'Road', spot: [50, 0] });
  expect(map.at([50.1, 1])?.name).toBe('1 Road');
});

test('a house of the road is only looked for among what is hardly farther away than the road, and within reach', () => {
  const yard = new DrawnPlaces();
  const drive = yard.road([30, -50, 30, 30], 'Drive');
  // The centroid lies at the end of the drive, the walls are 14 steps from the question.
  yard.area([box(12, 12, 48, 48), box(14, 14, 46, 46)], { houseNumber: '1', parent: drive });
  expect(yard.at([30, 32])?.name).toBe('Drive');
  expect(yard.at([30, 37])?.name).toBe('1 Drive');

  const map = new DrawnPlaces();
  const road = map.road([0, 0, 200, 0], 'Road');
  map.building(48, 4, 52, 10, '1', road);
  map.house([150, 7], '2', road);
  expect([-63, -65].map(north => map.at([50, north])?.name)).toEqual(['1 Road', 'Road']);
  expect([-63, -65].map(north => map.at([150, north])?.name)).toEqual(['2 Road', 'Road']);
});

test('a building of the road answers by its centroid', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, 0, 100, 0], 'Road');
  map.building(50, 3, 54, 7, '9', road);
  expect(map.at([50, 1])).toEqual({ name: '9 Road', spot: [52, 5] });
});

test('an inherited address is no house of the road', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, 0, 100, 0], 'Road');
  map.poi([50, 4], 'Bakery', road, { houseNumber: '9', isAddressInherited: true });
  expect(map.at([50, 1])?.name).toBe('Road');
  expect(map.at([50, 3])?.name).toBe('Bakery');
});

test('in a building the shop inside answers, unless it has another number', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, -50, 100, -50], 'Road');
  map.building(0, 0, 10, 10, '1', road);
  map.poi([8, 8], 'Bakery', road, { houseNumber: '1', isAddressInherited: true });
  map.poi([3, 3], 'Bank', road, { houseNumber: '1a' });
  expect(map.at([2, 2])).toEqual({ name: 'Bakery', spot: [8, 8] });

  const plain = new DrawnPlaces();
  plain.building(0, 0, 10, 10, '', 0, { category: 'amenity', type: 'school', names: { name: 'School' } });
  plain.poi([3, 3], 'Office', 0, { houseNumber: '1a' });
  plain.poi([11, 2], 'Kiosk', 0);
  expect(plain.at([9, 2])?.name).toBe('Office');
  expect(plain.at([10.6, 2])?.name).toBe('Kiosk');
});

test('in a building without nodes the building answers, at its centroid', () => {
  const map = new DrawnPlaces();
  const road = map.road([5, -50, 5, 60], 'Road');
  map.building(0, 0, 10, 10, '1', road);
  expect(map.at([4, 4])).toEqual({ name: '1 Road', spot: [5, 5] });
  expect(map.at([5, 5])).toEqual({ name: '1 Road', spot: [5, 5] });
});

test('in the yard of a building its wall is as far as it is', () => {
  const map = new DrawnPlaces();
  map.area([box(0, 0, 30, 30), box(10, 10, 20, 20)], {
    category: 'building',
    type: 'yes',
    houseNumber: '1',
    names: { name: 'Palace' },
  });
  map.poi([15, 13], 'Kiosk', 0);
  expect(map.at([15, 15])?.name).toBe('Kiosk');
  expect(map.at([15, 19])?.name).toBe('Palace');
});

test('of areas within one another the smallest answers', () => {
  const map = new DrawnPlaces();
  map.area([box(0, 0, 40, 40)], { category: 'amenity', type: 'university', names: { name: 'University' } });
  map.area([box(10, 10, 20, 20)], { category: 'amenity', type: 'library', names: { name: 'Library' } });
  expect(map.at([15, 15])?.name).toBe('Library');
  expect(map.at([30, 30])?.name).toBe('University');
});

test('a node at the very point wins over the area around it', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, -50, 100, -50], 'Road');
  map.building(0, 0, 10, 10, '1', road);
  map.house([4, 4], '1b', road);
  expect(map.at([4, 4])?.name).toBe('1b Road');
});

test('an area whose centroid is out of reach does not answer', () => {
  const map = new DrawnPlaces();
  map.area([box(0, 0, 200, 10)], { category: 'leisure', type: 'golf_course', names: { name: 'Golf' } });
  expect(map.at([100, 5])?.name).toBe('Golf');
  expect(map.at([1, 5])).toBeUndefined();
});

test('on a square the question’s own point is its point, and its houses answer', () => {
  const map = new DrawnPlaces();
  const said = { category: 'highway', type: 'pedestrian', searchRank: 26, addressRank: 26, names: { name: 'Square' } };
  const square = map.area([box(0, 0, 30, 30)], said);
  expect(map.at([7, 8])).toEqual({ name: 'Square', spot: [7, 8] });
  const other = new DrawnPlaces();
  other.house([32, 8], '4', other.area([box(0, 0, 30, 30)], said));
  expect(square).toBe(1);
  expect(other.at([29, 8])?.name).toBe('4 Square');
});

test('a line with an address is a house without an inside', () => {
  const map = new DrawnPlaces();
  map.line([0, 0, 10, 0, 10, 10, 0, 10], { category: 'barrier', type: 'wall', houseNumber: '3' });
  map.poi([5, 4], 'Kiosk', 0);
  expect(map.at([9, 4])?.name).toBe('3');
  expect(map.at([5, 5])?.name).toBe('Kiosk');
});

test('an interpolated number is that of the place on the line, in steps of the range', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, 0, 100, 0], 'Road');
  const range = { start: 20, end: 28, step: 2 };
  map.line([10, 5, 50, 5], { category: 'place', type: 'house', parent: road, houseRange: range });
  expect(map.at([10, 1])).toEqual({ name: '20 Road', spot: [10, 5] });
  expect(map.at([22, 1])).toEqual({ name: '22 Road', spot: [20, 5] });
  expect(map.at([26, 1])).toEqual({ name: '24 Road', spot: [30, 5] });
  expect(map.at([70, 1])?.name).toBe('Road');
});

test('an interpolated number never beats a nearer house, nor answers for another road', () => {
  const map = new DrawnPlaces();
  const road = map.road([0, 0, 100, 0], 'Road');
  const other = map.road([0, 50, 100, 50], 'Other Road');
  const range = { start: 2, end: 6, step: 2 };
  map.line([0, 6, 100, 6], { category: 'place', type: 'house', parent: other, houseRange: range });
  expect(map.at([50, 2])?.name).toBe('Road');
  map.house([50, 4], '17', road);
  const both = new DrawnPlaces();
  const main = both.road([0, 0, 100, 0], 'Road');
  both.line([0, 6, 100, 6], { category: 'place', type: 'house', parent: main, houseRange: range });
  both.house([50, 4], '17', main);
  expect(both.at([50, 1])?.name).toBe('17 Road');
  expect(both.at([50, 4])?.name).toBe('17 Road');
  expect(both.at([50, 5.5])?.name).toBe('4 Road');
  expect(both.at([57, 1])?.name).toBe('4 Road');
  const onLine = new DrawnPlaces();
  onLine.house([50, 6], '17', onLine.road([0, 600, 100, 600], 'Road'));
  onLine.line([0, 6, 100, 6], { category: 'place', type: 'house', parent: 1, houseRange: range });
  expect([50, 51].map(east => onLine.at([east, 8])?.name)).toEqual(['17 Road', '4 Road']);
});

test('where nothing else is, the interpolated number within reach answers', () => {
  const map = new DrawnPlaces();
  const road = map.node([900, 900], 'Far Hamlet', 20);
  const range = { start: 7, end: 7, step: 1 };
  map.point([0, 0], { category: 'place', type: 'house', parent: road, houseRange: range });
  expect(map.at([59, 0])?.name).toBe('7 Far Hamlet');
  expect(map.at([61, 0])).toBeUndefined();
});

test('from zoom to zoom the region gets larger', () => {
  const map = new DrawnPlaces();
  map.region([box(0, 0, 4000, 4000)], 'Land', 4);
  map.region([box(0, 0, 2000, 2000)], 'State', 8);
  map.region([box(0, 0, 1000, 1000)], 'County', 12);
  map.region([box(0, 0, 500, 500)], 'Town', 16);
  map.region([box(0, 0, 200, 200)], 'Quarter', 22);
  const names = Array.from({ length: 19 }, (_, zoom) => map.at([100, 100], zoom)?.name);
  expect(names).toEqual([
    ...Array(5).fill('Land'),
    ...Array(3).fill('State'),
    ...Array(2).fill('County'),
    ...Array(4).fill('Town'),
    ...Array(5).fill('Quarter'),
  ]);
  expect(map.at([300, 300])?.name).toBe('Town');
  expect(map.at([3000, 3000])?.name).toBe('Land');
});

test('a region answers at its centroid, of one rank the smaller one', () => {
  const map = new DrawnPlaces();
  map.region([box(0, 0, 1000, 1000)], 'Large', 16);
  map.region([box(0, 0, 100, 100)], 'Small', 16);
  expect(map.at([10, 10])).toEqual({ name: 'Small', spot: [50, 50] });
});

test('regions without a name, and those of no address, do not answer', () => {
  const map = new DrawnPlaces();
  map.region([box(0, 0, 1000, 1000)], 'Municipality', 14);
  map.region([box(0, 0, 100, 100)], 'Postcode', 21, { addressRank: 5 });
  map.region([box(0, 0, 100, 100)], 'Park', 24, { addressRank: 0 });
  map.region([box(0, 0, 100, 100)], '', 20, { names: {} });
  expect(map.at([10, 10])?.name).toBe('Municipality');
});

test('a place node inside the region answers where it is near enough for its rank', () => {
  const map = new DrawnPlaces();
  map.region([box(0, 0, 3000, 3000)], 'Municipality', 14);
  map.node([1000, 1000], 'Village', 19);
  map.node([1300, 1000], 'Hamlet', 20);
  map.node([1310, 1000], 'Farther Hamlet', 20);
  map.node([3010, 3000], 'Beyond', 20);
  expect(map.at([1100, 1000])?.name).toBe('Hamlet');
  expect(map.at([1000, 1390])?.name).toBe('Village');
  expect(map.at([1000, 1410])?.name).toBe('Municipality');
  expect(map.at([2990, 2990])?.name).toBe('Municipality');
  expect(map.at([1100, 1000], 13)?.name).toBe('Village');
  expect(map.at([1100, 1000], 11)?.name).toBe('Municipality');
});

test('without a region a node of the country answers, and without a node the country', () => {
  const map = new DrawnPlaces();
  map.region([box(0, 0, 9000, 9000)], 'Land', 4);
  map.node([100, 0], 'Foreign Town', 16, { countryCode: 'ch' });
  map.node([1000, 0], 'Town', 16);
  expect(map.at([0, 0])?.name).toBe('Town');
  expect(map.at([0, 0], 18, 'ch')?.name).toBe('Foreign Town');
  expect(map.at([0, 0], 4)?.name).toBe('Land');
  expect(map.at([8000, 8000])).toEqual({ name: 'Land', spot: [4500, 4500] });
  expect(map.at([8000, 8000], 18, 'at')).toBeUndefined();
});

test('the open sea has nothing', () => {
  const map = new DrawnPlaces();
  map.region([box(0, 0, 9000, 9000)], 'Land', 4);
  map.node([1000, 0], 'Town', 16);
  for (let zoom = 0; zoom <= 18; zoom++) expect(map.at([9500, 100], zoom, '')).toBeUndefined();
});

test('a point on the border of two municipalities lies in the eastern one', () => {
  const map = new DrawnPlaces();
  map.region([box(0, 0, 100, 100)], 'West', 14);
  map.region([box(100, 0, 200, 100)], 'East', 14);
  expect([99.999, 100, 100.001].map(east => map.at([east, 50])?.name)).toEqual(['West', 'East', 'East']);
});

test('a layer of nothing answers nothing', () => {
  const map = new DrawnPlaces();
  for (let zoom = 0; zoom <= 18; zoom++) expect(map.at([0, 0], zoom)).toBeUndefined();
});

test('roads, houses and nodes beyond the antimeridian are near', () => {
  const map = new DrawnPlaces([-17, 179.999]);
  const road = map.road([-50, 0, 8, 0], 'Road');
  map.house([9, 2], '1', road);
  map.node([-20, 300], 'Village', 19);
  // 10 steps east of the corner is the antimeridian; a question there stands at -180 degrees and more.
  const across = new DrawnPlaces([-17, -180]);
  expect(across.at([0, 0])).toBeUndefined();
  expect(map.at([12 - 3_600_000, 1])?.name).toBe('1 Road');
  expect(map.at([15 - 3_600_000, -1])?.name).toBe('1 Road');
  expect(map.at([60 - 3_600_000, 290])?.name).toBe('Village');
});
