// The layer `place` of a map tile: names of countries, states, towns and their parts, as points. There are as many as
// one can read, the best known first.
//
// Names of the gazetteer stand where the extract has none: where an extract has a place of the same name near by, or
// the same country, that of the gazetteer is left out.

import { isInBox } from '../../geo/box.ts';
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
  RANK_VILLAGE,
} from '../../tables/places/ranks.ts';
import { isInTile, type TilePlane, ZOOM_MAX } from '../tile_plane.ts';
import { rounded, TileLayer } from '../vector_tile.ts';

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
/** Two places of one name are the same if they are no farther apart: about ten kilometres. */
const SAME_UNITS = 1_000_000;

interface Named {
  x: number;
  y: number;
  place: Place;
  rank: number;
  name: string;
}

/** Writes names. */
export function placeLayer(plane: TilePlane, { extract, world }: GeocoderLayers): TileLayer {
  const layer = new TileLayer('place', ROOM_BYTES);
  const own = extract === undefined ? [] : namesIn(plane, extract);
  const far = world === undefined ? [] : namesIn(plane, world);
  const known = own.map(({ place }) => ({ place, names: foldedNames(place) }));
  const isKnown = ({ place }: Named): boolean => {
    const names = foldedNames(place);
    return known.some(each => isSame(each.place, place) && haveCommon(each.names, names));
  };
  const found = [...own, ...far.filter(each => !isKnown(each))].filter(({ x, y }) => isInTile(x, y));
  found.sort((a, b) => b.place.importance - a.place.importance);
  for (const { x, y, place, rank, name } of found.slice(0, NAMES_MAX)) {
    layer.addPoint(x, y, { name, class: addressKey(place), rank, importance: rounded(place.importance) });
  }
  return layer;
}

function isSame(a: Place, b: Place): boolean {
  if (a.searchRank <= RANK_COUNTRY && b.searchRank <= RANK_COUNTRY) return a.countryCode === b.countryCode;
  return (
    Math.abs(a.latitude - b.latitude) * 1e7 <= SAME_UNITS && Math.abs(a.longitude - b.longitude) * 1e7 <= SAME_UNITS
  );
}

/** The places of a layer around a tile that are named at its zoom. */
function namesIn(plane: TilePlane, { spatial, places }: GeocoderLayer): Named[] {
  const { nodes, regions } = spatial;
  const found: Named[] = [];
  const add = (id: number, rank: number, x: number, y: number): void => {
    const place = readPlace(places, id);
    const name = nameIn(place.names, []);
    if (name !== '') found.push({ x: Math.round(plane.x(x)), y: Math.round(plane.y(y)), place, rank, name });
  };
  if (isNamed(RANK_COUNTRY, plane.zoom))
    spatial.forEachCountry((id, x, y) => isInBox(plane.box, x, y) && add(id, RANK_COUNTRY, x, y));
  nodes.forEachIn(plane.box, item => {
    const rank = rankOf(nodes.traits(item));
    if (isNamed(rank, plane.zoom)) add(nodes.id(item), rank, nodes.x(item), nodes.y(item));
  });
  spatial.regionAreas.forEachIn(plane.box, shape => {
    const rank = rankOf(regions.traits(shape));
    const [x, y] = [regions.x(shape), regions.y(shape)];
    if (rank > RANK_COUNTRY && isNamed(rank, plane.zoom) && isInBox(plane.box, x, y))
      add(regions.id(shape), rank, x, y);
  });
  return found;
}

function isNamed(rank: number, zoom: number): boolean {
  const [, from, to] = ZOOMS_BY_RANK.find(([most]) => rank <= most) ?? [0, 1, 0];
  return zoom >= from && zoom <= to;
}
