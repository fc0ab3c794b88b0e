// The country of a point during an import: of the countries that the extract itself has the borders of, else by the borders of the world.

import { countryBeyond } from '../../../geo/neighbour_country.ts';
import { Polygon } from '../../../geo/polygon.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { Tags } from '../osm/features.ts';

const COUNTRY_LEVEL = '2';
const COUNTRY_CODE = /^[A-Za-z]{2}$/;
/** The code that a boundary of a country has on the map, lower case; empty of any other object. */
export function countryCodeOf(tags: Tags): string {
  if (tags.boundary !== 'administrative' || tags.admin_level !== COUNTRY_LEVEL) return '';
  const code = tags['ISO3166-1:alpha2'] ?? tags['ISO3166-1'] ?? '';
  return COUNTRY_CODE.test(code) ? code.toLowerCase() : '';
}

export class Countries {
  private readonly own: readonly { code: string; polygon: Polygon }[];

  /** @param borders rings of the countries that the extract has whole, by code */
  constructor(borders: readonly { code: string; rings: readonly Int32Array[] }[]) {
    this.own = borders.map(({ code, rings }) => ({ code, polygon: new Polygon(rings) }));
  }

  /** ISO 3166-1 alpha-2, lower case, of a point in ten-millionths of a degree; empty on the open sea. */
  at(x: number, y: number): string {
    for (const { code, polygon } of this.own) if (polygon.contains(x, y)) return code;
    return countryBeyond(y / UNITS_PER_DEGREE, x / UNITS_PER_DEGREE, code => this.own.some(country => country.code === code));
  }
}
