// A place: something on the map that has a name, a number or a category. Countries, towns, roads, houses and shops are
// all places; they differ by rank.

/** The type of OpenStreetMap object that a place comes from. */
export const OSM_NONE = 0;
export const OSM_NODE = 1;
export const OSM_WAY = 2;
export const OSM_RELATION = 3;
export type OsmType = typeof OSM_NONE | typeof OSM_NODE | typeof OSM_WAY | typeof OSM_RELATION;

/** House numbers along a line, of which only the range is known. */
export interface HouseRange {
  /** First number, at the beginning of the line. */
  start: number;
  /** Last number, at its end, above `start` or equal to it. */
  end: number;
  /** 1..9 */
  step: number;
}

/**
 * One place. Absent texts are empty. A place is stored after the places it names, so their ids, of the same layer, are
 * lower than its own.
 */
export interface Place {
  osmType: OsmType;
  /** 0 without OpenStreetMap object. */
  osmId: number;
  /** Main key and its value, as in OpenStreetMap: `highway`, `residential`. */
  category: string;
  type: string;
  /**
   * Search rank, 0..30, smaller for larger places: how important the place is, and how far away a point may be that it
   * answers for.
   */
  searchRank: number;
  /** 0..30: its row in an address; 0 = in none. */
  addressRank: number;
  /** 0..1 */
  importance: number;
  /** Centroid, degrees. */
  latitude: number;
  longitude: number;
  /** Bounding box, degrees. */
  south: number;
  north: number;
  west: number;
  east: number;
  /** By key, `name` first: `name`, `name:de`, `alt_name`, `old_name`, `ref`, `brand` ... */
  names: Readonly<Record<string, string>>;
  /** ISO 3166-1 alpha-2, lower case. */
  countryCode: string;
  /** ISO 3166-2 code, of states and their like. */
  subdivisionCode: string;
  houseNumber: string;
  houseName: string;
  /** The street of its address when no road of the map has that name; empty = the street is its parent. */
  street: string;
  /**
   * The street as its own address spells it, when its parent has another main name: in another language, or a letter
   * apart.
   */
  streetAsWritten: string;
  postcode: string;
  /**
   * The town of its address as people write it, when that is not the largest settlement of its rows: the name of
   * another row, or of none.
   */
  town: string;
  /**
   * What its own address names and nothing else of it: towns and districts that the map does not have, a postcode of
   * another form; separated by `;`.
   */
  alsoWritten: string;
  /** Parts of a town that its own address names and the map does not have, from large to small: 押上, 一丁目. */
  quarter: string;
  neighbourhood: string;
  /** Number of the block of houses, which its house number counts in. */
  cityBlock: string;
  /** Flat, shop or other part of the house with its number, as on the map. */
  unit: string;
  /** Further tags by key, for those who ask for them: `website`, `opening_hours`, `population`. */
  tags: Readonly<Record<string, string>>;
  /** Value of the tag `place` of the node that was linked to this area: `village`, `town`. */
  linkedPlace: string;
  /**
   * An administrative area of the level that divides cities, 9 in most countries, whatever its address rank has become
   * by nesting and linking.
   */
  isDistrict: boolean;
  /** House and address are those of the building around it. */
  isAddressInherited: boolean;
  /** Road, or place, that its house number belongs to; 0 = none. */
  parent: number;
  /**
   * Places of its address above itself and its parent, from small to large, one of each rank. A place with a parent and
   * no rows has those of the parent.
   */
  rows: readonly number[];
  /** Of an interpolation line. */
  houseRange: HouseRange | undefined;
}

/** Most places have no further tags. */
export const NO_TAGS: Readonly<Record<string, string>> = Object.freeze({});

/** The members of a place that has nothing but a position, a category and ranks, which are added to these. */
export const BARE_PLACE = {
  osmType: OSM_NONE,
  osmId: 0,
  importance: 0,
  names: {},
  countryCode: '',
  subdivisionCode: '',
  houseNumber: '',
  houseName: '',
  street: '',
  streetAsWritten: '',
  postcode: '',
  town: '',
  alsoWritten: '',
  quarter: '',
  neighbourhood: '',
  cityBlock: '',
  unit: '',
  tags: NO_TAGS,
  linkedPlace: '',
  isDistrict: false,
  isAddressInherited: false,
  parent: 0,
  rows: [],
  houseRange: undefined,
} as const satisfies Partial<Place>;
