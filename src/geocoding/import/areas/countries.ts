// The country of a point during an import: by the country borders in the extract, otherwise by the borders of the
// world.

import { countryBeyond } from '../../../geo/country.ts';
import { Polygon } from '../../../geo/polygon.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { Tags } from '../osm/features.ts';

const COUNTRY_LEVEL = '2';
const COUNTRY_CODE = /^[A-Za-z]{2}$/;

/** The country code of a country's boundary, lower case; empty for any other object. */
export function countryCodeOf(tags: Tags): string {
  if (tags.boundary !== 'administrative' || tags.admin_level !== COUNTRY_LEVEL) return '';
  const code = tags['ISO3166-1:alpha2'] ?? tags['ISO3166-1'] ?? '';
  return COUNTRY_CODE.test(code) ? code.toLowerCase() : '';
}

/** Finds countries by position. */
export class Countries {
  private readonly own: readonly { code: string; polygon: Polygon }[];

  /** @param borders rings of the countries that the extract contains completely */
  constructor(borders: readonly { code: string; rings: readonly Int32Array[] }[]) {
    this.own = borders.map(({ code, rings }) => ({ code, polygon: new Polygon(rings) }));
  }

  /** The country (ISO 3166-1 alpha-2, lower case) of a point in units; empty on the open sea. */
  at(x: number, y: number): string {
    for (const { code, polygon } of this.own) if (polygon.contains(x, y)) return code;
    return countryBeyond(y / UNITS_PER_DEGREE, x / UNITS_PER_DEGREE, code =>
      this.own.some(country => country.code === code),
    );
  }
}
