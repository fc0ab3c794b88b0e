// What a capacity run found, as it stands in the JSON file: the page is drawn from it, and two of them can be compared.

import type { Machine } from '../machine.ts';
import type { Promised } from '../result.ts';
import type { CorrectedKind, Latencies, PredictedKnee } from './model.ts';
import type { Memory, SliceFigures } from './service.ts';

/** Raised when a member changes its meaning. */
export const REPORT_VERSION = 2;

/**
 * A rate with the slices of all rounds. p50, p99 and processor times are medians of the rounds; p99.9 is that of all
 * slices together.
 */
export interface RateFigures extends SliceFigures {
  rounds: SliceFigures[];
}

/**
 * A knee measured by the flood of each round, in arrivals a second, and their median; undefined if the service kept
 * pace in all.
 */
export interface MeasuredKnee {
  rounds: number[];
  rate?: number;
}

/** The second run of a scenario, at rates that the fit has not seen. */
export interface SecondRun {
  rates: (RateFigures & { predicted: Latencies })[];
  knee: MeasuredKnee;
  predictedKnee: PredictedKnee;
}

/** Processor time of a part of the work, microseconds a request. */
export interface Stage {
  stage: string;
  microseconds: number;
}

/** Limit of a scenario in targets.json. */
export interface ScenarioTarget {
  /** Arrivals a second. */
  rate: number;
  p99Milliseconds: number;
}

export interface ScenarioReport {
  name: string;
  about: string;
  /** The first run. */
  rates: RateFigures[];
  knee: MeasuredKnee;
  /** Missing if too few rates were below the knee. */
  model?: CorrectedKind;
  /** The model at rates up to its knee. */
  curve: ({ rate: number } & Latencies)[];
  second?: SecondRun;
  stages: Stage[];
  target?: ScenarioTarget;
}

/** One HTTP thread and two of them, each with as many workers, under the same scenario. */
export interface ThreadCost {
  scenario: string;
  httpThreads: number[];
  /** Before the first request. */
  memory: Memory[];
  /** The rate of the processor times. */
  rate: number;
  /** Processor time for a request, microseconds. */
  http: number[];
  process: number[];
  knees: MeasuredKnee[];
  /** Processor time of a busy HTTP thread for a request, of two threads to one. */
  doublingCost: number;
  /** Of the larger number of threads. */
  predictedKnee?: PredictedKnee;
}

/** Predicted knees of one scenario with one core more than HTTP threads, and no load generator on the machine. */
export interface CorePrediction {
  name: string;
  knees: (PredictedKnee & { cores: number; httpThreads: number })[];
}

export interface CapacityReport {
  version: number;
  /** ISO 8601, UTC. */
  date: string;
  machine: Machine;
  settings: { minutes: number; stations: number; seed: number; rounds: number; sliceSeconds: number };
  /** Pauses of the machine with all cores busy, as the spin probe saw them before each round. */
  pauses: { perSecond: number; lostShare: number; longestMilliseconds: number };
  scenarios: ScenarioReport[];
  /** Equal parts of some scenarios, which the fit never saw. */
  mix?: { about: string; second: SecondRun };
  cores: CorePrediction[];
  threads?: ThreadCost;
  /** Megabytes and bytes for a million more stations; missing with an operator's own data. */
  perMillionStations?: { memory: Memory; diskMegabytes: number };
  verdicts: Promised[];
}
