// The layer `place` of a map tile: names of countries, states, towns and their parts, as points. There are as many as
// one can read, the best known first.
//
// Names of the gazetteer stand where the extract has none: where an extract has a place of the same name near by, or
// the same country, that of the gazetteer is left out. It still says how well known the place is, by its inhabitants:
// the importance of a place of an extract follows from its kind alone, and would put it behind every town of the
// gazetteer. A municipality is as large as the settlement that it is named after.

import { type Box, isInBox } from '../../geo/box.ts';
import { addressKey } from '../../geocoding/address/address_key.ts';
import type { GeocoderLayer, GeocoderLayers } from '../../geocoding/geocoder_layer.ts';
import { foldedNames, haveCommon, nameIn } from '../../geocoding/index/names.ts';
import { readPlace } from '../../geocoding/index/place_reader.ts';
import { rankOf } from '../../geocoding/index/traits.ts';
import type { Place } from '../../tables/places/place.ts';
import {
  RANK_AREA_MAX,
  RANK_CITY,
  RANK_COUNTRY,
  RANK_STATE,
  RANK_TOWN,
  RANK_UNSIZED_VILLAGE,
  RANK_VILLAGE,
} from '../../tables/places/ranks.ts';
import { isInTile, type TilePlane, ZOOM_MAX } from '../tile_plane.ts';
import { rounded, TileLayer } from '../vector_tile.ts';
import { worldMap } from './land.ts';

const ROOM_BYTES = 60_000;
/** A tile shows no more of them at once. */
const NAMES_MAX = 200;
/** At which zooms places up to a search rank are named: those of large areas end where one no longer sees the area. */
const ZOOMS_BY_RANK: readonly (readonly [rank: number, from: number, to: number])[] = [
  [RANK_COUNTRY, 0, 6],
  [RANK_STATE, 4, 9],
  [RANK_CITY - 1, 8, 11],
  [RANK_CITY, 2, ZOOM_MAX],
  [RANK_TOWN, 7, ZOOM_MAX],
  [RANK_VILLAGE, 9, ZOOM_MAX],
  [RANK_AREA_MAX, 11, ZOOM_MAX],
];
/** Search ranks of settlements by their key. */
const SETTLEMENT_RANKS: Readonly<Record<string, number>> = {
  town: RANK_TOWN,
  village: RANK_VILLAGE,
  hamlet: RANK_UNSIZED_VILLAGE,
};
/** What importance loses by a rank, as that of places in extracts does. */
const IMPORTANCE_OF_RANK = 1 / 75;
/** What is added to the importance of countries on a map of the world, where they come first. */
const COUNTRY_IMPORTANCE = 0.4;
const COUNTRY_ZOOM_MAX = 3;
/** Nearer by, capitals come first: the name of a country has room beside. */
const CAPITAL_IMPORTANCE = 0.35;
/** Settlements come before the states around them. */
const STATE_IMPORTANCE = -0.2;
/** Two places of one name are the same if they are no farther apart: about ten kilometres. */
const SAME_UNITS = 1_000_000;

interface Named {
  x: number;
  y: number;
  place: Place;
  key: string;
  rank: number;
  name: string;
  /** What comes first has the larger one. */
  importance: number;
}

/** Writes names. */
export function placeLayer(plane: TilePlane, { extract, world }: GeocoderLayers): TileLayer {
  const layer = new TileLayer('place', ROOM_BYTES);
  const far = world === undefined ? [] : namesIn(plane, world, plane.box);
  // That of a town of the gazetteer may be in the next tile.
  const own = extract === undefined ? [] : namesIn(plane, extract, far.length === 0 ? plane.box : grown(plane.box));
  const known = own.map(named => ({ named, names: foldedNames(named.place) }));
  const others = far.filter(each => {
    const names = foldedNames(each.place);
    const same = known.filter(({ named, names: own }) => isSame(named.place, each.place) && haveCommon(own, names));
    for (const { named } of same) {
      named.importance = Math.max(named.importance, each.importance);
      named.rank = Math.min(named.rank, each.rank);
    }
    return same.length === 0;
  });
  const found = [...own, ...others].filter(({ x, y }) => isInTile(x, y));
  found.sort((a, b) => b.importance - a.importance);
  for (const { x, y, key, rank, name, importance } of found.slice(0, NAMES_MAX))
    layer.addPoint(x, y, { name, class: key, rank, importance: rounded(Math.min(1, importance)) });
  return layer;
}

/** A box with all around it in which a place may be the same. */
function grown({ west, south, east, north }: Box): Box {
  return {
    west: west - SAME_UNITS,
    south: south - SAME_UNITS,
    east: east + SAME_UNITS,
    north: north + SAME_UNITS,
  };
}

function isSame(a: Place, b: Place): boolean {
  if (a.searchRank <= RANK_COUNTRY && b.searchRank <= RANK_COUNTRY) return a.countryCode === b.countryCode;
  return (
    Math.abs(a.latitude - b.latitude) * 1e7 <= SAME_UNITS && Math.abs(a.longitude - b.longitude) * 1e7 <= SAME_UNITS
  );
}

/** The places of a layer in a box around a tile that are named at its zoom. */
function namesIn(plane: TilePlane, { spatial, places }: GeocoderLayer, box: Box): Named[] {
  const { nodes, regions } = spatial;
  const found: Named[] = [];
  const add = (place: Place, kept: number, x: number, y: number): void => {
    const name = nameIn(place.names, []);
    const key = addressKey(place);
    const isCapital = place.tags.capital === 'yes';
    const rank = isCapital ? RANK_CITY : Math.max(kept, SETTLEMENT_RANKS[key] ?? 0);
    if (name === '' || !isNamed(rank, plane.zoom)) return;
    const smaller = Math.max(0, rank - kept) * IMPORTANCE_OF_RANK;
    const importance = place.importance - smaller + moreFor(rank, isCapital, plane.zoom);
    found.push({ x: Math.round(plane.x(x)), y: Math.round(plane.y(y)), place, key, rank, name, importance });
  };
  if (isNamed(RANK_COUNTRY, plane.zoom))
    spatial.forEachCountry((id, x, y) => {
      const place = readPlace(places, id);
      const middle = worldMap().middles.get(place.countryCode.toUpperCase()) ?? { x, y };
      if (isInBox(box, middle.x, middle.y)) add(place, RANK_COUNTRY, middle.x, middle.y);
    });
  nodes.forEachIn(box, item => {
    const rank = rankOf(nodes.traits(item));
    if (isNamed(rank, plane.zoom)) add(readPlace(places, nodes.id(item)), rank, nodes.x(item), nodes.y(item));
  });
  spatial.regionAreas.forEachIn(box, shape => {
    const rank = rankOf(regions.traits(shape));
    const [x, y] = [regions.x(shape), regions.y(shape)];
    if (rank > RANK_COUNTRY && isNamed(rank, plane.zoom) && isInBox(box, x, y))
      add(readPlace(places, regions.id(shape)), rank, x, y);
  });
  return found;
}

/** What the zoom and the kind of a place add to its importance. */
function moreFor(rank: number, isCapital: boolean, zoom: number): number {
  if (rank <= RANK_COUNTRY) return zoom <= COUNTRY_ZOOM_MAX ? COUNTRY_IMPORTANCE : 0;
  if (isCapital) return CAPITAL_IMPORTANCE;
  return rank < RANK_CITY ? STATE_IMPORTANCE : 0;
}

function isNamed(rank: number, zoom: number): boolean {
  const [, from, to] = ZOOMS_BY_RANK.find(([most]) => rank <= most) ?? [0, 1, 0];
  return zoom >= from && zoom <= to;
}
