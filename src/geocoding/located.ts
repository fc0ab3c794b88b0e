// From a point to the place of one layer that answers for it, and the countries that decide whether it does.
//
// The houses that answered last are kept, with their addresses and towns as text. Devices are at the same houses again
// and again, and all that an answer says of a house follows from what was found and the country of the point.

import { countryOfRows } from './found_place.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import { readPlace } from './index/place_reader.ts';
import type { PointHit, PointQuestion } from './reverse/hit.ts';
import type { PointRecord } from './reverse/point_record.ts';
import { reverse } from './reverse/reverse.ts';
import { reverseWorld } from './reverse/world.ts';

/** The finest zoom above houses and roads. */
const ZOOM_REGION = 15;
/** Answers that are kept at least. Each takes some 400 bytes in every thread. */
const KEPT_MIN = 8_192;

/** A place of a layer found for a point. */
export interface Located {
  layer: GeocoderLayer;
  hit: PointHit;
  searchRank: number;
  /** Country of its address rows, lower case; empty if unknown. */
  rowsCountry: string;
  /** Country of the point, lower case; empty if unknown. */
  countryCode: string;
  /** Its address as JSON, in the languages in which it was asked for last, separated by commas. */
  written?: { languages: string; text: string };
  /** Its town as JSON, where it was asked for. */
  geoname?: string;
}

/**
 * The nearest place may be in another country. Then the region that contains the point decides: if it is in that
 * country too, the borders of the world were inexact; otherwise the region is the answer.
 * @param kept what this layer has answered before, where borders decided nothing
 */
export function locateInExtract(
  layer: GeocoderLayer,
  question: PointQuestion,
  kept: KeptLocated,
  record: PointRecord | undefined,
): Located | undefined {
  const hit = reverse(layer.spatial, layer.places, question);
  const known = hit && kept.find(hit, question.countryCode);
  if (known !== undefined) return known;
  const nearest = located(layer, hit, question.countryCode);
  if (nearest === undefined) return undefined;
  if (nearest.rowsCountry === nearest.countryCode || nearest.rowsCountry === '') {
    kept.put(nearest);
    return nearest;
  }
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

/** What answered last: at least so many, and at most twice as many. */
export class KeptLocated {
  private recent = new Map<number, Located>();
  private before = new Map<number, Located>();

  /** What was found before for the same hit. @param countryCode of the point */
  find(hit: PointHit, countryCode: string): Located | undefined {
    const recent = this.recent.get(hit.id);
    const kept = recent ?? this.before.get(hit.id);
    if (kept === undefined || kept.countryCode !== countryCode || !isSame(kept.hit, hit)) return undefined;
    if (recent === undefined) this.put(kept);
    return kept;
  }

  put(located: Located): void {
    if (this.recent.size >= KEPT_MIN) {
      this.before = this.recent;
      this.recent = new Map();
    }
    this.recent.set(located.hit.id, located);
  }

  /** Forgets all, because layers have changed. */
  clear(): void {
    this.recent.clear();
    this.before.clear();
  }
}

function isSame(a: PointHit, b: PointHit): boolean {
  return (
    a.id === b.id &&
    a.latitude === b.latitude &&
    a.longitude === b.longitude &&
    a.region === b.region &&
    a.houseNumber === b.houseNumber &&
    a.rule === b.rule
  );
}
