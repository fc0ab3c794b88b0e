// The answers of both layers to one question in words, as one list without repetitions.
//
// The extract knows better what it has: a place of the gazetteer is left out where the extract has the whole country around it, and where the extract answers with
// a place of that name nearby. The gazetteer knows better how well-known a place is, because it knows how many people live there: that holds for what both have.

import { distanceMetres } from '../geo/distance.ts';
import type { Place } from '../tables/places/place.ts';
import { RANK_AREA_MAX, RANK_COUNTRY, RANK_COUNTY } from '../tables/places/ranks.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import { readPlace } from './index/place_reader.ts';
import { countryBits } from './index/traits.ts';
import type { SearchHit } from './search/hits.ts';

/** An answer, and the layer that it is from. */
interface LayerHit {
  layer: GeocoderLayer;
  hit: SearchHit;
}

/** What one layer answers. */
interface LayerAnswer {
  layer: GeocoderLayer;
  hits: readonly SearchHit[];
}

/** So far from each other two layers may place one town. */
const SAME_TOWN_METRES = 10_000;
/** A result that is so much worse than the best one is none. */
const BEHIND_MAX = 0.5;

/**
 * Both answers as one.
 * @returns best first, at most `limit`
 */
export function mergeHits(extract: LayerAnswer | undefined, world: LayerAnswer | undefined, limit: number): LayerHit[] {
  const merged = extract === undefined ? [] : hitsOf(extract);
  if (world !== undefined) merged.push(...hitsOf(extract === undefined ? world : taken(world, merged, extract.layer)));
  // The sort is stable: of two equal ones that of the extract comes first.
  merged.sort((a, b) => a.hit.penalty - b.hit.penalty);
  return merged.filter(({ hit }) => hit.penalty <= merged[0].hit.penalty + BEHIND_MAX).slice(0, limit);
}

function hitsOf({ layer, hits }: LayerAnswer): LayerHit[] {
  return hits.map(hit => ({ layer, hit }));
}

/** What the gazetteer adds to the extract's answers. Those that it has too stand as far up as the gazetteer has them. */
function taken({ layer, hits }: LayerAnswer, answers: LayerHit[], extract: GeocoderLayer): LayerAnswer {
  const regions = answers.map(({ hit }) => readPlace(extract.places, hit.id));
  const isNew = (hit: SearchHit): boolean => {
    const place = readPlace(layer.places, hit.id);
    const same = regions.findIndex(each => isSame(place, each));
    if (same < 0) return !isCovered(place, extract);
    const answer = answers[same];
    answers[same] = { layer: answer.layer, hit: { ...answer.hit, penalty: Math.min(answer.hit.penalty, hit.penalty) } };
    return false;
  };
  return { layer, hits: hits.filter(isNew) };
}

/** Whether the extract has the country that a place lies in, or is. */
function isCovered({ countryCode, searchRank, latitude, longitude }: Place, { spatial }: GeocoderLayer): boolean {
  if (searchRank === RANK_COUNTRY) return spatial.country(countryBits(countryCode)) !== undefined;
  return spatial.countryAround(latitude, longitude) !== undefined;
}

/** Whether two layers speak of one place. */
function isSame(a: Place, b: Place): boolean {
  // The gazetteer has nothing finer than an area.
  if (b.searchRank > RANK_AREA_MAX || a.countryCode !== b.countryCode || !shareName(a, b)) return false;
  // States and the like are so large that two layers place one anywhere in its country.
  if (a.searchRank <= RANK_COUNTY) return b.searchRank <= RANK_COUNTY;
  return b.searchRank > RANK_COUNTY && distanceMetres(a.latitude, a.longitude, b.latitude, b.longitude) <= SAME_TOWN_METRES;
}

function shareName(a: Place, b: Place): boolean {
  const names = new Set(Object.values(b.names).map(folded));
  return Object.values(a.names).some(name => names.has(folded(name)));
}

/** Without marks, in lower case. */
function folded(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
