// Publishes a station: turns what is learned about it into its record in the tables, which says where the station is
// likely to be observed.
//
// The position is the mean of the reference points, weighted by received amplitude, 10^(s/20), for cells and by
// received power, 10^(s/10), for access points and beacons. On drives past cells amplitude has a third less median
// error than the plain mean; on walks through a mall power has a tenth less than amplitude. The radii hold half and 95
// % of the observations; the strategies decide how far to trust radii of few samples. An imported record takes part
// with the certainty of its samples.
//
// No contributor alone can drag a station. The published position stays within half of the 50 % radius of the middle,
// where each contributor has one vote (`middleOf`), and no contributor weighs more than all others together. Where
// three have heard an access point or a beacon, points far outside of where they usually hear it do not count: such a
// station is heard as far all around, so they are false positions or bad fixes. A cell is heard far away along one
// road.

import { wrapE7 } from '../geo/angle.ts';
import { isCell } from '../radio/kind.ts';
import { KEY_BYTES_CELL } from '../radio/station_key.ts';
import { commit } from '../tables/environment/commit.ts';
import { AreaCollector } from '../tables/stations/areas.ts';
import type { Generation } from '../tables/stations/generation.ts';
import type { StaleNetwork } from '../tables/stations/knowledge.ts';
import {
  type Candidate,
  LEARNED_BLOCKED,
  LEARNED_KNOWN,
  type Learned,
  type ReferencePoint,
  SLOT_OTHERS,
  SLOT_TRUSTED,
} from '../tables/stations/learned_record.ts';
import { STATION_BYTES } from '../tables/stations/record_layout.ts';
import { encodeStation, STATE_ACTIVE, STATE_BLOCKED, type Station, stationView } from '../tables/stations/station.ts';
import { hasTrusted, isBacked } from './candidate.ts';
import { disjoin, type Imported, importedOf } from './life_cycle.ts';
import {
  fitPathLoss,
  meanOf,
  metresBetween,
  middleOf,
  POINTS_LIMIT,
  type Position,
  Votes,
  writeMetresFrom,
} from './middle.ts';
import { amplitudeOf } from './reference_points.ts';

/** Most samples of an imported record that count: it may be old. */
const BASE_SAMPLES_MAX = 50;
/** Share of the 50 % radius by which one contributor can move a station. */
const DRAG_LIMIT = 0.5;
/**
 * Access points and beacons: usual distances from the middle beyond which a point of an untrusted contributor does not
 * count. A disc that is evenly heard ends at 1.4.
 */
const FAR = 2;
/** Votes on the middle from which on that holds: one who lies is outvoted. */
const VOTES_MIN = 3;
/**
 * Least 50 % radius of cells and of other stations, metres: the accuracy of a good fix. The 95 % radius is at least
 * twice as large.
 */
const CELL_R50_METRES = 10;
const OTHER_R50_METRES = 5;
/** Up to so many points are put in order one by one, which is faster than the general sort. */
const FEW_POINTS = 24;

/**
 * By point of the station that is being published: its weight, its weight in the mean position, and its metres from a
 * position.
 */
const weights = new Float64Array(POINTS_LIMIT);
const strengths = new Float64Array(POINTS_LIMIT);
const metres = new Float64Array(POINTS_LIMIT);
/** Indexes of points, nearest first. */
const order = new Float64Array(POINTS_LIMIT);
/** By slot. */
const weightOfSlot = new Float64Array(SLOT_OTHERS + 1);
const leftOfSlot = new Float64Array(SLOT_OTHERS + 1);
const votes = new Votes();

/**
 * The station record that follows from what is learned.
 * @returns 24 bytes; undefined while the station does not count
 */
export function publishStation(learned: Learned, kind: number): Uint8Array | undefined {
  const candidate = learned.candidates[learned.main];
  if (learned.state === LEARNED_KNOWN && candidate === undefined) return learned.base;
  if (learned.state !== LEARNED_KNOWN && learned.state !== LEARNED_BLOCKED) return undefined;
  const { points } = candidate;
  limitShares(points);
  weighByStrength(points, kind);
  const imported = importedOf(learned);
  const middle = middleOf(points, imported, strengths);
  const usualMetres = usualDistance(points, middle, imported);
  if (!isCell(kind) && votesOf(candidate) >= VOTES_MIN) leaveOut(points, FAR * Math.max(usualMetres, OTHER_R50_METRES));
  const mean = meanOf(points, strengths);
  const joined =
    imported === undefined
      ? mean
      : joinPositions(mean, radiiOf(points, mean, kind).r50Metres, countFor(candidate, imported), imported);
  const position = limitDrag(joined, middle, DRAG_LIMIT * usualMetres);
  const radii = radiiOf(points, position, kind);
  // The level of a sector cell says little about distance.
  const fit = isCell(kind) ? undefined : fitPathLoss(points, weights, position);
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
    isUntrusted: imported === undefined && !hasTrusted(candidate),
  };
  if (imported !== undefined) joinRest(station, countFor(candidate, imported), imported);
  const record = new Uint8Array(STATION_BYTES);
  encodeStation(new DataView(record.buffer), 0, station);
  return record;
}

/** What is left of a learned station once its imported record is taken out, and its station record. */
export function withoutImport(
  learned: Learned,
  kind: number,
): { learned: Learned | undefined; record: Uint8Array | undefined } {
  return disjoin(learned, kind)
    ? { learned, record: publishStation(learned, kind) }
    : { learned: undefined, record: undefined };
}

/** Sets the weights of points. The points of an untrusted contributor weigh at most as much as all others. */
function limitShares(points: readonly ReferencePoint[]): void {
  weightOfSlot.fill(0);
  let total = 0;
  for (let p = 0; p < points.length; p++) {
    const { slot, weight } = points[p];
    weightOfSlot[slot] += weight;
    total += weight;
  }
  for (let p = 0; p < points.length; p++) {
    const { slot, weight } = points[p];
    const own = weightOfSlot[slot];
    const rest = total - own;
    weights[p] = slot !== SLOT_TRUSTED && rest > 0 && own > rest ? (weight * rest) / own : weight;
  }
}

/** Sets the weights of points in the mean position. */
function weighByStrength(points: readonly ReferencePoint[], kind: number): void {
  const power = isCell(kind) ? 1 : 2;
  for (let p = 0; p < points.length; p++) strengths[p] = weights[p] * amplitudeOf(points[p].levelDbm) ** power;
}

/** Contributors that have heard the station; the trusted ones count as two, as in the middle. */
function votesOf({ points, contributors }: Candidate): number {
  return contributors.length + (points.some(({ slot }) => slot === SLOT_TRUSTED) ? 2 : 0);
}

/**
 * Takes the weights of untrusted points that are further than this from the middle, to which `metres` are measured.
 * Half of the contributors have nearer ones.
 */
function leaveOut(points: readonly ReferencePoint[], limitMetres: number): void {
  for (let p = 0; p < points.length; p++) {
    if (points[p].slot === SLOT_TRUSTED || metres[p] <= limitMetres) continue;
    weights[p] = 0;
    strengths[p] = 0;
  }
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

/**
 * Distance from the middle at which a contributor observes the station, the median over the contributors of their
 * medians. Sets the metres of points from the middle.
 */
function usualDistance(points: readonly ReferencePoint[], middle: Position, imported: Imported | undefined): number {
  orderFrom(middle, points);
  leftOfSlot.fill(0);
  for (let p = 0; p < points.length; p++) leftOfSlot[points[p].slot] += weights[p] / 2;
  votes.clear();
  for (let i = 0; i < points.length; i++) {
    const p = order[i];
    const { slot } = points[p];
    if (leftOfSlot[slot] <= 0) continue;
    leftOfSlot[slot] -= weights[p];
    if (leftOfSlot[slot] <= 0) votes.cast(slot, metres[p]);
  }
  if (imported !== undefined) votes.castImported(imported.r50Metres);
  return votes.median();
}

/** Distances that hold half and 95 % of the observations. */
function radiiOf(
  points: readonly ReferencePoint[],
  position: Position,
  kind: number,
): { r50Metres: number; r95Metres: number } {
  orderFrom(position, points);
  const floor = isCell(kind) ? CELL_R50_METRES : OTHER_R50_METRES;
  return {
    r50Metres: Math.max(floor, metres[quantile(points.length, 0.5)]),
    r95Metres: Math.max(2 * floor, metres[quantile(points.length, 0.95)]),
  };
}

/**
 * Sets the metres of points from a position, and their order, nearest first. Millimetres and index share one double, so
 * plain numbers are sorted.
 */
function orderFrom(position: Position, points: readonly ReferencePoint[]): void {
  writeMetresFrom(position, points, metres);
  const count = points.length;
  for (let p = 0; p < count; p++) {
    const value = Math.round(metres[p] * 1_000) * POINTS_LIMIT + p;
    let at = p;
    if (count <= FEW_POINTS) for (; at > 0 && order[at - 1] > value; at--) order[at] = order[at - 1];
    order[at] = value;
  }
  if (count > FEW_POINTS) order.subarray(0, count).sort();
  for (let i = 0; i < count; i++) order[i] %= POINTS_LIMIT;
}

/** The point at which the nearest of `count` points reach a share of the total weight. */
function quantile(count: number, part: number): number {
  let left = 0;
  for (let i = 0; i < count; i++) left += weights[order[i]] * part;
  for (let i = 0; i < count; i++) {
    left -= weights[order[i]];
    if (left <= 0) return order[i];
  }
  return order[count - 1];
}

function countOf(points: readonly ReferencePoint[]): number {
  let count = 0;
  for (const point of points) count += point.count;
  return count;
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / 86_400);
}

/**
 * Observations of a candidate to weigh against an imported record. Those of a single untrusted contributor count no
 * more than the record.
 */
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
  const mix = (own: number, other: number): number =>
    Math.sqrt((count * own * own + samples * other * other) / (count + samples));
  station.r50Metres = mix(station.r50Metres, imported.r50Metres);
  station.r95Metres = mix(station.r95Metres, imported.r95Metres);
  station.samples += imported.samples;
  if (imported.firstSeenDay > 0) station.firstSeenDay = Math.min(station.firstSeenDay, imported.firstSeenDay);
  station.lastSeenDay = Math.max(station.lastSeenDay, imported.lastSeenDay);
}

// Derives the areas of a network again after its cells have changed: where each area is, and what ids say about
// distances. A large network takes a second of processor time, and contributions wait for the same thread, so it is
// done in steps of a few milliseconds. Only areas that differ are written.

/** Rows read in one step. */
const READ = 1_000;
/** Areas written in one transaction. */
const WRITTEN = 1_000;
const TABLES = 'The station tables';

/**
 * Refreshes the areas of one network. A kill leaves some of them written and the network marked, so they are derived
 * again.
 * @param nextTurn lets other work go first
 * @throws NotWritten
 */
export async function refreshAreas(
  generation: Generation,
  { network, mark }: StaleNetwork,
  nextTurn: () => Promise<void>,
): Promise<void> {
  const { root, stations, areas, stale } = generation;
  /** By key (latin1); undefined for those that are gone. */
  const changed = new Map<string, Buffer | undefined>();
  const collector = new AreaCollector((key, record) => changed.set(key.toString('latin1'), Buffer.from(record)));
  for (const rows of stepsOf(generation, stations, network)) {
    for (const { key, value } of rows) {
      stationView(value);
      collector.add(key, value);
    }
    await nextTurn();
  }
  for (const _ of collector.endInSteps()) await nextTurn();
  for (const rows of stepsOf(generation, areas, network)) {
    for (const { key, value } of rows) {
      const area = key.toString('latin1');
      if (changed.get(area)?.equals(value)) changed.delete(area);
      else if (!changed.has(area)) changed.set(area, undefined);
    }
    await nextTurn();
  }
  const rows = [...changed];
  for (let from = 0; from < rows.length; from += WRITTEN) {
    await commit(root, TABLES, () => {
      for (const [area, record] of rows.slice(from, from + WRITTEN)) {
        const key = Buffer.from(area, 'latin1');
        if (record === undefined) areas.removeSync(key);
        else areas.putSync(key, record);
      }
    });
  }
  await commit(root, TABLES, () => {
    // Cells that changed meanwhile have left another mark.
    if (stale.getBinary(network)?.equals(mark)) stale.removeSync(network);
  });
}

/** The rows of a network in key order, some at a time, each time from a fresh read transaction. */
function* stepsOf(
  { root }: Generation,
  table: Generation['stations'],
  network: Buffer,
): Generator<{ key: Buffer; value: Buffer }[]> {
  const end = Buffer.concat([network, Buffer.alloc(KEY_BYTES_CELL, 0xff)]);
  for (let start = network, isFirst = true, isLast = false; !isLast; isFirst = false) {
    root.resetReadTxn();
    const range = table.getRange({ start, end, limit: READ, exclusiveStart: !isFirst });
    const rows = [...range].map(({ key, value }) => ({ key: Buffer.from(key), value: Buffer.from(value) }));
    root.resetReadTxn();
    isLast = rows.length < READ;
    start = rows.at(-1)?.key ?? start;
    yield rows;
  }
}
