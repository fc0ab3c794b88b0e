// One address of a table or of GeoJSON, or why a row is none.

import { isInCountry } from '../../geo/country.ts';
import type { GivenAddress } from '../../geocoding/import/houses/address_file.ts';
import { nationalGridPoint } from '../../geocoding/search/words/national_grids.ts';
import type { Refusal } from '../files/refused_lines.ts';
import {
  type AddressLayout,
  type AddressRole,
  addressLayout,
  joinedValue,
  type NamedAddressColumns,
} from './address_columns.ts';

/** How rows are read. */
export interface RowRules {
  columns: NamedAddressColumns;
  /** Rows elsewhere are refused; ISO 3166-1 alpha-2, upper case. */
  country?: string | undefined;
  /** Rows are postcodes, which have no house number. */
  isPostcodes: boolean;
}

/** A postcode before the town in one column: `9490 Vaduz`. */
const POSTCODE_AND_TOWN = /^(\d{3,6}) +(\D.*)$/;
/** A register may have houses on a pier, and borders of the world are coarse. */
const BORDER_METRES = 5_000;
const TEXT_MAX = 200;
/** Features of one file have few kinds of members; of more the layouts are worked out again. */
const LAYOUTS_MAX = 100;
const NO_FEATURE: Refusal = { rule: 'json', why: 'it is no GeoJSON feature with a point' };
const NO_CELLS: readonly unknown[] = [];

/** The address of a row of a table. */
export function readRow(cells: readonly unknown[], layout: AddressLayout, rules: RowRules): GivenAddress | Refusal {
  const text = (role: AddressRole) => joinedValue(cells, layout[role]);
  const [x, y] = [text('longitude'), text('latitude')];
  const point = pointOf(x, y);
  if (point === undefined) return { rule: 'position', why: `"${y}", "${x}" is no position` };
  return checked({ ...textsOf(cells, layout), ...point }, rules);
}

/** The addresses of a line of GeoJSON: of a feature, or of all features of a collection. */
export class FeatureReader {
  private readonly rules: RowRules;
  /** By the members of a feature, which are mostly the same. */
  private readonly layouts = new Map<string, AddressLayout>();

  constructor(rules: RowRules) {
    this.rules = rules;
  }

  read(line: string): (GivenAddress | Refusal)[] {
    const value = parsed(line.replace(/,\s*$/, ''));
    return Array.isArray(value?.features)
      ? value.features.map(feature => this.readFeature(feature as Members))
      : [this.readFeature(value)];
  }

  private readFeature(feature: Members | undefined): GivenAddress | Refusal {
    const { properties, geometry } = (feature ?? {}) as { properties?: Members; geometry?: { coordinates?: unknown } };
    const [longitude, latitude] = Array.isArray(geometry?.coordinates) ? (geometry.coordinates as unknown[]) : NO_CELLS;
    if (typeof properties !== 'object' || properties === null) return NO_FEATURE;
    if (typeof longitude !== 'number' || typeof latitude !== 'number') return NO_FEATURE;
    const point = pointOf(String(longitude), String(latitude));
    if (point === undefined) return { rule: 'position', why: `${latitude}, ${longitude} is no position` };
    const names = Object.keys(properties);
    const key = names.join('\n');
    let layout = this.layouts.get(key);
    if (layout === undefined) {
      layout = addressLayout(names, this.rules.columns);
      if (this.layouts.size >= LAYOUTS_MAX) this.layouts.clear();
      this.layouts.set(key, layout);
    }
    return checked({ ...textsOf(Object.values(properties), layout), ...point }, this.rules);
  }
}

type Members = { readonly [member: string]: unknown };

/** The members of the first feature of a line; none where it has none. */
export function propertiesOf(line: string): Members {
  const value = parsed(line.replace(/,\s*$/, ''));
  const feature = (Array.isArray(value?.features) ? value.features[0] : value) as { properties?: Members } | undefined;
  return feature?.properties ?? {};
}

/** @returns undefined for what is no JSON object: the caller counts it */
function parsed(line: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}

function textsOf(
  cells: readonly unknown[],
  layout: AddressLayout,
): Pick<GivenAddress, 'number' | 'street' | 'city' | 'postcode'> {
  const [number, street] = [joinedValue(cells, layout.number), joinedValue(cells, layout.street)];
  const [city, postcode] = [joinedValue(cells, layout.city), joinedValue(cells, layout.postcode)];
  const [, before, after] = POSTCODE_AND_TOWN.exec(city) ?? [];
  return { number, street, city: after ?? city, postcode: postcode === city && before ? before : postcode };
}

/** Degrees, or metres of a national grid. */
function pointOf(x: string, y: string): Pick<GivenAddress, 'latitude' | 'longitude'> | undefined {
  if (x === '' || y === '') return undefined;
  const [longitude, latitude] = [Number(x.replace(',', '.')), Number(y.replace(',', '.'))];
  if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)
    return longitude === 0 && latitude === 0 ? undefined : { latitude, longitude };
  return nationalGridPoint(`${longitude} ${latitude}`);
}

function checked(row: GivenAddress, { country, isPostcodes }: RowRules): GivenAddress | Refusal {
  const { number, street, city, postcode, latitude, longitude } = row;
  if (isPostcodes ? postcode === '' : number === '')
    return isPostcodes
      ? { rule: 'postcode', why: 'it has no postcode' }
      : { rule: 'number', why: 'it has no house number' };
  if (!isPostcodes && street === '' && city === '')
    return { rule: 'street', why: `house ${number} has neither street nor town` };
  if ([number, street, city, postcode].some(text => text.length > TEXT_MAX))
    return { rule: 'length', why: `a text has more than ${TEXT_MAX} characters` };
  if (country !== undefined && !isInCountry(latitude, longitude, country, BORDER_METRES))
    return { rule: 'country', why: `${latitude}, ${longitude} is not in ${country}` };
  return row;
}
