// From a point to the place of one layer that answers for it, and the countries that decide whether it does.

import { countryOfRows } from './found_place.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import { readPlace } from './index/place_reader.ts';
import type { PointHit, PointQuestion } from './reverse/hit.ts';
import type { PointRecord } from './reverse/point_record.ts';
import { reverse } from './reverse/reverse.ts';
import { reverseWorld } from './reverse/world.ts';

/** The finest zoom above houses and roads. */
const ZOOM_REGION = 15;

/** A place of a layer found for a point. */
export interface Located {
  layer: GeocoderLayer;
  hit: PointHit;
  searchRank: number;
  /** Country of its address rows, lower case; empty if unknown. */
  rowsCountry: string;
  /** Country of the point, lower case; empty if unknown. */
  countryCode: string;
}

/**
 * The nearest place may be in another country. Then the region that contains the point decides: if it is in that
 * country too, the borders of the world were inexact; otherwise the region is the answer.
 */
export function locateInExtract(
  layer: GeocoderLayer,
  question: PointQuestion,
  record: PointRecord | undefined,
): Located | undefined {
  const nearest = located(layer, reverse(layer.spatial, layer.places, question), question.countryCode);
  if (nearest === undefined || nearest.rowsCountry === nearest.countryCode || nearest.rowsCountry === '')
    return nearest;
  const zoom = Math.min(question.zoom, ZOOM_REGION);
  const region = located(layer, reverse(layer.spatial, layer.places, { ...question, zoom }), question.countryCode);
  const countryCode = region?.rowsCountry || question.countryCode;
  if (nearest.rowsCountry === countryCode) return { ...nearest, countryCode };
  record?.note('abroad');
  return region && { ...region, countryCode };
}

/** The place of the gazetteer that answers for a point. */
export function locateInWorld(layer: GeocoderLayer, question: PointQuestion): Located | undefined {
  return located(layer, reverseWorld(layer.spatial, layer.places, question), question.countryCode);
}

/** @param countryCode of the point; if empty, that of the place is taken */
function located(layer: GeocoderLayer, hit: PointHit | undefined, countryCode: string): Located | undefined {
  if (hit === undefined) return undefined;
  const place = readPlace(layer.places, hit.id);
  const rowsCountry = countryOfRows(place, layer.places);
  return { layer, hit, searchRank: place.searchRank, rowsCountry, countryCode: countryCode || rowsCountry };
}
