// Cells that were heard together. The levels of several cells heard at once tell the reference points of one cell apart
// much better than its own level, so each point of a cell remembers the strongest other cells
// (src/tables/stations/learned.ts). A record names a limited number; when it is full, the cell heard least gives way.

import { isCell } from '../radio/kind.ts';
import { SIGNAL_ABSENT } from '../radio/query/layout.ts';
import type { StoredObservations } from '../radio/query/stored.ts';
import { keyWithoutArea } from '../radio/station_key.ts';
import type { Heard, Learned } from '../tables/stations/learned.ts';
import { usualLevelDbm } from './candidate.ts';
import { HEARD_LIMIT } from './reference_points.ts';

/** Other cells that a cell's record names. */
const NEIGHBOURS = 48;

/** A cell of a report. */
interface HeardCell {
  /** Key as a string of 12 bytes (latin1). */
  name: string;
  levelDbm: number;
}

/**
 * The strongest cells of a report, each once: one more than a point remembers, since one of them is the cell itself.
 * @param names of the stations learned, by observation: the key as a string, undefined where nothing is learned
 */
export function strongestCells(observations: StoredObservations, names: readonly (string | undefined)[]): HeardCell[] {
  const cells: HeardCell[] = [];
  for (let i = 0; i < observations.count; i++) {
    const kind = observations.kind(i);
    const name = names[i];
    if (!isCell(kind) || name === undefined) continue;
    const level = observations.signalDbm(i);
    cells.push({ name, levelDbm: level === SIGNAL_ABSENT ? usualLevelDbm(kind) : level });
  }
  cells.sort((a, b) => b.levelDbm - a.levelDbm);
  const strongest: HeardCell[] = [];
  for (const cell of cells) {
    if (strongest.length > HEARD_LIMIT) break;
    if (!strongest.some(({ name }) => name === cell.name)) strongest.push(cell);
  }
  return strongest;
}

/** The cells heard with the cell `own`, by their indexes in its record, which takes new ones in. */
export function heardWith(learned: Learned, own: string, cells: readonly HeardCell[]): Heard[] {
  const heard: Heard[] = [];
  for (const { name, levelDbm } of cells) {
    if (name === own || heard.length === HEARD_LIMIT) continue;
    heard.push({ neighbour: neighbourOf(learned, name, heard), count: 1, levelE2: levelDbm * 100 });
  }
  return heard;
}

/** Index of a name in the record, which takes a new one in. @param fresh cells of the same report: they stay */
function neighbourOf(learned: Learned, name: string, fresh: readonly Heard[]): number {
  const { neighbours } = learned;
  const known = neighbours.indexOf(name);
  if (known >= 0) return known;
  // A cell whose area code was not known before.
  const unplaced = neighbours.indexOf(keyWithoutArea(Buffer.from(name, 'latin1'), 0).toString('latin1'));
  if (unplaced >= 0) {
    neighbours[unplaced] = name;
    return unplaced;
  }
  if (neighbours.length < NEIGHBOURS) return neighbours.push(name) - 1;
  const counts = new Float64Array(NEIGHBOURS);
  for (const { neighbour } of fresh) counts[neighbour] = Number.POSITIVE_INFINITY;
  for (const { points } of learned.candidates)
    for (const { heard } of points) for (const { neighbour, count } of heard) counts[neighbour] += count;
  const rarest = counts.indexOf(Math.min(...counts));
  for (const { points } of learned.candidates)
    for (const point of points)
      if (point.heard.some(({ neighbour }) => neighbour === rarest))
        point.heard = point.heard.filter(({ neighbour }) => neighbour !== rarest);
  neighbours[rarest] = name;
  return rarest;
}
