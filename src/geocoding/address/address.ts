// From a place to the rows of its address, small to large: its own name, house number, road, then the places around
// them.
//
// Each key occurs once, and the smaller place gets it. A village inside a municipality of the same type is a part of it
// and is named as such: its key becomes that of its rank. Where people write the village as their town, it is the town,
// and what is around it the municipality. So is a district around a town that has no settlement of its own. A district
// that is also a village is the district of the town around it. Unknown rows are left out. The postcode
// comes before the country, the country code last.

import { OSM_NODE, type Place } from '../../tables/places/place.ts';
import { RANK_AREA_MAX, RANK_CITY, RANK_COUNTRY, RANK_VILLAGE } from '../../tables/places/ranks.ts';
import { nameIn } from '../index/names.ts';
import { type PlaceReader, readPlace } from '../index/place_reader.ts';
import { addressKey, DISTRICT_KEY, keyOfRank, SETTLEMENT_KEYS, TOWN_KEY } from './address_key.ts';

/** One row of an address: `house_number`, `road`, `village`, `county`, `postcode`, `country`, `country_code` ... */
export interface AddressRow {
  /** As OpenStreetMap's geocoder names it; for the place itself its class, such as `amenity`. */
  key: string;
  value: string;
}

/** The country of an answer, decided by borders. */
export interface Country {
  /** ISO 3166-1 alpha-2, lower case. */
  code: string;
  /** In the language of the answer. */
  name: string;
}

/** What the rows of an address depend on besides the place. */
export interface AddressContext {
  /** Preferred languages of names, best first. */
  languages: readonly string[];
  /** Number of an interpolated house; empty = the place's own. */
  houseNumber: string;
  /** Overrides the place's own country; undefined = keep it. */
  country: Country | undefined;
  /**
   * The town by another layer, asked for a house or road whose rows have none, or only the label of a village, without
   * a border.
   */
  otherTown?: (label: Place | undefined) => string | undefined;
}

const RANKS_PER_LEVEL = 2;
/** What a settlement is called whose part is the town. */
const LARGER_TOWN_KEY = 'municipality';
/** What a district is called whose own key a smaller one has. */
const LARGER_DISTRICT_KEY = 'borough';

/** A settlement that may turn out to be part of a larger one. */
interface Part {
  row: AddressRow;
  rank: number;
  isDistrict: boolean;
}

/** The rows of a place's address, small to large. */
export function addressRows(place: Place, places: PlaceReader, context: AddressContext): AddressRow[] {
  const { languages, country } = context;
  const rows: AddressRow[] = [];
  let countryName = country?.name ?? '';
  const { town } = place;
  /** Where the town belongs among the rows: before the first that is as large. */
  let townAt = -1;
  let hasTown = town === '';
  let part: Part | undefined;
  /** The largest village or hamlet that has no border. */
  let label: Place | undefined;
  let hasLarger = false;
  const addArea = (area: Place) => {
    const name = nameIn(area.names, languages);
    const areaKey = addressKey(area);
    if (SETTLEMENT_KEYS.has(areaKey)) {
      if (isVillageLabel(area)) label = area;
      else hasLarger = true;
    }
    if (townAt < 0 && area.addressRank > 0 && area.addressRank <= RANK_CITY) townAt = rows.length;
    const isTown = !hasTown && area.names.name === town && area.addressRank <= RANK_AREA_MAX;
    if (!hasTown && !isTown && townAt >= 0) addRow(rows, TOWN_KEY, town);
    hasTown ||= isTown || townAt >= 0;
    if (!isTown && town !== '' && hasTown && SETTLEMENT_KEYS.has(areaKey)) {
      // The town is a part of this one if that has a border, otherwise only near it.
      if (area.category === 'boundary') addRow(rows, LARGER_TOWN_KEY, name);
      return;
    }
    const key = isTown && !SETTLEMENT_KEYS.has(areaKey) ? TOWN_KEY : hasOwnTown(rows, area) ? LARGER_TOWN_KEY : areaKey;
    if (part !== undefined && name !== part.row.value && isPartOf(part, area, key)) {
      renameRow(rows, part.row, part.isDistrict ? DISTRICT_KEY : keyOfRank(part.rank));
      part = undefined;
    }
    const { category, addressRank: rank, isDistrict } = area;
    if (rank === RANK_COUNTRY) countryName ||= name;
    else if (addRow(rows, key, name)) {
      if (category === 'place' || (isDistrict && key !== DISTRICT_KEY))
        part = { row: rows[rows.length - 1], rank, isDistrict };
    } else if (key === DISTRICT_KEY) addRow(rows, LARGER_DISTRICT_KEY, name);
    if (area.subdivisionCode !== '')
      addRow(rows, `ISO3166-2-lvl${area.addressRank / RANKS_PER_LEVEL}`, area.subdivisionCode);
  };
  addArea(place);
  if (place.houseName !== rows[0]?.value) addRow(rows, 'house_name', place.houseName);
  addRow(rows, 'house_number', context.houseNumber || place.houseNumber);
  addRow(rows, 'road', place.street || (languages.length === 0 ? place.streetAsWritten : ''));
  addRow(rows, 'city_block', place.cityBlock);
  addRow(rows, 'neighbourhood', place.neighbourhood);
  addRow(rows, 'quarter', place.quarter);
  const parent = place.parent === 0 ? undefined : readPlace(places, place.parent);
  if (parent !== undefined) addArea(parent);
  for (const id of place.rows.length === 0 && parent !== undefined ? parent.rows : place.rows)
    addArea(readPlace(places, id));
  if (!hasTown) addRow(rows, TOWN_KEY, town);
  else if (place.searchRank > RANK_VILLAGE && town === '' && !hasLarger) {
    const value = context.otherTown?.(label);
    const labelName = label && nameIn(label.names, languages);
    const at = label === undefined ? townAt : rows.findIndex(row => row.value === labelName) + 1;
    if (value !== undefined) rows.splice(at < 0 ? rows.length : at, 0, { key: TOWN_KEY, value });
  }
  addRow(rows, 'postcode', place.postcode);
  addRow(rows, 'country', countryName);
  addRow(rows, 'country_code', country?.code ?? place.countryCode);
  return rows;
}

/** True for a district of the level of towns that is no town itself, around a town: Babergh around Sudbury. */
function hasOwnTown(rows: readonly AddressRow[], { category, linkedPlace, addressRank }: Place): boolean {
  return (
    category === 'boundary' &&
    linkedPlace === '' &&
    addressRank === RANK_CITY &&
    rows.some(({ key }) => key === TOWN_KEY || key === 'city')
  );
}

function isVillageLabel({ category, osmType, searchRank }: Place): boolean {
  return category === 'place' && osmType === OSM_NODE && searchRank >= RANK_VILLAGE;
}

/** True if a larger area makes a settlement a part of it. @param key of the area */
function isPartOf({ row, isDistrict }: Part, { category }: Place, key: string): boolean {
  return isDistrict ? SETTLEMENT_KEYS.has(key) : category === 'boundary' && key === row.key;
}

/** Gives a row another key, or drops it if a smaller place has that one. */
function renameRow(rows: AddressRow[], row: AddressRow, key: string): void {
  if (rows.some(other => other.key === key)) rows.splice(rows.indexOf(row), 1);
  else row.key = key;
}

/** @returns false if the value is empty or the key is taken */
function addRow(rows: AddressRow[], key: string, value: string): boolean {
  if (value === '') return false;
  for (const row of rows) if (row.key === key) return false;
  rows.push({ key, value });
  return true;
}
