import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importanceOf, raiseImportance } from '../../../../src/geocoding/import/objects/importance.ts';
import {
  ImportanceTable,
  type RatedItem,
  writeImportanceTable,
} from '../../../../src/tables/places/importance_table.ts';
import { placeOf } from '../../../kits/places/place.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

const of = (category: string, type: string, tags = {}, searchRank = 30) =>
  importanceOf({ category, type, searchRank }, { name: 'A', ...tags });

test('importance follows from the rank of what is larger than a house', () => {
  expect(of('place', 'country', {}, 4)).toBeCloseTo(0.3467, 4);
  expect(of('highway', 'residential', {}, 26)).toBeCloseTo(0.0533, 4);
});

test('of the rest it follows from the class, and is more for what an encyclopedia describes', () => {
  expect(of('highway', 'bus_stop')).toBe(0);
  expect(of('shop', 'bakery')).toBeGreaterThan(of('amenity', 'parking'));
  expect(of('tourism', 'museum')).toBeGreaterThan(of('shop', 'bakery'));
  expect(of('tourism', 'museum', { wikidata: 'Q1' })).toBeGreaterThan(of('tourism', 'museum'));
  expect(of('shop', 'bakery', { wikidata: 'Q1', wikipedia: 'de:A' })).toBeLessThan(of('tourism', 'museum'));
  expect(of('tourism', 'museum', { wikidata: 'Q1', wikipedia: 'de:A' })).toBeLessThanOrEqual(1);
});

test('a station is less important than the village whose name it has', () => {
  const tags = { wikidata: 'Q1', wikipedia: 'de:A' };
  expect(of('railway', 'station', tags)).toBeLessThan(of('place', 'hamlet', {}, 20));
});

test('what has no name is not important', () => {
  expect(importanceOf({ category: 'tourism', type: 'museum', searchRank: 30 }, {})).toBeCloseTo(0, 4);
});

test('a table raises the importance of what it knows, and lowers none', () => {
  const tableOf = (...items: RatedItem[]) => {
    const path = join(temporaryFolder(), 'table');
    writeImportanceTable(path, items, () => {});
    return new ImportanceTable(path);
  };
  const tables = [tableOf([1, 1], [2, 0.2]), tableOf([2, 0.6], [3, 0])];
  const raised = (wikidata: string | undefined, own: number, by = tables) => {
    const place = placeOf({ importance: own, tags: wikidata === undefined ? {} : { wikidata } });
    return [raiseImportance(place, by), Number(place.importance.toFixed(4))];
  };
  expect(raised('Q1', 0.1)).toEqual([true, 0.55]);
  expect(raised('Q2', 0.1)).toEqual([true, 0.33]);
  expect(raised('Q2', 0.1, tables.toReversed())).toEqual([true, 0.33]);
  expect(raised('Q2', 0.4)).toEqual([true, 0.4]);
  expect(raised('Q3', 0.1)).toEqual([true, 0.1]);
  expect(raised('Q4', 0.1)).toEqual([false, 0.1]);
  expect(raised('Q3;Q1', 0.1)).toEqual([true, 0.55]);
  for (const none of [undefined, '', '1', 'PQ1', 'Q01', 'Q1x', 'de:Q']) expect(raised(none, 0)).toEqual([false, 0]);
  expect(raised('Q1', 0.1, [])).toEqual([false, 0.1]);
  for (const table of tables) table.close();
});
