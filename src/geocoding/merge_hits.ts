// Merges the search results of both layers into one list without duplicates.
//
// The extract knows its own area better: a place of the gazetteer is dropped if the extract has the whole country
// around it, or a result with that name nearby. The gazetteer knows better how well-known a place is, because it has
// populations: a place in both gets the better penalty.
//
// Whoever loads an extract asks about what is in it: its places come before namesakes of the gazetteer, unless these
// are large cities. A village of the gazetteer far away comes after all of them: hardly anybody means it.

import { distanceMetres } from '../geo/distance.ts';
import type { Place } from '../tables/places/place.ts';
import { RANK_AREA_MAX, RANK_COUNTRY, RANK_COUNTY, RANK_VILLAGE } from '../tables/places/ranks.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import { foldedNames, haveCommon } from './index/names.ts';
import { readPlace } from './index/place_reader.ts';
import { countryBits } from './index/traits.ts';
import type { SearchHit } from './search/hits.ts';
import { noteOutcome } from './search/match_record.ts';
import { BEHIND_MAX, EXTRACT_BONUS } from './search/rank.ts';

interface LayerHit {
  layer: GeocoderLayer;
  hit: SearchHit;
}

/** The hits of one layer. */
interface LayerAnswer {
  layer: GeocoderLayer;
  hits: readonly SearchHit[];
}

/** A village farther than this from the best answer of the extract is one of which its users do not think. */
const FAR_METRES = 500_000;
/** By this penalty such a village comes after an answer of the extract. */
const AFTER = 1e-6;
/** How far apart two layers may locate the same town. */
const SAME_TOWN_METRES = 10_000;

/**
 * Merges the hits of both layers.
 * @param hasView the question says where answers are wanted
 * @returns best first, at most `limit`
 */
export function mergeHits(
  extract: LayerAnswer | undefined,
  world: LayerAnswer | undefined,
  limit: number,
  hasView = false,
): LayerHit[] {
  const merged = extract === undefined ? [] : hitsOf(extract);
  if (world !== undefined) {
    const villages = new Set<SearchHit>();
    const beyond = hitsOf(extract === undefined ? world : worldHitsBeyond(world, merged, extract.layer, villages));
    merged.push(...(hasView || merged.length === 0 ? beyond : farVillagesLast(beyond, merged, villages)));
  }
  // The sort is stable: of two equal hits the extract's comes first.
  merged.sort((a, b) => a.hit.penalty - b.hit.penalty);
  const near = merged.filter(({ hit }) => {
    const isBehind = hit.penalty > merged[0].hit.penalty + BEHIND_MAX;
    if (isBehind) noteOutcome(hit.record, 'behind');
    return !isBehind;
  });
  for (const { hit } of near.slice(limit)) noteOutcome(hit.record, 'limit');
  return near.slice(0, limit);
}

function hitsOf({ layer, hits }: LayerAnswer): LayerHit[] {
  return hits.map(hit => ({ layer, hit: layer.isWorld ? hit : withExtractBonus(hit) }));
}

function withExtractBonus(hit: SearchHit): SearchHit {
  const penalty = hit.penalty - EXTRACT_BONUS;
  const { record } = hit;
  if (record !== undefined) Object.assign(record, { penalty, terms: { ...record.terms, extract: -EXTRACT_BONUS } });
  return { ...hit, penalty };
}

/** The gazetteer's hits, of which far villages come after those of the extract. @param own those of the extract */
function farVillagesLast(
  hits: readonly LayerHit[],
  own: readonly LayerHit[],
  villages: ReadonlySet<SearchHit>,
): readonly LayerHit[] {
  if (villages.size === 0) return hits;
  const nearest = own.reduce((a, b) => (b.hit.penalty < a.hit.penalty ? b : a)).hit;
  const last = Math.max(...own.map(({ hit }) => hit.penalty)) + AFTER;
  return hits.map(({ layer, hit }) => {
    const { latitude, longitude, record } = hit;
    if (!villages.has(hit) || hit.penalty >= last) return { layer, hit };
    const isFar = distanceMetres(latitude, longitude, nearest.latitude, nearest.longitude) > FAR_METRES;
    if (!isFar) return { layer, hit };
    if (record !== undefined)
      Object.assign(record, { penalty: last, terms: { ...record.terms, extract: last - hit.penalty } });
    return { layer, hit: { ...hit, penalty: last } };
  });
}

/**
 * What the gazetteer adds to the extract's hits. Hits that both have get the better penalty. @param villages filled
 * with those that are no town and no larger
 */
function worldHitsBeyond(
  { layer, hits }: LayerAnswer,
  answers: LayerHit[],
  extract: GeocoderLayer,
  villages: Set<SearchHit>,
): LayerAnswer {
  const regions = answers.map(({ hit }) => readPlace(extract.places, hit.id));
  const names: ReadonlySet<string>[] = [];
  const isNew = (hit: SearchHit): boolean => {
    const place = readPlace(layer.places, hit.id);
    if (place.searchRank >= RANK_VILLAGE) villages.add(hit);
    let own: ReadonlySet<string> | undefined;
    const same = regions.findIndex((each, i) => {
      if (!isNear(place, each)) return false;
      own ??= foldedNames(place);
      names[i] ??= foldedNames(each);
      return haveCommon(own, names[i]);
    });
    if (same < 0) {
      const isDropped = isCovered(place, extract);
      if (isDropped) noteOutcome(hit.record, 'inExtract');
      return !isDropped;
    }
    answers[same] = withBetterPenalty(answers[same], withExtractBonus(hit));
    noteOutcome(hit.record, 'samePlaceInExtract');
    return false;
  };
  return { layer, hits: hits.filter(isNew) };
}

/** An answer of the extract, with the penalty of the same place of the gazetteer if that is better. */
function withBetterPenalty({ layer, hit }: LayerHit, other: SearchHit): LayerHit {
  if (other.penalty >= hit.penalty) return { layer, hit };
  const { penalty } = other;
  if (hit.record !== undefined)
    Object.assign(hit.record, { penalty, terms: other.record?.terms, isRankOfGazetteer: true });
  return { layer, hit: { ...hit, penalty } };
}

/** True if the extract has the country that a place is in or is. */
function isCovered({ countryCode, searchRank, latitude, longitude }: Place, { spatial }: GeocoderLayer): boolean {
  if (searchRank === RANK_COUNTRY) return spatial.country(countryBits(countryCode)) !== undefined;
  return spatial.countryAround(latitude, longitude) !== undefined;
}

/** True if places of two layers with a name in common are the same. */
function isNear(a: Place, b: Place): boolean {
  // The gazetteer has nothing finer than an area.
  if (b.searchRank > RANK_AREA_MAX || a.countryCode !== b.countryCode) return false;
  // States and the like are so large that two layers place one anywhere in its country.
  if (a.searchRank <= RANK_COUNTY) return b.searchRank <= RANK_COUNTY;
  return (
    b.searchRank > RANK_COUNTY && distanceMetres(a.latitude, a.longitude, b.latitude, b.longitude) <= SAME_TOWN_METRES
  );
}
