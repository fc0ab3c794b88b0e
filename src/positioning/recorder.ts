// Records how one query is answered. The code that answers calls it where it decides something, and only where somebody wants an explanation: nothing is computed a second
// time. src/answer/explain/ makes the explanation of what is recorded.

import type { QueryReader } from '../radio/query/reader.ts';
import type { FoundStations } from '../tables/stations/packed_station.ts';

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

/** A step of the answer, and how long it took. */
export interface Stage {
  stage: string;
  microseconds: number;
}

/** Records one query. */
export class PositionRecorder {
  /** By observation; undefined for a station that is not known. */
  readonly known: (KnownRecord | undefined)[] = [];
  /** Observations of stations that are known and left out, since they were sent too often beside others of places where they do not belong. */
  readonly strays: number[] = [];
  readonly stages: Stage[] = [];
  private sinceMs = performance.now();

  /** Ends a stage. */
  stage(stage: string): void {
    const nowMs = performance.now();
    this.stages.push({ stage, microseconds: Math.round((nowMs - this.sinceMs) * 1000) });
    this.sinceMs = nowMs;
  }

  /** All stations were looked up. */
  lookedUp(query: QueryReader, stations: FoundStations): void {
    for (let i = 0; i < query.observations; i++) this.known.push(stations.isKnown(i) ? recordOf(stations, i) : undefined);
    this.stage('lookup');
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
