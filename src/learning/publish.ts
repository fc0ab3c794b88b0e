// Publishes a station: turns what is learned about it into its record in the tables, which says where the station is likely to be observed.
//
// The position is the mean of the reference points, weighted by received amplitude, 10^(s/20), for cells and by received power, 10^(s/10), for access points
// and beacons. On drives past cells amplitude has a third less median error than the plain mean; on walks through a mall power has a tenth less than amplitude.
// The radii hold half and 95 % of the observations; the strategies decide how far to trust radii of few samples. An imported record takes part with the
// certainty of its samples.
//
// No contributor alone can drag a station. The published position stays within half of the 50 % radius of the middle, where each contributor has one vote
// (`middleOf`), and no contributor weighs more than all others together.

import { wrapE7 } from '../geo/angle.ts';
import { isCell } from '../radio/kind.ts';
import {
  type Candidate,
  LEARNED_BLOCKED,
  LEARNED_KNOWN,
  type Learned,
  type ReferencePoint,
  SLOT_OTHERS,
  SLOT_TRUSTED,
} from '../tables/stations/learned.ts';
import { STATION_BYTES } from '../tables/stations/record_layout.ts';
import { encodeStation, STATE_ACTIVE, STATE_BLOCKED, type Station } from '../tables/stations/station.ts';
import { amplitudeOf, isBacked, meanOf, metresBetween, metresFrom, middleOf, type Position, Votes } from './candidate.ts';
import { type Imported, importedOf } from './life_cycle.ts';
import { fitPathLoss } from './path_loss.ts';

/** Most samples of an imported record that count: it may be old. */
const BASE_SAMPLES_MAX = 50;
/** Share of the 50 % radius by which one contributor can move a station. */
const DRAG_LIMIT = 0.5;
/** Least 50 % radius of cells and of other stations, metres: the accuracy of a good fix. The 95 % radius is at least twice as large. */
const CELL_R50_METRES = 10;
const OTHER_R50_METRES = 5;
/** Above the number of points of any candidate. */
const INDEX_LIMIT = 128;

/**
 * The station record that follows from what is learned.
 * @returns 24 bytes; undefined while the station does not count
 */
export function publishStation(learned: Learned, kind: number): Uint8Array | undefined {
  const candidate = learned.candidates[learned.main];
  if (learned.state === LEARNED_KNOWN && candidate === undefined) return learned.base;
  if (learned.state !== LEARNED_KNOWN && learned.state !== LEARNED_BLOCKED) return undefined;
  const { points } = candidate;
  const weights = limitShares(points);
  const strengths = strengthsOf(points, weights, kind);
  const imported = importedOf(learned);
  const middle = middleOf(points, imported, strengths);
  const usualMetres = usualDistance(points, weights, middle, imported);
  const mean = meanOf(points, strengths);
  const joined =
    imported === undefined
      ? mean
      : joinPositions(mean, radiiOf(points, weights, mean, kind).r50Metres, countFor(candidate, imported), imported);
  const position = limitDrag(joined, middle, DRAG_LIMIT * usualMetres);
  const radii = radiiOf(points, weights, position, kind);
  // The level of a sector cell says little about distance.
  const fit = isCell(kind) ? undefined : fitPathLoss(points, position);
  const station: Station = {
    latitude: position.latitudeE7 / 1e7,
    longitude: position.longitudeE7 / 1e7,
    r50Metres: Math.max(radii.r50Metres, DRAG_LIMIT * usualMetres),
    r95Metres: radii.r95Metres,
    samples: countOf(points),
    firstSeenDay: dayOf(candidate.firstSeconds),
    lastSeenDay: dayOf(candidate.lastSeconds),
    state: learned.state === LEARNED_KNOWN ? STATE_ACTIVE : STATE_BLOCKED,
    referenceDbm: fit?.referenceDbm ?? 0,
    exponent: fit?.exponent ?? 0,
    code: learned.code,
    isLearned: true,
  };
  if (imported !== undefined) joinRest(station, countFor(candidate, imported), imported);
  const record = new Uint8Array(STATION_BYTES);
  encodeStation(new DataView(record.buffer), 0, station);
  return record;
}

/** Weights of points. The points of an untrusted contributor weigh at most as much as all others. */
function limitShares(points: readonly ReferencePoint[]): Float64Array {
  const bySlot = new Float64Array(SLOT_OTHERS + 1);
  let total = 0;
  for (const { slot, weight } of points) {
    bySlot[slot] += weight;
    total += weight;
  }
  const weights = new Float64Array(points.length);
  for (let p = 0; p < points.length; p++) {
    const { slot, weight } = points[p];
    const rest = total - bySlot[slot];
    weights[p] = slot !== SLOT_TRUSTED && rest > 0 && bySlot[slot] > rest ? (weight * rest) / bySlot[slot] : weight;
  }
  return weights;
}

/** Weights of points in the mean position. */
function strengthsOf(points: readonly ReferencePoint[], weights: Float64Array, kind: number): Float64Array {
  const strengths = new Float64Array(points.length);
  const power = isCell(kind) ? 1 : 2;
  for (let p = 0; p < points.length; p++) strengths[p] = weights[p] * amplitudeOf(points[p].levelDbm) ** power;
  return strengths;
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
function usualDistance(points: readonly ReferencePoint[], weights: Float64Array, middle: Position, imported: Imported | undefined): number {
  const metres = metresFrom(middle, points);
  const left = new Float64Array(SLOT_OTHERS + 1);
  for (let p = 0; p < points.length; p++) left[points[p].slot] += weights[p] / 2;
  const votes = new Votes();
  for (const p of orderOf(metres)) {
    const { slot } = points[p];
    if (left[slot] <= 0) continue;
    left[slot] -= weights[p];
    if (left[slot] <= 0) votes.cast(slot, metres[p]);
  }
  if (imported !== undefined) votes.castImported(imported.r50Metres);
  return votes.median();
}

/** Distances that hold half and 95 % of the observations. */
function radiiOf(
  points: readonly ReferencePoint[],
  weights: Float64Array,
  position: Position,
  kind: number,
): { r50Metres: number; r95Metres: number } {
  const metres = metresFrom(position, points);
  const order = orderOf(metres);
  const floor = isCell(kind) ? CELL_R50_METRES : OTHER_R50_METRES;
  return {
    r50Metres: Math.max(floor, metres[quantile(order, weights, 0.5)]),
    r95Metres: Math.max(2 * floor, metres[quantile(order, weights, 0.95)]),
  };
}

/** Indexes of points, nearest first. Millimetres and index share one double, so a plain sort does. */
function orderOf(metres: Float64Array): Float64Array {
  const order = new Float64Array(metres.length);
  for (let p = 0; p < order.length; p++) order[p] = Math.round(metres[p] * 1_000) * INDEX_LIMIT + p;
  order.sort();
  for (let i = 0; i < order.length; i++) order[i] %= INDEX_LIMIT;
  return order;
}

/** The point at which the nearest points reach a share of the total weight. */
function quantile(order: Float64Array, weights: Float64Array, part: number): number {
  let left = 0;
  for (const p of order) left += weights[p] * part;
  for (const p of order) {
    left -= weights[p];
    if (left <= 0) return p;
  }
  return order[order.length - 1];
}

function countOf(points: readonly ReferencePoint[]): number {
  let count = 0;
  for (const point of points) count += point.count;
  return count;
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / 86_400);
}

/** Observations of a candidate to weigh against an imported record. Those of a single untrusted contributor count no more than the record. */
function countFor(candidate: Candidate, imported: Imported): number {
  const count = countOf(candidate.points);
  return isBacked(candidate) ? count : Math.min(count, samplesOf(imported));
}

function samplesOf({ samples }: Imported): number {
  return Math.min(samples, BASE_SAMPLES_MAX);
}

/** Mean of two positions, weighted by the inverse squares of their errors, r50 / sqrt(samples). */
function joinPositions(own: Position, r50Metres: number, count: number, imported: Imported): Position {
  const ownWeight = count / r50Metres ** 2;
  const importedWeight = samplesOf(imported) / Math.max(imported.r50Metres, 1) ** 2;
  return between(own, imported, importedWeight / (ownWeight + importedWeight));
}

/** Joins radii, samples and days of a station with those of an imported record. */
function joinRest(station: Station, count: number, imported: Imported): void {
  const samples = samplesOf(imported);
  const mix = (own: number, other: number): number => Math.sqrt((count * own * own + samples * other * other) / (count + samples));
  station.r50Metres = mix(station.r50Metres, imported.r50Metres);
  station.r95Metres = mix(station.r95Metres, imported.r95Metres);
  station.samples += imported.samples;
  if (imported.firstSeenDay > 0) station.firstSeenDay = Math.min(station.firstSeenDay, imported.firstSeenDay);
  station.lastSeenDay = Math.max(station.lastSeenDay, imported.lastSeenDay);
}
