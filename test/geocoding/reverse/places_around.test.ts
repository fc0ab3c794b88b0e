import { expect, test } from 'vitest';
import { box, DrawnPlaces } from '../../kits/places/spots.ts';

/** A road with two houses and a building with a shop in it, beside another road. */
function street(): DrawnPlaces {
  const map = new DrawnPlaces();
  const front = map.road([0, 0, 100, 0], 'Front Road');
  map.road([0, 40, 100, 40], 'Back Road');
  map.house([20, 4], '1', front);
  map.house([30, 4], '3', front);
  map.building(60, 10, 80, 20, '5', front);
  map.poi([62, 12], 'Bakery', front, { houseNumber: '5', isAddressInherited: true });
  map.region([box(-500, -500, 500, 500)], 'Town', 16);
  map.region([box(-900, -900, 900, 900)], 'County', 12);
  map.node([300, 300], 'Hamlet', 20);
  return map;
}

test('each level has its places, the nearest first, and areas from small to large', () => {
  expect(street().around([26, 24])).toEqual([
    ['house', '3', expect.closeTo(20.396, 2)],
    ['house', '1', expect.closeTo(20.881, 2)],
    ['house', '5', expect.closeTo(34.234, 2)],
    ['house', 'Bakery', expect.closeTo(37.947, 2)],
    ['street', 'Back Road', 16],
    ['street', 'Front Road', 24],
    ['area', 'Town', 0],
    ['area', 'County', 0],
  ]);
});

test('the zoom leaves out what is finer than the answer may be', () => {
  const levels = (zoom: number) =>
    new Set(
      street()
        .around([26, 24], zoom)
        .map(([level]) => level),
    );
  expect([18, 17, 16, 15, 10].map(zoom => [...levels(zoom)].join(' '))).toEqual([
    'house street area',
    'street area',
    'street area',
    'area',
    'area',
  ]);
});

test('at most five places of a level are listed', () => {
  const map = new DrawnPlaces();
  for (let i = 0; i < 9; i++) map.poi([i, 0], `Shop ${i}`, 0);
  expect(map.around([0, 0]).map(([, name]) => name)).toEqual(['Shop 0', 'Shop 1', 'Shop 2', 'Shop 3', 'Shop 4']);
});

test('a place node is listed within the reach of its rank', () => {
  const map = new DrawnPlaces();
  map.node([150, 0], 'Hamlet', 20);
  map.node([0, 250], 'Farm', 22);
  map.node([0, 900], 'Town', 17);
  expect(map.around([0, 0])).toEqual([
    ['place', 'Hamlet', 150],
    ['place', 'Town', 900],
  ]);
});

test('every rule is named by its answer', () => {
  const map = street();
  expect(map.ruleAt([90, 39])).toEqual(['nearest', 'Back Road']);
  expect(map.ruleAt([26, 1])).toEqual(['houseOfRoad', '3 Front Road']);
  expect(map.ruleAt([61, 11])).toEqual(['nodeInside', 'Bakery']);
  expect(map.ruleAt([78, 18])).toEqual(['contains', '5 Front Road']);
  expect(map.ruleAt([400, 400])).toEqual(['placeInRegion', 'Hamlet']);
  expect(map.ruleAt([400, -400])).toEqual(['region', 'Town']);

  const range = new DrawnPlaces();
  const road = range.road([0, 0, 100, 0], 'Road');
  range.line([0, 2, 100, 2], {
    category: 'place',
    type: 'houses',
    parent: road,
    houseRange: { start: 2, end: 12, step: 2 },
  });
  expect(range.ruleAt([50, 1])).toEqual(['houseNumber', expect.stringMatching(/ Road$/)]);

  const country = new DrawnPlaces();
  country.region([box(2000, 2000, 3000, 3000)], 'Country', 4);
  country.node([100, 0], 'Farm', 20);
  expect(country.ruleAt([0, 0])).toEqual(['placeInCountry', 'Farm']);
  expect(country.ruleAt([0, 900])).toEqual(['country', 'Country']);
});
