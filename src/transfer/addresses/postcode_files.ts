// Files of postcodes that have no header, by the form of their first row.
//
//   GeoNames          download.geonames.org/export/zip, readme.txt: country, postcode, place, six of administration,
//                     latitude, longitude, accuracy
//   Code-Point Open   Ordnance Survey, "Code-Point Open technical specification": postcode, quality, easting, northing

import type { GivenAddress } from '../../geocoding/import/houses/address_file.ts';
import { britishPoint } from '../../geocoding/search/words/national_grids.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { type RowRules, readRow } from './address_row.ts';

type ReadRow = (cells: readonly string[], rules: RowRules) => GivenAddress | Refusal;

const NUMBER = /^-?\d+(\.\d+)?$/;
/** Columns of GeoNames. */
const GEONAMES = { count: 12, postcode: 1, place: 2, latitude: 9, longitude: 10 };
const GEONAMES_LAYOUT = {
  postcode: at(GEONAMES.postcode),
  city: at(GEONAMES.place),
  latitude: at(GEONAMES.latitude),
  longitude: at(GEONAMES.longitude),
};
const CODE_POINT_COUNT = 10;
const CODE_POINT = /^[A-Z]{1,2}\d[A-Z\d]? *\d[A-Z]{2}$/;
/** Where the position of a postcode is not known, its columns hold this. */
const NOWHERE = 0;

const READERS = {
  GeoNames: (cells, rules) => readRow(cells, GEONAMES_LAYOUT, rules),
  'Code-Point Open': readCodePoint,
} as const satisfies Readonly<Record<string, ReadRow>>;

/** How the rows of such a file are read; undefined for another one. @param first its first row */
export function headerlessLayout(first: readonly string[]): ReadRow | undefined {
  const form = headerlessForm(first);
  return form && READERS[form];
}

/** Whose form a file has; undefined for another one. @param first its first row */
export function headerlessForm(first: readonly string[]): keyof typeof READERS | undefined {
  const isNumber = (column: number) => NUMBER.test(first[column] ?? '');
  if (first.length === GEONAMES.count && isNumber(GEONAMES.latitude) && isNumber(GEONAMES.longitude)) return 'GeoNames';
  if (first.length === CODE_POINT_COUNT && CODE_POINT.test(first[0]) && isNumber(2) && isNumber(3))
    return 'Code-Point Open';
  return undefined;
}

function at(column: number): { at: number[]; between: string[] } {
  return { at: [column], between: [''] };
}

function readCodePoint([postcode, _quality, easting, northing]: readonly string[]): GivenAddress | Refusal {
  const [east, north] = [Number(easting), Number(northing)];
  if (!(east > NOWHERE && north > NOWHERE)) return { rule: 'position', why: `${postcode} has no position` };
  return { number: '', street: '', city: '', postcode, ...britishPoint(east, north) };
}
