// A small layer for the tests of search: places are drawn as lines of text, one a line, in the order in which they are stored.
//
//   key | what                        | names, the first being `name`              | house number | postcode | parent | rows
//
// Ranks follow from what it is.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Geometry } from '../../../src/geo/geometry.ts';
import { inWords, type SearchQuestion } from '../../../src/geocoding/search/question.ts';
import { search } from '../../../src/geocoding/search/search.ts';
import { SearchIndexBuilder } from '../../../src/geocoding/search/word_index/builder.ts';
import { SearchIndex } from '../../../src/geocoding/search/word_index/search_index.ts';
import { sectionsOf } from '../../../src/tables/environment/section_file.ts';
import { LayerReader, LayerWriter, loadIndex } from '../../../src/tables/places/layer.ts';
import { BARE_PLACE, OSM_NODE, type Place } from '../../../src/tables/places/place.ts';

const RANKS: Record<string, [searchRank: number, addressRank: number]> = {
  'boundary=administrative': [16, 16],
  'place=country': [4, 4],
  'place=town': [18, 16],
  'place=village': [19, 16],
  'place=postcode': [21, 5],
  'highway=residential': [26, 26],
};

/** A drawn layer that can be asked. */
export interface DrawnLayer {
  index: SearchIndex;
  /** Keys of the answers, best first; of an interpolated house with its number, `line#7`. */
  find(text: string, more?: Partial<SearchQuestion>): string[];
  close(): Promise<void>;
}

/** What is not drawn of a place, by its key. */
export type Details = Record<string, Partial<Place> & { geometry?: Geometry }>;

/** Builds a layer of the places that are drawn. */
export async function drawLayer(lines: string, details: Details = {}): Promise<DrawnLayer> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-search-'));
  const writer = new LayerWriter(join(folder, 'layer'));
  const builder = new SearchIndexBuilder();
  const keys: string[] = [''];
  for (const line of lines.split('\n').filter(line => line.trim() !== '')) {
    const [key, kind, names, houseNumber, postcode, parent, rows] = [...line.split('|').map(cell => cell.trim()), '', '', '', '', ''];
    const place = drawnPlace({
      kind,
      names,
      houseNumber,
      postcode,
      parent: Math.max(0, keys.indexOf(parent)),
      rows: rowIds(keys, rows),
      ...details[key],
    });
    const id = writer.put(place);
    builder.add(id, place, details[key]?.geometry ?? { kind: 'point' });
    keys.push(key);
  }
  builder.finish(writer);
  await writer.finish({ licence: 'drawn', sources: [] });
  const layer = new LayerReader(join(folder, 'layer'));
  const index = new SearchIndex(layer, sectionsOf(loadIndex(join(folder, 'layer'))));
  return {
    index,
    find: (text, more = {}) => {
      const { hits } = search(index, inWords(text, more));
      layer.release();
      return hits.map(({ id, houseNumber }) => (houseNumber === '' ? keys[id] : `${keys[id]}#${houseNumber}`));
    },
    close: async () => {
      await layer.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function rowIds(keys: readonly string[], rows: string): number[] {
  return rows
    .split(' ')
    .filter(Boolean)
    .map(row => keys.indexOf(row));
}

interface Drawn extends Partial<Omit<Place, 'names'>> {
  kind: string;
  names: string | Place['names'];
  houseNumber: string;
  postcode: string;
  parent: number;
  rows: readonly number[];
}

function drawnPlace({ kind, names, ...more }: Drawn): Place {
  const [category, type] = kind.split('=');
  const [searchRank, addressRank] = RANKS[kind] ?? [30, 30];
  const { latitude = 47, longitude = 9 } = more;
  return {
    ...BARE_PLACE,
    osmType: OSM_NODE,
    osmId: 1,
    category,
    type,
    searchRank,
    addressRank,
    importance: Math.max(0, 0.4 - searchRank / 75),
    latitude,
    longitude,
    south: latitude,
    north: latitude,
    west: longitude,
    east: longitude,
    names: typeof names === 'string' ? namesOf(names) : names,
    countryCode: 'li',
    ...more,
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
