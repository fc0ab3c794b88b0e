// A whole capacity run:
//
//   both runs each scenario at rates up to its knee, to fit the model, and in another process, which has to be
//   predicted
//   threads      a service with two HTTP threads
//   memory       a service with a tenth of the stations
//   stages       a service under V8's profiler

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../machine.ts';
import { runBoth } from './both_runs.ts';
import { fitServiceTime } from './fit.ts';
import { kneeOf } from './knee.ts';
import { predictKnee } from './model.ts';
import { FIRST_PARTS, FLOOD_PART, ROUNDS, ratesOf, sliceSecondsOf } from './plan.ts';
import { copyFolder, type Prepared, type StationWorld } from './prepare.ts';
import type { RunProgress } from './progress.ts';
import {
  type CapacityReport,
  type CorePrediction,
  type RateFigures,
  REPORT_VERSION,
  type ScenarioReport,
  type ThreadCost,
} from './report.ts';
import type { MeasuredSlice, Memory, Service } from './service.ts';
import { Session } from './session.ts';
import { readProfiles, stagesOf } from './stages.ts';
import { belowKnee, figuresByRate, storeRequests } from './sweep.ts';
import { judge, type Targets } from './targets.ts';

const TWO_THREADS = 2;
/** The scenario of threads, if it takes part. */
const THREADS_SCENARIO = 'phones';
/** Part of the knee at which stages and threads are compared. */
const COMPARED_PART = 0.5;
const CORES = [2, 4, 8, 16];
/** As `serve` chooses them. */
const HTTP_THREADS_MAX = 8;

/** What a run was asked for. */
export interface RunSettings {
  minutes: number;
  /** 0 for an operator's own data. */
  stations: number;
  seed: number;
  targets: Targets;
}

/** Runs all parts. @param prepared folder and scenarios */
export async function runCapacity(
  prepared: Prepared,
  settings: RunSettings,
  progress: RunProgress,
): Promise<CapacityReport> {
  const { targets, ...others } = settings;
  const { worlds } = prepared;
  const session = new Session(prepared, targets, sliceSecondsOf(settings.minutes, prepared.scenarios.length), progress);
  for (const scenario of prepared.scenarios) storeRequests(scenario, session.fileOf(scenario));
  const second = { ...prepared, folder: copyFolder(prepared.folder, join(prepared.scratch, 'second')) };
  const { scenarios, mix, memory } = await session.withService({ threads: 1 }, first =>
    session.withService({ threads: 1, world: second }, other => runBoth(session, first, other)),
  );
  const threads = await session.withService({ threads: TWO_THREADS }, service =>
    measureThreads(session, service, scenarios, memory),
  );
  const small =
    worlds && (await session.withService({ threads: 1, world: worlds[1] }, async service => service.memory()));
  await measureStages(session, scenarios);
  const report = {
    version: REPORT_VERSION,
    date: new Date().toISOString(),
    machine: describeMachine(),
    settings: { ...others, rounds: ROUNDS, sliceSeconds: session.sliceSeconds },
    pauses: session.describePauses(),
    scenarios,
    ...(mix && { mix }),
    cores: predictCores(session, scenarios, threads.doublingCost),
    threads,
    ...(worlds && small && { perMillionStations: perMillion(worlds, memory, small) }),
  };
  return { ...report, verdicts: judge(report, targets) };
}

/** One sweep of a service with two HTTP threads, beside the first run. @param memory of the service with one */
async function measureThreads(
  session: Session,
  service: Service,
  scenarios: readonly ScenarioReport[],
  memory: Memory,
): Promise<ThreadCost> {
  const report = scenarios.find(({ name }) => name === THREADS_SCENARIO) ?? scenarios[0];
  const scenario = session.prepared.scenarios.find(({ name }) => name === report.name)!;
  const memories = [memory, service.memory()];
  const capacity = await session.warm(service, scenario);
  session.progress.begin(`${TWO_THREADS} HTTP threads: ${scenario.name}`);
  const one = figuresNear(report, COMPARED_PART);
  const slices = await session.sweep(service, scenario, [
    ...ratesOf(FIRST_PARTS, capacity, session.sliceSeconds),
    one.rate,
  ]);
  const flood = await session.measureSlice(service, scenario, Math.round(FLOOD_PART * capacity));
  const figures = figuresByRate([slices]);
  const two = figures.find(({ rate }) => rate === one.rate) ?? figures[0];
  const [busyOne, busyTwo] = [busyTime(report.rates, 1), busyTime(figures, TWO_THREADS)];
  const doublingCost = busyOne === undefined || busyTwo === undefined ? 1 : busyTwo / busyOne;
  const predicted =
    report.model && predictKnee([{ share: 1, kind: report.model }], session.targetOf(TWO_THREADS, doublingCost));
  return {
    scenario: report.name,
    httpThreads: [1, TWO_THREADS],
    memory: memories,
    rate: two.rate,
    http: [one.http, two.http],
    process: [one.process, two.process],
    knees: [report.knee, kneeOf([flood])],
    doublingCost,
    ...(predicted && { predictedKnee: predicted }),
  };
}

/** Processor time of a busy HTTP thread for a request, microseconds; undefined if the service never kept pace. */
function busyTime(rates: readonly RateFigures[], threads: number): number | undefined {
  const points = belowKnee(rates).map(({ rate, http }) => ({
    idle: Math.max(0, 1 - (rate * http) / 1e6 / threads),
    microseconds: http,
  }));
  return points.length === 0 ? undefined : fitServiceTime(points).busy;
}

/** Each scenario for one slice under the profiler. The profiles are there when the service has ended. */
async function measureStages(session: Session, reports: readonly ScenarioReport[]): Promise<void> {
  const { scratch, scenarios } = session.prepared;
  const profileFolder = join(scratch, 'profiles');
  mkdirSync(profileFolder, { recursive: true });
  const profiled = await session.withService({ threads: 1, profileFolder }, async service => {
    const slices: MeasuredSlice[] = [];
    for (const scenario of scenarios) await session.warm(service, scenario);
    for (const [i, scenario] of scenarios.entries()) {
      session.progress.begin(`stages: ${scenario.name}`);
      slices.push(await session.measureSlice(service, scenario, figuresNear(reports[i], COMPARED_PART).rate));
    }
    return slices;
  });
  const profiles = readProfiles(profileFolder);
  for (const [i, report] of reports.entries())
    report.stages = stagesOf(profiles, profiled[i], figuresNear(report, COMPARED_PART));
}

function predictCores(session: Session, scenarios: readonly ScenarioReport[], doublingCost: number): CorePrediction[] {
  return scenarios.flatMap(({ name, model }) => {
    if (model === undefined) return [];
    const knees = CORES.map(cores => {
      const httpThreads = Math.min(HTTP_THREADS_MAX, cores - 1);
      const target = { ...session.targetOf(httpThreads, doublingCost), cores, hasGenerator: false };
      return { cores, httpThreads, ...predictKnee([{ share: 1, kind: model }], target) };
    });
    return [{ name, knees }];
  });
}

/** The measured rate nearest to a part of the knee. */
function figuresNear({ rates, knee }: ScenarioReport, part: number): RateFigures {
  const wanted = part * (knee.rate ?? rates[rates.length - 1].rate);
  return rates.reduce((best, each) => (Math.abs(each.rate - wanted) < Math.abs(best.rate - wanted) ? each : best));
}

function perMillion([large, small]: readonly [StationWorld, StationWorld], memory: Memory, smallMemory: Memory) {
  const millions = large.millions - small.millions;
  return {
    memory: { own: (memory.own - smallMemory.own) / millions, files: (memory.files - smallMemory.files) / millions },
    diskMegabytes: (large.tableBytes - small.tableBytes) / 2 ** 20 / millions,
  };
}
