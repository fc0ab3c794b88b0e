// Locates by known cells. A cell's record says where the cell is observed, so each known cell is a Gaussian around that
// position. Several cells are weighted by received amplitude over their size, 10^(s/20) / r50^2.5. On scans of six
// cells this has up to 3 % less median error than with r50 squared, and a third less than the serving cell alone.
// Weights by received power or 1 / s^2, robust means and path-loss ranging were tested and are all worse, since a
// sector's signal says little about the distance to the middle of its coverage.
//
// A mistaken or reused identity puts a cell elsewhere, so the cells vote. Each cell supports those that can be heard
// together with it, and the serving cell counts double. Cells that do not agree with the best supported one are left
// out.

import type { MovingParticles } from '../../core/moving_particles.ts';
import type { SelectedStations } from '../../core/selected_stations.ts';
import { FLAG_NO_CELL_ID, FLAG_SERVING, SOURCE_CELL } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { cellNumber } from '../../radio/station_key.ts';
import type { FoundStations } from '../../tables/stations/packed_station.ts';
import { circularEstimate, type Estimate, groupOfCells, groupOfMap } from '../estimates/estimate.ts';
import { type Heard, SELECTION_LIMIT, type Selection } from '../transmitters/selection.ts';
import { follow } from './followed/follow.ts';
import type { CellPast } from './followed/past.ts';
import { locateInMap } from './map/map.ts';
import { fixInMap, type MapFix, OF_SCAN } from './map/map_radii.ts';
import { radiiOfCells } from './radii.ts';
import { type CellPosition, moveToRing, ringOfTiming } from './ring.ts';

/** Level of a cell sent without one: a median reading. */
const CELLS = { radioOf: cellOf, unknownDbm: -95, isEnoughAlone: () => true };
/** Power of the radius in a cell's weight, and the error added to the radius: that of the smallest cells. */
const RADIUS_POWER = 2.5;
const BLUR_METRES = 25;
/** Cells farther apart than the sum of their 95 % radii plus this are not heard at once. */
const APART_METRES = 3_000;
/** Number of cells that vote: the strongest. */
const ELECTORS = 32;
const SERVING_VOTES = 2;
/** Least 50 % radius: that of the uncertainty of a cell's position. */
const R50_METRES_FLOOR = 25;
/** 95 % radius over 50 % radius of a position on a ring, as in a Gaussian. */
const RING_R95_PER_R50 = 2.08;
/** Evidence of one cell, which may be mistaken, and of several that agree. */
const ONE_CELL_EVIDENCE = 1;
const MANY_CELLS_EVIDENCE = 2.5;

const BLURRED_POWER = RADIUS_POWER / 2;
/** Amplitude by level: 10^(s / 20) = e^(s / 8.69). */
const DB_PER_LOGARITHM = 20 / Math.LN10;

/** Results of `choose`: no cell is known; a position is invalid. */
const NONE = -1;
const FRAMELESS = -2;

const r95Metres = new Float64Array(SELECTION_LIMIT);
const votes = new Float64Array(ELECTORS);

/** A device that is followed from request to request. */
export interface FollowedDevice {
  /** Where it was; where it is now is noted there. */
  past: CellPast;
  particles: MovingParticles;
}

/** Locates by the cells, the last observations of the query. @param followed where the device was, if it is tracked */
export function locateByCells(heard: Heard, followed?: FollowedDevice): Estimate | undefined {
  const { query, stations, selection, recorder } = heard;
  if (query.cells === 0) {
    recorder?.none('cells', 'notSent');
    return undefined;
  }
  let anchor = choose(heard);
  if (anchor === FRAMELESS) {
    recorder?.none('cells', 'noFit');
    return undefined;
  }
  const inMap = anchor === NONE ? undefined : locateByMap(heard, anchor, followed);
  if (inMap !== undefined) return inMap;
  // Neighbours without an identity are worth the search if nothing better is known.
  const near = anchor === NONE ? -1 : selection.observation[anchor];
  if (stations.findByCode(query, near) > 0) {
    recorder?.lookedUp(query, stations);
    anchor = choose(heard);
  }
  if (anchor >= 0) return locateByStatistics(heard, anchor);
  recorder?.none('cells', 'noneKnown');
  return undefined;
}

/** Locates by where the cells are usually observed. @param anchor with which the others must agree */
function locateByStatistics({ query, stations, selection, recorder }: Heard, anchor: number): Estimate {
  const { selected, count, observation, levelDbm } = selection;
  let weights = 0;
  let east = 0;
  let north = 0;
  let r50Sum = 0;
  let r95Sum = 0;
  let samples = 0;
  let used = 0;
  for (let s = 0; s < count; s++) {
    if (!agree(selected, anchor, s)) {
      recorder?.take(observation[s], { taken: 'apart' });
      continue;
    }
    const onRing = positionOnRing(query, stations, selection, s);
    const r50 = Math.max(onRing?.r50Metres ?? stations.r50Metres(observation[s]), R50_METRES_FLOOR);
    const weight = Math.exp(levelDbm[s] / DB_PER_LOGARITHM) / (r50 * r50 + BLUR_METRES * BLUR_METRES) ** BLURRED_POWER;
    recorder?.take(observation[s], { taken: 'used', strategy: 'cells', weight });
    if (onRing !== undefined) {
      selected.east[s] = onRing.east;
      selected.north[s] = onRing.north;
    }
    weights += weight;
    east += weight * selected.east[s];
    north += weight * selected.north[s];
    r50Sum += weight * r50;
    r95Sum += weight * (onRing === undefined ? r95Metres[s] : RING_R95_PER_R50 * r50);
    samples += weight * stations.samples(observation[s]);
    used++;
  }
  const statistics = {
    r50Metres: r50Sum / weights,
    r95Metres: r95Sum / weights,
    samples: samples / weights,
    cells: used,
  };
  const { r50Metres, tail } = radiiOfCells(statistics, recorder);
  const group = groupOfCells(query.kind(observation[anchor]), stations.isLearned(observation[anchor]));
  const estimate = estimateAt(selected, { east: east / weights, north: north / weights, r50Metres, tail }, used, group);
  recorder?.estimate('cells', estimate);
  return estimate;
}

/** An estimate by so many cells. */
function estimateAt({ frame }: SelectedStations, fix: MapFix, used: number, group: number): Estimate {
  return circularEstimate({
    source: SOURCE_CELL,
    latitude: frame.latitudeOf(fix.north),
    longitude: frame.longitudeOf(fix.east),
    r50Metres: fix.r50Metres,
    tail: fix.tail,
    used,
    evidence: used === 1 ? ONE_CELL_EVIDENCE : MANY_CELLS_EVIDENCE,
    group,
  });
}

/**
 * Selects the known cells and writes their positions in a frame around the cell that most others agree with. @returns
 * its index, `NONE` or `FRAMELESS`
 */
function choose(heard: Heard): number {
  const { query, stations, selection } = heard;
  selection.select(heard, query.firstCell, query.cells, CELLS);
  const { selected, count, observation } = selection;
  if (count === 0) return NONE;
  if (!selected.place(count, 0)) return FRAMELESS;
  for (let s = 0; s < count; s++) r95Metres[s] = stations.r95Metres(observation[s]);
  const anchor = count === 1 ? 0 : elect(selected, count, servingCell(query, selection));
  return anchor > 0 && !selected.place(count, anchor) ? FRAMELESS : anchor;
}

/**
 * Locates in the radio map of the serving cell or, if that has none, of the strongest learned cell among those that
 * agree.
 */
function locateByMap(heard: Heard, anchor: number, followed: FollowedDevice | undefined): Estimate | undefined {
  const { query, stations, selection, recorder } = heard;
  const { selected, count, observation } = selection;
  const learned: number[] = [];
  for (let s = 0; s < count; s++) if (stations.isLearned(observation[s]) && agree(selected, anchor, s)) learned.push(s);
  if (learned.length === 0) return undefined;
  const serving = servingCell(query, selection);
  const own = learned.includes(serving) ? serving : learned[0];
  const map = stations.radioMap(query, observation[own]);
  if (map === undefined) return undefined;
  const match = locateInMap(query, selection, own, map, stations.r50Metres(observation[own]), r95Metres[own]);
  if (match === undefined) return undefined;
  let fix = fixInMap(match, OF_SCAN, recorder);
  if (followed !== undefined) {
    const cells = [own, ...learned.filter(s => s !== own)].map(s => ({
      own: s,
      east: selected.east[s],
      north: selected.north[s],
      r95Metres: r95Metres[s],
    }));
    fix = follow(heard, cells, followed, match, fix);
  }
  const group = groupOfMap(query.kind(observation[own]), match.observations);
  const agreeing: number[] = [];
  for (let s = 0; s < count; s++) if (agree(selected, anchor, s)) agreeing.push(s);
  const estimate = estimateAt(selected, fix, agreeing.length, group);
  if (recorder === undefined) return estimate;
  for (let s = 0; s < count; s++) {
    if (s === own) recorder.take(observation[s], { taken: 'used', strategy: 'map', weight: 1 });
    else if (agreeing.includes(s)) recorder.take(observation[s], { taken: 'compared', strategy: 'map' });
    else recorder.take(observation[s], { taken: 'apart' });
  }
  const isFollowed = followed?.past.isFollowed === true;
  recorder.locatedInMap(estimate, { observation: observation[own], match, isFollowed });
  return estimate;
}

/** The position of a cell on the ring of its timing advance, if it has one. The site is searched near the cell. */
function positionOnRing(
  query: QueryReader,
  stations: FoundStations,
  { selected, observation: observations }: Selection,
  s: number,
): CellPosition | undefined {
  const observation = observations[s];
  const timing = query.timing(observation);
  if (timing < 0) return undefined;
  const ring = ringOfTiming(query.kind(observation), timing);
  if (ring === undefined) return undefined;
  const cell = {
    east: selected.east[s],
    north: selected.north[s],
    r50Metres: Math.max(stations.r50Metres(observation), R50_METRES_FLOOR),
  };
  const found = stations.siteOf(query, observation);
  const site = found && {
    east: selected.frame.eastOf(found.longitude),
    north: selected.frame.northOf(found.latitude),
    sigmaMetres: found.spreadMetres / Math.sqrt(2 * found.sectors),
  };
  return moveToRing(cell, r95Metres[s], ring, site);
}

/** The selected cell that serves the device: the one marked as serving, else the first that was sent. */
function servingCell(query: QueryReader, { count, observation }: Selection): number {
  let first = 0;
  for (let s = 0; s < count; s++) {
    if ((query.observationFlags(observation[s]) & FLAG_SERVING) !== 0) return s;
    if (observation[s] < observation[first]) first = s;
  }
  return first;
}

/** The cell that most others agree with; the serving cell wins a tie. */
function elect(selected: SelectedStations, count: number, serving: number): number {
  const electors = Math.min(count, ELECTORS);
  let best = serving;
  let bestVotes = SERVING_VOTES;
  for (let s = 0; s < electors; s++) if (s !== serving && agree(selected, serving, s)) bestVotes++;
  if (bestVotes > electors) return serving;
  votes.fill(1, 0, electors);
  for (let s = 0; s < electors; s++) {
    if (agree(selected, s, serving)) votes[s] += s === serving ? SERVING_VOTES - 1 : SERVING_VOTES;
    for (let other = 0; other < s; other++) {
      if (other === serving || s === serving || !agree(selected, s, other)) continue;
      votes[s]++;
      votes[other]++;
    }
  }
  for (let s = 0; s < electors; s++) {
    if (votes[s] <= bestVotes) continue;
    best = s;
    bestVotes = votes[s];
  }
  return best;
}

/** True if two selected cells can be heard at once. */
function agree({ east, north }: SelectedStations, a: number, b: number): boolean {
  const dx = east[a] - east[b];
  const dy = north[a] - north[b];
  const apart = r95Metres[a] + r95Metres[b] + APART_METRES;
  return dx * dx + dy * dy <= apart * apart;
}

/** Identifies a cell: its whole key, or its code if nothing else is known. */
function cellOf(query: QueryReader, i: number): number {
  return (query.observationFlags(i) & FLAG_NO_CELL_ID) === 0
    ? cellNumber(query.memory.u8, query.at(i))
    : -1 - query.code(i);
}
