// A town whose name others have, too: the community and the county around it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

const PLACES = `
  country  | place=country           | Liechtenstein
  kreis    | boundary=administrative | Landkreis Eibelstadt     |    |       |         | country
  vg       | boundary=administrative | Eibelstadt (VGem)        |    |       |         | kreis country
  eib      | boundary=administrative | Eibelstadt               |    |       |         | vg kreis country
  som      | boundary=administrative | Sommerhausen             |    |       |         | vg kreis country
  far      | boundary=administrative | Rottendorf               |    |       |         | kreis country
  he       | highway=residential     | Hauptstraße              |    |       |         | eib vg kreis country
  hs       | highway=residential     | Hauptstraße              |    |       |         | som vg kreis country
  hf       | highway=residential     | Hauptstraße              |    |       |         | far kreis country
  ring     | highway=residential     | Am alten Ring            |    |       |         | eib vg kreis country
  rings    | highway=residential     | Ring                     |    |       |         | som vg kreis country
  he3      | building=yes            |                          | 3  |       | he      |
  hs3      | building=yes            |                          | 3  |       | hs      |
  hs24     | building=yes            |                          | 24 |       | hs      |
  hs28     | building=yes            |                          | 28 |       | hs      |
  hf26     | building=yes            |                          | 26 |       | hf      |
  r24      | building=yes            |                          | 24 |       | rings   |
`;
const COUNTY = { searchRank: 12, addressRank: 12 };
const COMMUNITY = { searchRank: 14, addressRank: 14 };

let layer: LineLayer;
beforeAll(async () => {
  layer = await layerOf(PLACES, { kreis: COUNTY, vg: COMMUNITY, hf26: { town: 'Eibelstadt' } });
});
afterAll(() => layer.close());

describe('a town that others name, too', () => {
  test.each(['hauptstraße 24 eibelstadt', 'Hauptstraße 28, Eibelstadt', '24 Hauptstr., Eibelstadt'])(
    '%j: the street in the town comes before a house elsewhere',
    text => {
      expect(layer.find(text)[0]).toBe('he');
      expect(layer.find(text).length).toBeGreaterThan(1);
    },
  );

  test('a house in the town comes before all others', () => {
    expect(layer.find('Hauptstraße 3, Eibelstadt').slice(0, 2)).toEqual(['he3', 'hs3']);
  });

  test('a house whose own address has the town comes first', () => {
    expect(layer.find('Hauptstraße 26, Eibelstadt')[0]).toBe('hf26');
  });

  test('a house in the town that is named besides comes first', () => {
    expect(layer.find('Hauptstraße 24, Sommerhausen, Eibelstadt')[0]).toBe('hs24');
  });

  test('a street of which less was said comes after the house', () => {
    expect(layer.find('Ring 24, Eibelstadt')[0]).toBe('r24');
  });
});
