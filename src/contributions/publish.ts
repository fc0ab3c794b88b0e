// From what is learned about a station to its record in the tables: where it is likely to be observed, and how far around.
//
// The position is the mean of the places weighted by received amplitude, 10^(s/20), or for access points and beacons by received power, 10^(s/10): on drives past
// cells the median error of the first is a third under that of the plain mean, and the second takes a tenth off the first on walks through a mall. The radii hold half and 95 % of the observations; how far to trust those of few samples is for the strategies to say. An imported
// record takes part with the certainty of its samples.
//
// No contributor alone can drag a station: without one that is not trusted the position would be another, and the published one stays within half of the 50 %
// radius of that one. What one contributor says never weighs more than what all others say together.

import { STATION_BYTES } from '../../wasm/layout.ts';
import { isCell } from '../radio/kind.ts';
import { LEARNED_BLOCKED, LEARNED_KNOWN, type Learned, type Place, SLOT_OTHERS, SLOT_TRUSTED } from '../tables/learned.ts';
import { decodeStation, encodeStation, STATE_ACTIVE, STATE_BLOCKED, type Station } from '../tables/station.ts';
import { agreesWithBase } from './life_cycle.ts';
import { fitPathLoss } from './path_loss.ts';
import { amplitudeOf, metresBetween, middleOf, wrapE7 } from './site.ts';

/** Samples of an imported record that count at most: it may be old. */
const BASE_SAMPLES_MAX = 50;
/** Part of the 50 % radius by which one contributor can move a station. */
const DRAG_LIMIT = 0.5;
/** Least 50 % radius of cells and of other stations, metres: what positions are exact to. The 95 % radius is at least twice as large. */
const CELL_R50_METRES = 10;
const OTHER_R50_METRES = 5;

interface Position {
  latitudeE7: number;
  longitudeE7: number;
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
  const own = limitDrag(places, kind);
  const fit = fitPathLoss(places, own.position);
  const station: Station = {
    latitude: own.position.latitudeE7 / 1e7,
    longitude: own.position.longitudeE7 / 1e7,
    r50Metres: own.r50Metres,
    r95Metres: own.r95Metres,
    samples: countOf(places),
    firstSeenDay: Math.floor(site.firstSeconds / 86_400),
    lastSeenDay: Math.floor(site.lastSeconds / 86_400),
    state: learned.state === LEARNED_KNOWN ? STATE_ACTIVE : STATE_BLOCKED,
    referenceDbm: fit?.referenceDbm ?? 0,
    exponent: fit?.exponent ?? 0,
    code: learned.code,
    isLearned: true,
  };
  if (learned.state === LEARNED_KNOWN && agreesWithBase(learned, kind, site)) joinBase(station, learned.base!);
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

/** Position and radii; where one contributor moves the position too far from where the others have it, as far as is allowed. */
function limitDrag(places: readonly Place[], kind: number): { position: Position; r50Metres: number; r95Metres: number } {
  const position = strongestMean(places, kind);
  let anchor: { position: Position; r50Metres: number; r95Metres: number; excess: number } | undefined;
  for (let slot = SLOT_TRUSTED + 1; slot <= SLOT_OTHERS; slot++) {
    const others = places.filter(place => place.slot !== slot);
    if (others.length === 0 || others.length === places.length) continue;
    const without = strongestMean(others, kind);
    const radii = radiiOf(others, without, kind);
    const excess = metresBetween(without, position) - DRAG_LIMIT * radii.r50Metres;
    if (excess > 0 && excess > (anchor?.excess ?? 0)) anchor = { position: without, ...radii, excess };
  }
  if (anchor === undefined) return { position, ...radiiOf(places, position, kind) };
  const share = (DRAG_LIMIT * anchor.r50Metres) / metresBetween(anchor.position, position);
  const limited = {
    latitudeE7: Math.round(anchor.position.latitudeE7 + share * (position.latitudeE7 - anchor.position.latitudeE7)),
    longitudeE7: wrapE7(Math.round(anchor.position.longitudeE7 + share * wrapE7(position.longitudeE7 - anchor.position.longitudeE7))),
  };
  return { position: limited, r50Metres: anchor.r50Metres * (1 + DRAG_LIMIT), r95Metres: anchor.r95Metres * (1 + DRAG_LIMIT) };
}

/** Mean of the places weighted by amplitude or power. */
function strongestMean(places: readonly Place[], kind: number): Position {
  const power = isCell(kind) ? 1 : 2;
  return middleOf(places.map(place => ({ ...place, weight: place.weight * amplitudeOf(place.levelDbm) ** power })));
}

/** Distances that hold half and 95 % of the observations. */
function radiiOf(places: readonly Place[], position: Position, kind: number): { r50Metres: number; r95Metres: number } {
  const floor = isCell(kind) ? CELL_R50_METRES : OTHER_R50_METRES;
  const away = places.map(place => ({ metres: metresBetween(position, place), weight: place.weight })).sort((a, b) => a.metres - b.metres);
  let total = 0;
  for (const { weight } of away) total += weight;
  return { r50Metres: Math.max(floor, quantile(away, total * 0.5)), r95Metres: Math.max(2 * floor, quantile(away, total * 0.95)) };
}

function quantile(sorted: readonly { metres: number; weight: number }[], weight: number): number {
  let sum = 0;
  for (const { metres, weight: own } of sorted) {
    sum += own;
    if (sum >= weight) return metres;
  }
  return sorted[sorted.length - 1].metres;
}

function countOf(places: readonly Place[]): number {
  let count = 0;
  for (const place of places) count += place.count;
  return count;
}

/** Joins an imported record: means weighted by the inverse squares of their errors, r50 / sqrt(samples). */
function joinBase(station: Station, record: Uint8Array): void {
  const base = decodeStation(new DataView(record.buffer, record.byteOffset, record.byteLength), 0);
  const samples = Math.min(base.samples, BASE_SAMPLES_MAX);
  const ownWeight = station.samples / station.r50Metres ** 2;
  const baseWeight = samples / Math.max(base.r50Metres, 1) ** 2;
  const share = baseWeight / (ownWeight + baseWeight);
  station.latitude += share * (base.latitude - station.latitude);
  station.longitude =
    wrapE7(Math.round((station.longitude + (share * wrapE7((base.longitude - station.longitude) * 1e7)) / 1e7) * 1e7)) / 1e7;
  const mix = (own: number, other: number): number =>
    Math.sqrt((station.samples * own * own + samples * other * other) / (station.samples + samples));
  station.r50Metres = mix(station.r50Metres, base.r50Metres);
  station.r95Metres = mix(station.r95Metres, base.r95Metres);
  station.samples += base.samples;
  if (base.firstSeenDay > 0) station.firstSeenDay = Math.min(station.firstSeenDay, base.firstSeenDay);
  station.lastSeenDay = Math.max(station.lastSeenDay, base.lastSeenDay);
}
