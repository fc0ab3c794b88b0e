// Finds neighbours in signal space: the training scans with the cells and levels most similar to those of a scan.
//
// Levels are scaled to ((dBm + 115) / 115)^e, which is 0 for a cell that is not heard, and compared by the Sørensen
// distance sum|a-b| / sum(a+b). For fingerprints this combination is the best in the literature. Since sum|a-b| =
// sum(a+b) - 2 sum min(a,b), only cells heard on both sides are visited, by an index on cells.
//
// Levels are whole numbers, so many scans are equally near. Those at the edge of a neighbourhood share the places that
// are left: otherwise the order of the file would decide, by which the median in Belgium varied from 124 to 149 m.

import { distanceMetres } from '../src/geo/distance.ts';
import type { Answer } from './evaluation/accuracy.ts';
import { quantile } from './evaluation/quantile.ts';
import type { Position } from './evaluation/scan.ts';
import { meanPosition } from './mean_position.ts';

const SIGNAL_FLOOR_DBM = -115;

/** The level of a cell; `key` identifies the cell. */
export interface Signal {
  key: string;
  signalDbm: number;
}

/** How a position is made of the nearest scans. */
export interface Neighbourhood {
  /** Number of scans. */
  neighbours: number;
  /**
   * A scan weighs its distance, at least 0.01, to the power of minus this: 0 = all the same, and the sharper the
   * higher.
   */
  sharpness: number;
}

/** Identical levels are chance: nearer scans do not weigh more. */
const DISTANCE_MIN = 0.01;

/** An index of training scans. Holds all of them. */
export class Fingerprints {
  private readonly positions: Position[] = [];
  private readonly sums: number[] = [];
  private readonly scansByKey = new Map<string, { scan: number; value: number }[]>();

  add(signals: readonly Signal[], { latitude, longitude }: Position): void {
    const scan = this.positions.push({ latitude, longitude }) - 1;
    let sum = 0;
    for (const { key, signalDbm } of signals) {
      const value = scaled(signalDbm);
      sum += value;
      const scans = this.scansByKey.get(key);
      if (scans === undefined) this.scansByKey.set(key, [{ scan, value }]);
      else scans.push({ scan, value });
    }
    this.sums.push(sum);
  }

  /**
   * For each neighbourhood the weighted mean of the nearest scans' positions, with their median distance from it as the
   * radius; undefined if no scan has a cell in common.
   */
  answers(signals: readonly Signal[], neighbourhoods: readonly Neighbourhood[]): (Answer | undefined)[] {
    const common = new Map<number, number>();
    let sum = 0;
    for (const { key, signalDbm } of signals) {
      const value = scaled(signalDbm);
      sum += value;
      for (const other of this.scansByKey.get(key) ?? [])
        common.set(other.scan, (common.get(other.scan) ?? 0) + Math.min(value, other.value));
    }
    if (common.size === 0) return neighbourhoods.map(() => undefined);
    const nearest = [...common]
      .map(([scan, least]) => ({ scan, distance: 1 - (2 * least) / (sum + this.sums[scan]) }))
      .sort((a, b) => a.distance - b.distance || a.scan - b.scan)
      .map(({ scan, distance }) => ({ ...this.positions[scan], distance }));
    return neighbourhoods.map(neighbourhood => answerOf(nearest, neighbourhood));
  }
}

/** @param nearest scans by distance */
function answerOf(
  nearest: readonly (Position & { distance: number })[],
  { neighbours, sharpness }: Neighbourhood,
): Answer {
  const edge = nearest[Math.min(neighbours, nearest.length) - 1].distance;
  const nearer = nearest.filter(({ distance }) => distance < edge).length;
  const taken = nearest.filter(({ distance }) => distance <= edge);
  const shareAtEdge = Math.min(1, (neighbours - nearer) / (taken.length - nearer));
  const centre = meanPosition(
    taken,
    ({ distance }) => (distance < edge ? 1 : shareAtEdge) * Math.max(DISTANCE_MIN, distance) ** -sharpness,
  );
  const distances = taken.map(position =>
    distanceMetres(centre.latitude, centre.longitude, position.latitude, position.longitude),
  );
  return { ...centre, accuracyMetres: quantile(distances, 0.5) };
}

function scaled(signalDbm: number): number {
  return (Math.max(1, signalDbm - SIGNAL_FLOOR_DBM) / -SIGNAL_FLOOR_DBM) ** Math.E;
}
