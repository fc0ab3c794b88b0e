// Names in languages that were not asked for, besides places that are called so themselves.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

const PLACES = `
  country  | place=country           | Liechtenstein
  state    | boundary=administrative | Świętokrzyskie ; name:de=Heiligkreuz ; name:en=Holy Cross ; name:fr=Sainte-Croix ; name:es=Santa Cruz ; name:pt=Santa Cruz | | | | country
  vaduz    | boundary=administrative | Vaduz                                                       | | | | country
  street   | highway=residential     | Heiligkreuz                                                 | | | | vaduz country
  english  | highway=residential     | Holy Cross                                                  | | | | vaduz country
  several  | highway=residential     | Santa Cruz                                                  | | | | vaduz country
  capital  | boundary=administrative | München ; name:it=Monaco                                    | | | | country
  bar      | amenity=bar             | Monaco                                                      | | | | vaduz country
`;

let layer: LineLayer;
beforeAll(async () => {
  layer = await layerOf(PLACES, {
    state: { importance: 0.4 },
    street: { importance: 0.2 },
    english: { importance: 0.2 },
    several: { importance: 0.2 },
    capital: { importance: 0.8 },
  });
});
afterAll(() => layer.close());

describe('a name in another language', () => {
  test('comes after the name itself if its language was not asked for', () => {
    expect(layer.find('Heiligkreuz')).toEqual(['street', 'state']);
    expect(layer.find('Heiligkreuz', { languages: ['fr', 'en'] })).toEqual(['street', 'state']);
    expect(layer.find('Heiligkr', { isAutocomplete: true })).toEqual(['street', 'state']);
  });

  test.each(['de', 'de-AT', 'DE'])('is as good as any in the language %s that was asked for', language => {
    expect(layer.find('Heiligkreuz', { languages: ['fr', language] })).toEqual(['state', 'street']);
  });

  test('still finds a place that is known far better', () => {
    expect(layer.find('Monaco')).toEqual(['capital', 'bar']);
  });

  test.each(['Holy Cross', 'Santa Cruz'])('counts as the main one in English, or in several languages: %s', name => {
    expect(layer.find(name)[0]).toBe('state');
  });

  test('finds the place in any language', () => {
    expect(layer.find('Sainte-Croix')).toEqual(['state']);
  });
});
