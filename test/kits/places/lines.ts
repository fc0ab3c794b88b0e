// A small layer for the tests of search: places are drawn as lines of text, one a line, in the order in which they are
// stored.
//
//   key | what | names, the first being `name` | house number | postcode | parent | rows
//
// Ranks follow from what it is.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Geometry } from '../../../src/geo/rings.ts';
import { freeTextQuestion, type SearchQuestion } from '../../../src/geocoding/search/question.ts';
import { searchLayers } from '../../../src/geocoding/search/search.ts';
import { SearchIndex } from '../../../src/geocoding/search/word_index/search_index.ts';
import { LayerReader } from '../../../src/tables/places/layer.ts';
import type { Place } from '../../../src/tables/places/place.ts';
import { writeLayer } from './layers.ts';
import { placeOf, type Said } from './place.ts';

const RANKS: Record<string, [searchRank: number, addressRank: number]> = {
  'boundary=administrative': [16, 16],
  'place=country': [4, 4],
  'place=town': [18, 16],
  'place=village': [19, 16],
  'place=postcode': [21, 5],
  'highway=residential': [26, 26],
};

/** A drawn layer that can be asked. */
export interface LineLayer {
  index: SearchIndex;
  /** Keys of the answers, best first; of an interpolated house with its number, `line#7`. */
  find(text: string, more?: Partial<SearchQuestion>): string[];
  close(): Promise<void>;
}

/** What is not drawn of a place, by its key. */
export type Details = Record<string, Said & { geometry?: Geometry }>;

/** Builds a layer of the places that are drawn. */
export async function layerOf(lines: string, details: Details = {}): Promise<LineLayer> {
  const root = mkdtempSync(join(tmpdir(), 'sextant-search-'));
  const folder = join(root, 'layer');
  const places: [Place, Geometry][] = [];
  const keys: string[] = [''];
  for (const line of lines.split('\n').filter(line => line.trim() !== '')) {
    const [key, kind, names, houseNumber, postcode, parent, rows] = [
      ...line.split('|').map(cell => cell.trim()),
      '',
      '',
      '',
      '',
      '',
    ];
    const above = { parent: Math.max(0, keys.indexOf(parent)), rows: rowIds(keys, rows) };
    const { geometry = { kind: 'point' }, ...said } = details[key] ?? {};
    places.push([placeOf({ ...saidBy(kind, names), houseNumber, postcode, ...above, ...said }), geometry]);
    keys.push(key);
  }
  await writeLayer(folder, 'drawn', places);
  const layer = new LayerReader(folder);
  const index = new SearchIndex(layer, layer.sections);
  return {
    index,
    find: (text, more = {}) => {
      const [hits] = searchLayers([index], freeTextQuestion(text, more)).hits;
      layer.release();
      return hits.map(({ id, houseNumber }) => (houseNumber === '' ? keys[id] : `${keys[id]}#${houseNumber}`));
    },
    close: async () => {
      await layer.close();
      rmSync(root, { recursive: true });
    },
  };
}

function rowIds(keys: readonly string[], rows: string): number[] {
  return rows
    .split(' ')
    .filter(Boolean)
    .map(row => keys.indexOf(row));
}

function saidBy(kind: string, names: string): Said {
  const [category, type] = kind.split('=');
  const [searchRank, addressRank] = RANKS[kind] ?? [30, 30];
  const importance = Math.max(0, 0.4 - searchRank / 75);
  return {
    category,
    type,
    searchRank,
    addressRank,
    importance,
    longitude: 9,
    names: namesOf(names),
    countryCode: 'li',
  };
}

/** `Name; name:en=Other` */
function namesOf(text: string): Record<string, string> {
  const names: Record<string, string> = {};
  for (const part of text.split(/ ; /).filter(Boolean)) {
    const [key, value] = part.includes('=') ? part.split('=') : ['name', part];
    names[key] = value;
  }
  return names;
}
