// The country of a point during an import: of the countries that the extract itself has the borders of, else by the borders of the world.
//
// The extract's borders are exact and those of the world are not. A point beyond the former that the latter still place inside belongs to the
// neighbour.

import { countryAt } from '../../geo/country.ts';
import { UNITS_PER_DEGREE } from '../geometry.ts';
import { unitsOf } from './known_areas.ts';
import type { Tags } from './osm_features.ts';
import { Polygon } from './polygon.ts';

const COUNTRY_LEVEL = '2';
const COUNTRY_CODE = /^[A-Za-z]{2}$/;
/** How far the borders of the world may be off, and the steps in which the neighbour is looked for. */
const STEPS_METRES = [125, 250, 500, 1_000, 2_000];
const DIRECTIONS = [
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
];

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
    const code = codeAt(x, y);
    return this.isOwn(code) ? this.neighbourAt(x, y) : code;
  }

  private isOwn(code: string): boolean {
    return this.own.some(country => country.code === code);
  }

  /** The nearest country that the extract has no borders of, within two kilometres. */
  private neighbourAt(x: number, y: number): string {
    for (const metres of STEPS_METRES) {
      const step = unitsOf(metres, y);
      for (const [east, north] of DIRECTIONS) {
        const code = codeAt(x + east * step.east, y + north * step.north);
        if (code !== '' && !this.isOwn(code)) return code;
      }
    }
    return '';
  }
}

function codeAt(x: number, y: number): string {
  return (countryAt(y / UNITS_PER_DEGREE, x / UNITS_PER_DEGREE) ?? '').toLowerCase();
}
