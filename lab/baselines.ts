// The simple methods to which the service is compared, trained and tested on the same split. A station is the mean of
// the positions where it was heard, weighted or not. A position is the mean of the stations heard, weighted or not, or
// a mean of the most similar training scans, which also compare neighbours identified only by their scrambling code.
//
// Cells: r50 is the median distance of a cell's observations from their unweighted mean, at least 10 m. The radius of
// an answer is the median r50 of the cells used, and for ichnaea the largest p95, at least 1,000 m. Access points:
// readings older than 3 s are left out, a station is the mean of its observations weighted by 10^(s/10), two stations
// are needed, and there is no radius.

import { distanceMetres } from '../src/geo/distance.ts';
import type { Answer } from './evaluation/accuracy.ts';
import { quantile } from './evaluation/quantile.ts';
import type { AccessPoint, CellTower, Position, Scan } from './evaluation/scan.ts';
import { Fingerprints, type Neighbourhood, type Signal } from './fingerprints.ts';
import { meanPosition, PositionSum } from './mean_position.ts';

const R50_METRES_MIN = 10;
const ICHNAEA_METRES_MIN = 1_000;
const SIGNAL_UNKNOWN_DBM = -95;
/** No one choice is right for all networks: dense ones want few scans, and of those the nearest; sparse ones many. */
const NEIGHBOURHOODS: readonly (Neighbourhood & { name: string })[] = [
  { name: 'fingerprints, kNN 10', neighbours: 10, sharpness: 0 },
  { name: 'fingerprints, kNN 10 sharp', neighbours: 10, sharpness: 4 },
  { name: 'fingerprints, kNN 60 soft', neighbours: 60, sharpness: 1 },
];
const READING_AGE_MS_MAX = 3_000;
const STATIONS_MIN = 2;

/** Several simple methods, trained together. */
interface Baselines {
  /** In the order of `answer`. */
  readonly names: readonly string[];
  /** Learns from a scan of the training tracks. */
  train(scan: Scan): void;
  /** The answer of each method; undefined if it has none. */
  answer(scan: Scan): readonly (Answer | undefined)[];
}

/** The methods for cells. Holds every observation. */
export function cellBaselines(): Baselines {
  const sightingsByKey = new Map<string, Sightings>();
  const fingerprints = new Fingerprints();
  return {
    names: [
      'serving cell',
      'all cells, equal',
      'ichnaea 1/s^2',
      '10^(s/20)/r50^2',
      ...NEIGHBOURHOODS.map(({ name }) => name),
    ],
    train(scan) {
      const heard = heardCells(scan.cellTowers);
      fingerprints.add([...heard, ...heardCodes(scan.cellTowers)], scan);
      for (const { key, signalDbm } of heard) {
        const sightings = sightingsByKey.get(key) ?? new Sightings();
        sightings.add(scan, signalDbm);
        sightingsByKey.set(key, sightings);
      }
    },
    answer(scan) {
      const heard = heardCells(scan.cellTowers);
      const known = heard.flatMap(({ key, ...signal }) => {
        const sightings = sightingsByKey.get(key);
        return sightings === undefined ? [] : [{ ...signal, ...sightings.summary() }];
      });
      const serving = known.find(({ isServing }) => isServing);
      return [
        serving && answerOf(serving, serving.r50Metres),
        ...(known.length === 0 ? [undefined, undefined, undefined] : byAllCells(known)),
        ...fingerprints.answers([...heard, ...heardCodes(scan.cellTowers)], NEIGHBOURHOODS),
      ];
    },
  };
}

function byAllCells(known: readonly (KnownCell & { signalDbm: number })[]): Answer[] {
  const r50Metres = quantile(
    known.map(cell => cell.r50Metres),
    0.5,
  );
  const byAmplitude = known.map(cell => ({
    ...cell.byAmplitude,
    weight: 10 ** (cell.signalDbm / 20) / cell.r50Metres ** 2,
  }));
  return [
    answerOf(
      meanPosition(known, () => 1),
      r50Metres,
    ),
    answerOf(
      meanPosition(known, ({ signalDbm }) => 1 / signalDbm ** 2),
      Math.max(ICHNAEA_METRES_MIN, ...known.map(({ p95Metres }) => p95Metres)),
    ),
    answerOf(
      meanPosition(byAmplitude, ({ weight }) => weight),
      r50Metres,
    ),
  ];
}

function answerOf({ latitude, longitude }: Position, accuracyMetres: number): Answer {
  return { latitude, longitude, accuracyMetres };
}

/** A cell: the unweighted mean of its observations, and their statistics. */
interface KnownCell extends Position {
  /** The mean weighted by 10^(s/20). */
  byAmplitude: Position;
  r50Metres: number;
  p95Metres: number;
}

/** The observations of one cell. */
class Sightings {
  private readonly positions: Position[] = [];
  private readonly byAmplitude = new PositionSum();
  private summed: KnownCell | undefined;

  add({ latitude, longitude }: Position, signalDbm: number): void {
    this.positions.push({ latitude, longitude });
    this.byAmplitude.add({ latitude, longitude }, 10 ** (signalDbm / 20));
    this.summed = undefined;
  }

  /** The statistics, computed once after training. */
  summary(): KnownCell {
    this.summed ??= this.sum();
    return this.summed;
  }

  private sum(): KnownCell {
    const mean = meanPosition(this.positions, () => 1);
    const distances = this.positions.map(position =>
      distanceMetres(mean.latitude, mean.longitude, position.latitude, position.longitude),
    );
    return {
      ...mean,
      byAmplitude: this.byAmplitude.mean(),
      r50Metres: Math.max(R50_METRES_MIN, quantile(distances, 0.5)),
      p95Metres: quantile(distances, 0.95),
    };
  }
}

/** The cells with a full identity, each once. */
function heardCells(cellTowers: readonly CellTower[]): (Signal & { isServing: boolean })[] {
  const heard = new Map<string, Signal & { isServing: boolean }>();
  for (const {
    radioType,
    mobileCountryCode,
    mobileNetworkCode,
    locationAreaCode,
    cellId,
    signalStrength,
    serving,
  } of cellTowers) {
    if (locationAreaCode === undefined || cellId === undefined) continue;
    const key = `${radioType}-${mobileCountryCode}-${mobileNetworkCode}-${locationAreaCode}-${cellId}`;
    if (!heard.has(key))
      heard.set(key, { key, signalDbm: signalStrength ?? SIGNAL_UNKNOWN_DBM, isServing: serving === 1 });
  }
  return [...heard.values()];
}

/** The neighbours identified only by code and channel, each once. */
function heardCodes(cellTowers: readonly CellTower[]): Signal[] {
  const heard = new Map<string, Signal>();
  for (const { radioType, cellId, primaryScramblingCode, arfcn, signalStrength } of cellTowers) {
    if (cellId !== undefined || primaryScramblingCode === undefined) continue;
    const key = `${radioType}-code-${primaryScramblingCode}-${arfcn ?? ''}`;
    if (!heard.has(key)) heard.set(key, { key, signalDbm: signalStrength ?? SIGNAL_UNKNOWN_DBM });
  }
  return [...heard.values()];
}

const WIFI_WEIGHTS: readonly (readonly [name: string, weightOf: (signalDbm: number) => number])[] = [
  ['plain centroid', () => 1],
  ['1/s^2', signalDbm => 1 / signalDbm ** 2],
  ['ichnaea 1/s^4', signalDbm => 1 / signalDbm ** 4],
  ['10^(s/20)', signalDbm => 10 ** (signalDbm / 20)],
  ['10^(s/10)', signalDbm => 10 ** (signalDbm / 10)],
];

/** The methods for access points. Holds one sum for each access point. */
export function wifiBaselines(): Baselines {
  const sums = new Map<string, PositionSum>();
  return {
    names: WIFI_WEIGHTS.map(([name]) => name),
    train(scan) {
      for (const { macAddress, signalStrength } of fresh(scan.wifiAccessPoints)) {
        const sum = sums.get(macAddress) ?? new PositionSum();
        sum.add(scan, 10 ** (signalStrength / 10));
        sums.set(macAddress, sum);
      }
    },
    answer(scan) {
      const known = fresh(scan.wifiAccessPoints).flatMap(({ macAddress, signalStrength }) => {
        const sum = sums.get(macAddress);
        return sum === undefined ? [] : [{ ...sum.mean(), signalStrength }];
      });
      if (known.length < STATIONS_MIN) return WIFI_WEIGHTS.map(() => undefined);
      return WIFI_WEIGHTS.map(([, weightOf]) => meanPosition(known, ({ signalStrength }) => weightOf(signalStrength)));
    },
  };
}

function fresh(accessPoints: readonly AccessPoint[]): AccessPoint[] {
  return accessPoints.filter(({ age }) => age === undefined || age <= READING_AGE_MS_MAX);
}
