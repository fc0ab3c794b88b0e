// From what is learned about a station to its record in the tables: where it is likely to be observed, and how far around.
//
// The position is the mean of the places weighted by received amplitude, 10^(s/20): on drives past cells its median error is a third under that of the plain mean
// (reference). The radii are medians of the distances of the observations from it, drawn towards what is usual for the kind where there are few. An
// imported record takes part with the certainty of its samples.
//
// No contributor alone can drag a station: the published position stays within half of the 50 % radius of where the contributors place it, each with one vote
// (`middleOf`). What one contributor says never weighs more than what all others say together.

import { STATION_BYTES } from '../../wasm/layout.ts';
import { isCell, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA, KIND_WIFI } from '../radio/kind.ts';
import { LEARNED_BLOCKED, LEARNED_KNOWN, type Learned, type Place, type Site, SLOT_OTHERS, SLOT_TRUSTED } from '../tables/learned.ts';
import { encodeStation, STATE_ACTIVE, STATE_BLOCKED, type Station } from '../tables/station.ts';
import { type Imported, importedOf } from './life_cycle.ts';
import { fitPathLoss } from './path_loss.ts';
import { amplitudeOf, isBacked, meanOf, medianOfVotes, metresBetween, middleOf, type Position, wrapE7 } from './site.ts';

/** Observations that the usual radius counts as, beside those there are. */
const PRIOR_OBSERVATIONS = 2;
/** Samples of an imported record that count at most: it may be old. */
const BASE_SAMPLES_MAX = 50;
/** Part of the 50 % radius by which one contributor can move a station. */
const DRAG_LIMIT = 0.5;
/** 95 % to 50 % radius where observations are too few to tell: a normal distribution's is 2.08, real ones have longer tails. */
const R95_TO_R50 = 2.5;

/** Usual 50 % radius of a kind, metres. */
function usualR50Metres(kind: number): number {
  switch (kind) {
    case KIND_WIFI:
      return 45;
    case KIND_GSM:
      return 400;
    case KIND_WCDMA:
      return 350;
    case KIND_LTE:
    case KIND_NBIOT:
      return 350;
    case KIND_NR:
      return 250;
    default:
      return isCell(kind) ? 600 : 12;
  }
}

/**
 * The station record that follows from what is learned.
 * @returns 24 bytes; undefined while the station does not count
 */
export function publishStation(learned: Learned, kind: number): Uint8Array | undefined {
  const site = learned.sites[learned.main];
  if (learned.state === LEARNED_KNOWN && site === undefined) return learned.base;
  if (learned.state !== LEARNED_KNOWN && learned.state !== LEARNED_BLOCKED) return undefined;
  const places = limitShares(site.places);
  const imported = importedOf(learned);
  const middle = middleOf(places, imported, strengthOf);
  const usualMetres = usualDistance(places, middle, imported);
  const mean = meanOf(places, strengthOf);
  const joined =
    imported === undefined ? mean : joinPositions(mean, radiiOf(places, mean, kind).r50Metres, countFor(site, imported), imported);
  const position = limitDrag(joined, middle, DRAG_LIMIT * usualMetres);
  const radii = radiiOf(places, position, kind);
  const fit = fitPathLoss(places, position);
  const station: Station = {
    latitude: position.latitudeE7 / 1e7,
    longitude: position.longitudeE7 / 1e7,
    r50Metres: Math.max(radii.r50Metres, DRAG_LIMIT * usualMetres),
    r95Metres: radii.r95Metres,
    samples: countOf(places),
    firstSeenDay: dayOf(site.firstSeconds),
    lastSeenDay: dayOf(site.lastSeconds),
    state: learned.state === LEARNED_KNOWN ? STATE_ACTIVE : STATE_BLOCKED,
    referenceDbm: fit?.referenceDbm ?? 0,
    exponent: fit?.exponent ?? 0,
    code: learned.code,
    isLearned: true,
  };
  if (imported !== undefined) joinRest(station, countFor(site, imported), imported);
  const record = new Uint8Array(STATION_BYTES);
  encodeStation(new DataView(record.buffer), 0, station);
  return record;
}

/** Places with their weights; what a contributor who is not trusted has given weighs at most as much as all the rest. */
function limitShares(places: readonly Place[]): Place[] {
  const weights = new Float64Array(SLOT_OTHERS + 1);
  let total = 0;
  for (const { slot, weight } of places) {
    weights[slot] += weight;
    total += weight;
  }
  return places.map(place => {
    const rest = total - weights[place.slot];
    const isTooHeavy = place.slot !== SLOT_TRUSTED && rest > 0 && weights[place.slot] > rest;
    return isTooHeavy ? { ...place, weight: (place.weight * rest) / weights[place.slot] } : place;
  });
}

/** Weight of a place in the position. */
function strengthOf({ weight, levelDbm }: Place): number {
  return weight * amplitudeOf(levelDbm);
}

/** Brings a position to within some metres of the middle. */
function limitDrag(position: Position, middle: Position, limitMetres: number): Position {
  const metres = metresBetween(middle, position);
  return metres <= limitMetres ? position : between(middle, position, limitMetres / metres);
}

function between(from: Position, to: Position, share: number): Position {
  return {
    latitudeE7: Math.round(from.latitudeE7 + share * (to.latitudeE7 - from.latitudeE7)),
    longitudeE7: wrapE7(Math.round(from.longitudeE7 + share * wrapE7(to.longitudeE7 - from.longitudeE7))),
  };
}

/** Distance from the middle at which a contributor observes the station, the median over the contributors of their medians. */
function usualDistance(places: readonly Place[], middle: Position, imported: Imported | undefined): number {
  const medians = Array.from({ length: SLOT_OTHERS + 1 }, (_, slot) => {
    const own = places.filter(place => place.slot === slot);
    return own.length === 0 ? undefined : quantile(awayFrom(middle, own), 0.5);
  });
  return medianOfVotes(medians, imported?.r50Metres);
}

/** Distances that hold half and 95 % of the observations, drawn towards what is usual. */
function radiiOf(places: readonly Place[], position: Position, kind: number): { r50Metres: number; r95Metres: number } {
  const usual = usualR50Metres(kind);
  const away = awayFrom(position, places);
  const n = countOf(places);
  const mix = (measured: number, expected: number): number =>
    Math.sqrt((n * measured * measured + PRIOR_OBSERVATIONS * expected * expected) / (n + PRIOR_OBSERVATIONS));
  return { r50Metres: mix(quantile(away, 0.5), usual), r95Metres: mix(quantile(away, 0.95), usual * R95_TO_R50) };
}

interface Away {
  metres: number;
  weight: number;
}

/** How far places are from a position, nearest first. */
function awayFrom(position: Position, places: readonly Place[]): Away[] {
  return places.map(place => ({ metres: metresBetween(position, place), weight: place.weight })).sort((a, b) => a.metres - b.metres);
}

/** Metres that hold a part of the weight. */
function quantile(sorted: readonly Away[], part: number): number {
  let left = 0;
  for (const { weight } of sorted) left += weight * part;
  for (const { metres, weight } of sorted) {
    left -= weight;
    if (left <= 0) return metres;
  }
  return sorted[sorted.length - 1].metres;
}

function countOf(places: readonly Place[]): number {
  let count = 0;
  for (const place of places) count += place.count;
  return count;
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / 86_400);
}

/** Observations of a site beside an imported record; those of one contributor who is not trusted count no more than it. */
function countFor(site: Site, imported: Imported): number {
  const count = countOf(site.places);
  return isBacked(site) ? count : Math.min(count, samplesOf(imported));
}

function samplesOf({ samples }: Imported): number {
  return Math.min(samples, BASE_SAMPLES_MAX);
}

/** Means weighted by the inverse squares of their errors, r50 / sqrt(samples). */
function joinPositions(own: Position, r50Metres: number, count: number, imported: Imported): Position {
  const ownWeight = count / r50Metres ** 2;
  const importedWeight = samplesOf(imported) / Math.max(imported.r50Metres, 1) ** 2;
  return between(own, imported, importedWeight / (ownWeight + importedWeight));
}

/** What a record tells beside its position, joined with an imported one. */
function joinRest(station: Station, count: number, imported: Imported): void {
  const samples = samplesOf(imported);
  const mix = (own: number, other: number): number => Math.sqrt((count * own * own + samples * other * other) / (count + samples));
  station.r50Metres = mix(station.r50Metres, imported.r50Metres);
  station.r95Metres = mix(station.r95Metres, imported.r95Metres);
  station.samples += imported.samples;
  if (imported.firstSeenDay > 0) station.firstSeenDay = Math.min(station.firstSeenDay, imported.firstSeenDay);
  station.lastSeenDay = Math.max(station.lastSeenDay, imported.lastSeenDay);
}
