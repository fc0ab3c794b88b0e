// Records how one query is answered. The code that answers calls it where it decides something, and only where somebody
// wants an explanation: nothing is decided a second time. src/answer/explain/ makes the explanation of what is
// recorded.
//
// An estimate is recorded with the parts of its variance, whatever their unit: together they are the square of its
// radius.

import { INLIER_WEIGHT } from '../../../wasm/trilateration_constants.ts';
import type { Located, SelectedStations } from '../../core/selected_stations.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import type { FoundStations } from '../../tables/stations/packed_station.ts';
import type { Estimate } from './estimate.ts';

/** What makes estimates; a fallback is named by itself. */
export type Strategy = 'gps' | 'bluetooth' | 'wifi' | 'cells' | 'map' | 'fingerprints' | 'fallback';

/** Why a strategy has no estimate. */
export type AbsentReason =
  | 'notSent'
  /** No station of its kind is known. */
  | 'noneKnown'
  /** Too few of them are sent, or known. */
  | 'tooFew'
  /** They are not plausible together. */
  | 'apart'
  /** More than a device hears at once. */
  | 'tooMany'
  /** No position explains what is heard. */
  | 'noFit'
  /** The scan is unlike those of the building, and access points or beacons say otherwise. */
  | 'unlike'
  /** The map of a building takes its place. */
  | 'replaced';

/** What became of a station. */
export type Taken =
  /** The estimate rests on it. */
  | 'used'
  /** It takes part, and the estimate does not rest on it: its level fits none of the places that the others leave. */
  | 'outlier'
  /** Compared with what a map says is heard there. */
  | 'compared'
  /** In no table. */
  | 'unknown'
  /** Its reading is much older than the youngest. */
  | 'stale'
  /** Another observation of the same radio is stronger. */
  | 'sameRadio'
  /** There are more stations than are used, and stronger ones. */
  | 'tooMany'
  /** It is not near the place of most devices, or of the cell that most agree with. */
  | 'apart'
  /** There are too few of its kind. */
  | 'tooFew';

/** A part of what an estimate rests on. */
export interface Use {
  taken: Taken;
  strategy?: Strategy;
  /** In the estimate; the weights of an estimate are relative to each other. */
  weight?: number;
  /** Distance that the level stands for, by the path loss of this scan. */
  expectedMetres?: number;
}

/** Names of the parts of a radius. */
export type Part =
  /** The accuracy of the device's own fix, and how far the device may have moved since. */
  | 'fix'
  | 'movement'
  /** How far from the fix several stations that agree put the device. */
  | 'contradiction'
  /**
   * Access points and beacons: the spread of their levels, how they stand around the device, and how well their own
   * places are known.
   */
  | 'levels'
  | 'geometry'
  | 'stations'
  /** Cells: where they are heard, and what few observations have not shown of them. */
  | 'coverage'
  | 'unseen'
  /**
   * Maps: the places that are likely, what the likeliest does not explain, what one place differs by from time to time,
   * and how likely it is that nobody has been there.
   */
  | 'likelihood'
  | 'misfit'
  | 'blur'
  | 'newRoad'
  /** Fallbacks. */
  | 'guess';
type Parts = Partial<Record<Part, number>>;

/** A recorded estimate. */
export interface EstimateRecord {
  strategy: Strategy;
  /** As it is after calibration. */
  estimate: Estimate;
  parts: Parts;
  /** By which tests have multiplied its radius. */
  calibration: number;
  /** Radius that holds half of it. */
  radiusMetres: number;
}

/** What a fallback came to. */
export type FallbackResult = 'noGuess' | 'abroad' | 'contradicted' | 'answered';

/** What a fallback was tried with, and what it came to. */
interface FallbackRecord {
  /** FALLBACK_* bit. */
  bit: number;
  result: FallbackResult;
  /** Cells or areas that resemble those that were sent, with the typical error of such a guess, metres. */
  guesses: readonly { latitude: number; longitude: number; typicalMetres: number }[];
}

/** The map of the serving cell. */
interface MapRecord {
  /** Observation of the cell. */
  observation: number;
  /** Reference points that were compared, and the observations behind the map. */
  points: number;
  observations: number;
  /** Cells of the scan that were compared with each point. */
  cells: number;
  /** Where the device was before takes part. */
  isFollowed: boolean;
}

/** The map of a building. */
interface BuildingRecord {
  name: string;
  /** Of the scan that the map knows, and how like the likeliest place it is, 0..1. */
  share: number;
  similarity: number;
  isAlike: boolean;
  floor: number;
  floorProbability: number;
  /** Where the device was before takes part. */
  isFollowed: boolean;
  /** It takes the place of access points and beacons. */
  isUsed: boolean;
}

/** What the track of a device made of the position. */
interface TrackRecord {
  movedMetres: number;
  radiusFactor: number;
}

/** A step of the answer, and how long it took. */
export interface Stage {
  stage: string;
  microseconds: number;
}

/** What the tables say of a station. */
export interface KnownRecord {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Within which half, and 95 %, of its observations lie. */
  r50Metres: number;
  r95Metres: number;
  /** Power of two at or below their number. */
  samples: number;
  /** From reports; otherwise from an import alone. */
  isLearned: boolean;
  /** Only untrusted accounts vouch for it. */
  isUntrusted: boolean;
  /** Days since 1970, to 64 days; 0 if that is not known. */
  lastSeenDay: number;
}

/** Selected observations: the stations, their number, and of each its index and whether its level was sent. */
interface Selected {
  selected: SelectedStations;
  count: number;
  observation: Int32Array;
  levelSent: Int32Array;
}

/**
 * How a scan was compared with the map of a cell: its points, the observations behind it, and the cells that were
 * compared.
 */
interface Match {
  candidates: number;
  observations: number;
  cells: number;
}

/** Records one query. */
export class PositionRecorder {
  /** By observation; undefined for a station that is not known. */
  readonly known: (KnownRecord | undefined)[] = [];
  /** By observation. */
  readonly uses: Use[] = [];
  readonly estimates: EstimateRecord[] = [];
  readonly absent: { strategy: Strategy; why: AbsentReason }[] = [];
  readonly fallbacks: FallbackRecord[] = [];
  /**
   * Sources of the estimates that are joined into the answer, SOURCE_* bits; and the 50 % radius and covariance of
   * these, metres and square metres.
   */
  joined: { sources: number; radiusMetres: number; estimate: Estimate } | undefined;
  map: MapRecord | undefined;
  building: BuildingRecord | undefined;
  track: TrackRecord | undefined;
  readonly stages: Stage[] = [];
  private parts: Parts = {};
  private sinceMs = performance.now();

  /** Ends a stage. */
  stage(stage: string): void {
    const nowMs = performance.now();
    this.stages.push({ stage, microseconds: Math.round((nowMs - this.sinceMs) * 1000) });
    this.sinceMs = nowMs;
  }

  /** The stations were looked up, at first all, and again where cells were found by their codes. */
  lookedUp(query: QueryReader, stations: FoundStations): void {
    for (let i = 0; i < query.observations; i++) {
      const isKnown = stations.isKnown(i);
      this.known[i] = isKnown ? recordOf(stations, i) : undefined;
      this.uses[i] ??= { taken: isKnown ? 'tooFew' : 'unknown' };
      if (isKnown && this.uses[i].taken === 'unknown') this.uses[i] = { taken: 'tooFew' };
    }
  }

  /** The core has trapped, and the strategies begin again. */
  restart(): void {
    this.estimates.length = 0;
    this.absent.length = 0;
  }

  /** What became of a station. */
  take(observation: number, use: Use): void {
    this.uses[observation] = use;
  }

  /** A strategy has no estimate. */
  none(strategy: Strategy, why: AbsentReason): void {
    this.absent.push({ strategy, why });
  }

  /** Parts of the next estimate. */
  note(parts: Parts): void {
    this.parts = parts;
  }

  /** A strategy has an estimate, of the parts that were noted. */
  estimate(strategy: Strategy, estimate: Estimate): Estimate {
    this.estimates.push({ strategy, estimate, parts: this.parts, calibration: 1, radiusMetres: 0 });
    this.parts = {};
    return estimate;
  }

  /** Stations that agree are so many metres from a fix that is answered. */
  contradicted(estimate: Estimate, metres: number): void {
    const record = this.estimates.find(each => each.estimate === estimate);
    if (record !== undefined) record.parts = { ...record.parts, contradiction: metres ** 2 };
  }

  /** Tests have multiplied the radius of an estimate. */
  calibrated(estimate: Estimate, factor: number): void {
    const record = this.estimates.find(each => each.estimate === estimate);
    if (record !== undefined) record.calibration = factor;
  }

  /** Access points or beacons have been selected, and the core has located by those that belong together. */
  located(strategy: Strategy, { selected, count, observation, levelSent }: Selected, { taken, fix }: Located): void {
    const { takesPart, weight, robustWeight, fittedDbm, fittedExponent, levelDbm, parts } = selected;
    let part = 0;
    for (let s = 0; s < count; s++) {
      if (taken === 0 || takesPart[s] === 0) this.take(observation[s], { taken: 'apart' });
      else if (fix === undefined) this.take(observation[s], { taken: 'tooFew' });
      else {
        const expected =
          levelSent[s] === 1 ? 10 ** ((fittedDbm[part] - levelDbm[s]) / (10 * fittedExponent[part])) : undefined;
        this.take(observation[s], {
          taken: robustWeight[part] >= INLIER_WEIGHT ? 'used' : 'outlier',
          strategy,
          weight: weight[part] * robustWeight[part],
          ...(expected !== undefined && { expectedMetres: expected }),
        });
        part++;
      }
    }
    if (fix !== undefined) this.note({ levels: parts[0], geometry: parts[1], stations: parts[2] });
  }

  /** The map of a cell has located the device. */
  locatedInMap(
    estimate: Estimate,
    { match, ...rest }: Pick<MapRecord, 'observation' | 'isFollowed'> & { match: Match },
  ): void {
    const { candidates: points, observations, cells } = match;
    this.map = { ...rest, points, observations, cells };
    this.estimate('map', estimate);
  }

  /** A fallback has guessed a position. */
  guessed(bit: number, guesses: FallbackRecord['guesses'], estimate: Estimate): void {
    this.fallbacks.push({ bit, result: 'answered', guesses });
    this.note({ guess: 1 });
    this.estimate('fallback', estimate);
  }

  /** Estimates were joined into the answer. @param radiusOf 50 % radius of an estimate, metres */
  answer(joined: NonNullable<PositionRecorder['joined']>, radiusOf: (estimate: Estimate) => number): void {
    this.joined = joined;
    for (const record of this.estimates) record.radiusMetres = radiusOf(record.estimate);
    this.stage('joining');
  }

  /**
   * All access points and beacons were compared with the map of a building. @param estimate that takes the place of
   * theirs, if it does
   */
  comparedInBuilding(query: QueryReader, estimate: Estimate | undefined): void {
    if (estimate === undefined) {
      this.none('fingerprints', 'unlike');
      return;
    }
    for (let i = 0; i < query.firstCell; i++) this.take(i, { taken: 'compared', strategy: 'fingerprints' });
    for (const [strategy, sent] of [
      ['bluetooth', query.bluetooth],
      ['wifi', query.wifi],
    ] as const) {
      const isAbsent = this.absent.some(each => each.strategy === strategy);
      if (!isAbsent) this.none(strategy, sent > 0 ? 'replaced' : 'notSent');
    }
    const others = this.estimates.filter(each => each.strategy !== 'bluetooth' && each.strategy !== 'wifi');
    this.estimates.splice(0, Infinity, ...others);
    this.note({ likelihood: 1 });
    this.estimate('fingerprints', estimate);
    if (this.building !== undefined) this.building.isUsed = true;
  }
}

function recordOf(stations: FoundStations, i: number): KnownRecord {
  return {
    latitude: stations.latitude(i),
    longitude: stations.longitude(i),
    r50Metres: stations.r50Metres(i),
    r95Metres: stations.r95Metres(i),
    samples: stations.samples(i),
    isLearned: stations.isLearned(i),
    isUntrusted: stations.isUntrusted(i),
    lastSeenDay: stations.lastSeenDay(i),
  };
}
