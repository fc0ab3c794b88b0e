// The simple methods to which the service is compared in buildings, trained on the same scans.
//
// Fingerprints: levels on the scale ((dBm + 105) / 105)^e, 0 where a station is not heard, compared by the Sørensen
// distance sum|a-b| / sum(a+b). Of the nearest k scans, each with the weight 1 / distance, the floor of a building that
// has most is answered, and on it the mean position. The radius is the median distance of these scans from it.
//
// Centroid: a station is the mean of its observations weighted by 10^(s/10), a position the mean of the stations heard,
// weighted alike. It knows no floor.

import { distanceMetres } from '../../src/geo/distance.ts';
import type { IndoorAnswer } from '../client.ts';
import { quantile } from '../evaluation/quantile.ts';
import { meanPosition, PositionSum } from '../mean_position.ts';
import type { IndoorScan } from './indoor_scan.ts';

const LOWEST_DBM = 105;
const DISTANCE_MIN = 1e-3;
const STATIONS_MIN = 2;

/** One station of a scan. */
interface Heard {
  key: string;
  signalDbm: number;
}

/** A simple method, trained on scans. */
export interface SimpleMethod {
  name: string;
  train(scan: IndoorScan): void;
  answer(scan: IndoorScan): IndoorAnswer | undefined;
}

/**
 * The nearest scans in signal space.
 * @param neighbours their number
 * @param ageMsMax older readings are left out
 */
export function nearestScans(neighbours: number, ageMsMax: number): SimpleMethod {
  const scans: { scan: IndoorScan; sum: number }[] = [];
  const byStation = new Map<string, { index: number; value: number }[]>();
  return {
    name: `fingerprints, kNN ${neighbours}`,
    train(scan) {
      let sum = 0;
      for (const { key, signalDbm } of heardIn(scan, ageMsMax)) {
        const value = powed(signalDbm);
        sum += value;
        const known = byStation.get(key) ?? [];
        byStation.set(key, known);
        known.push({ index: scans.length, value });
      }
      if (sum > 0) scans.push({ scan, sum });
    },
    answer(scan) {
      const common = new Map<number, number>();
      let sum = 0;
      for (const { key, signalDbm } of heardIn(scan, ageMsMax)) {
        const value = powed(signalDbm);
        sum += value;
        for (const other of byStation.get(key) ?? [])
          common.set(other.index, (common.get(other.index) ?? 0) + Math.min(value, other.value));
      }
      const nearest = [...common]
        .map(([index, least]) => ({
          ...scans[index],
          distance: Math.max(DISTANCE_MIN, 1 - (2 * least) / (sum + scans[index].sum)),
        }))
        .sort((a, b) => a.distance - b.distance)
        .slice(0, neighbours);
      return nearest.length === 0
        ? undefined
        : votedBy(nearest.map(({ scan: near, distance }) => ({ ...near, weight: 1 / distance })));
    },
  };
}

function votedBy(nearest: readonly (IndoorScan & { weight: number })[]): IndoorAnswer {
  const votes = new Map<string, number>();
  for (const { building, floor, weight } of nearest)
    votes.set(`${building}/${floor}`, (votes.get(`${building}/${floor}`) ?? 0) + weight);
  const [best] = [...votes].sort((a, b) => b[1] - a[1])[0];
  const there = nearest.filter(({ building, floor }) => `${building}/${floor}` === best);
  const { building, floor } = there[0];
  const mean = meanPosition(there, ({ weight }) => weight);
  const distances = there.map(each => distanceMetres(mean.latitude, mean.longitude, each.latitude, each.longitude));
  return { ...mean, accuracyMetres: Math.max(1, quantile(distances, 0.5)), building, floor, room: undefined };
}

/** The mean of the stations. @param ageMsMax older readings are left out */
export function powerCentroid(ageMsMax: number): SimpleMethod {
  const sums = new Map<string, PositionSum>();
  return {
    name: '10^(s/10)',
    train(scan) {
      for (const { key, signalDbm } of heardIn(scan, ageMsMax)) {
        const sum = sums.get(key) ?? new PositionSum();
        sums.set(key, sum);
        sum.add(scan, 10 ** (signalDbm / 10));
      }
    },
    answer(scan) {
      const known = heardIn(scan, ageMsMax).flatMap(({ key, signalDbm }) => {
        const sum = sums.get(key);
        return sum === undefined ? [] : [{ ...sum.mean(), signalDbm }];
      });
      if (known.length < STATIONS_MIN) return undefined;
      const mean = meanPosition(known, ({ signalDbm }) => 10 ** (signalDbm / 10));
      return { ...mean, accuracyMetres: undefined, building: undefined, floor: undefined, room: undefined };
    },
  };
}

/** The access points, each once. */
function heardIn({ wifiAccessPoints }: IndoorScan, ageMsMax: number): Heard[] {
  const heard = new Map<string, Heard>();
  for (const { macAddress, signalStrength, age = 0 } of wifiAccessPoints) {
    if (age <= ageMsMax && !heard.has(macAddress))
      heard.set(macAddress, { key: macAddress, signalDbm: signalStrength });
  }
  return [...heard.values()];
}

function powed(signalDbm: number): number {
  return Math.max(0, (signalDbm + LOWEST_DBM) / LOWEST_DBM) ** Math.E;
}
