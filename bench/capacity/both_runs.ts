// Measures what the model is fitted to, and what it must predict. The first run takes each scenario through its rates
// up to a flood. The second run judges the model: another process, rates that the fit has not seen, and a mix of
// scenarios that was never measured. Both take turns, scenario by scenario, so that a drift of the machine is not
// mistaken for a fault of the model. Nothing of the second run reaches the fit.

import { fitKind } from './fit.ts';
import { isFlooded, kneeOf } from './knee.ts';
import { correctKind, type Mix, predictKnee, predictLatencies } from './model.ts';
import { FIRST_PARTS, FLOOD_PART, ROUNDS, ratesOf, UNSEEN_PARTS, WARM_UPS } from './plan.ts';
import type { CapacityReport, ScenarioReport, SecondRun } from './report.ts';
import { mixScenarios, type Scenario } from './scenarios.ts';
import type { MeasuredSlice, Memory, Service } from './service.ts';
import type { Session } from './session.ts';
import { belowKnee, figuresByRate, figuresOf, storeRequests } from './sweep.ts';

/** Scenarios of the mix. */
const MIXED = ['trackers', 'addresses', 'reverse'];
/** A service that keeps pace with a flood gets a larger one at once: its closed loop met a busy machine. */
const RAISED = 2;
const FLOODS_MAX = 5;
/** Rates of the model's line, in parts of its knee. */
const CURVE_PARTS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1];

/** A scenario in one run. */
interface Course {
  service: Service;
  scenario: Scenario;
  parts: readonly number[];
  /** Answers a second of a closed loop. */
  capacity: number;
  floodPart: number;
  rounds: MeasuredSlice[][];
  floods: MeasuredSlice[];
}

/** What both runs found. */
export interface BothRuns {
  scenarios: ScenarioReport[];
  /** Missing unless all scenarios of the mix take part and have a model. */
  mix?: NonNullable<CapacityReport['mix']>;
  /** Of the first service, before the first request. */
  memory: Memory;
}

/** Measures and predicts. @param other of a data folder with the same content as the first one's */
export async function runBoth(session: Session, first: Service, other: Service): Promise<BothRuns> {
  const memory = first.memory();
  const { scenarios } = session.prepared;
  const mix = mixOf(session);
  if (mix !== undefined) storeRequests(mix, session.fileOf(mix));
  const pairs = scenarios.map(scenario => ({
    first: courseOf(first, scenario, FIRST_PARTS),
    second: courseOf(other, scenario, UNSEEN_PARTS),
  }));
  const mixCourse = mix && courseOf(other, mix, UNSEEN_PARTS);
  const courses = [
    ...pairs.flatMap(({ first, second }) => [first, second]),
    ...(mixCourse === undefined ? [] : [mixCourse]),
  ];
  for (let pass = 0; pass < WARM_UPS; pass++) {
    for (const course of courses) course.capacity = await session.warm(course.service, course.scenario);
  }
  for (let round = 0; round < ROUNDS; round++) {
    await session.watchPauses();
    for (const course of courses) {
      session.progress.begin(`round ${round + 1} of ${ROUNDS}: ${course.scenario.name}`);
      await measureRound(session, course);
    }
  }
  const reports = pairs.map(({ first, second }) => reportOf(session, first, second));
  return { scenarios: reports, memory, ...(mixCourse && reportMix(session, mixCourse, reports)) };
}

/** The scenarios of the mix in equal parts, if all take part. */
function mixOf({ prepared }: Session): Scenario | undefined {
  const parts = MIXED.flatMap(name => prepared.scenarios.find(scenario => scenario.name === name) ?? []);
  return parts.length === MIXED.length ? mixScenarios(parts) : undefined;
}

function courseOf(service: Service, scenario: Scenario, parts: readonly number[]): Course {
  return { service, scenario, parts, capacity: 0, floodPart: FLOOD_PART, rounds: [], floods: [] };
}

async function measureRound(session: Session, course: Course): Promise<void> {
  const target = course.parts === FIRST_PARTS ? session.targets.scenarios[course.scenario.name] : undefined;
  const { service, scenario, parts, capacity } = course;
  const rates = [...ratesOf(parts, capacity, session.sliceSeconds), ...(target === undefined ? [] : [target.rate])];
  course.rounds.push(await session.sweep(service, scenario, rates));
  for (let tries = 0; tries < FLOODS_MAX; tries++) {
    const flood = await session.measureSlice(service, scenario, Math.round(course.floodPart * capacity));
    course.floods.push(flood);
    if (isFlooded(flood)) break;
    course.floodPart *= RAISED;
  }
}

/** The report of a scenario. Without two rates below the knee, or without a knee, it has no model and no second run. */
function reportOf(session: Session, first: Course, second: Course): ScenarioReport {
  const { name, about } = first.scenario;
  const target = session.targets.scenarios[name];
  session.progress.begin(`fitting the model: ${name}`);
  const rates = figuresByRate([...first.rounds, first.floods]);
  const report = { name, about, rates, knee: kneeOf(first.floods), curve: [], stages: [], ...(target && { target }) };
  const below = belowKnee(figuresByRate(first.rounds));
  const floods = first.floods.filter(isFlooded);
  if (below.length < 2 || floods.length === 0) return report;
  const own = session.targetOf(1);
  const model = correctKind(fitKind(below, figuresOf(floods), session.threadsOf(1), session.pauses()), below, own);
  const mix: Mix = [{ share: 1, kind: model }];
  const knee = predictKnee(mix, own).rate;
  const curve = CURVE_PARTS.map(part => ({ rate: part * knee, ...predictLatencies(mix, part * knee, own) }));
  return { ...report, model, curve, second: compared(session, second, mix) };
}

/** Nothing, unless all scenarios of the mix have a model. */
function reportMix(session: Session, course: Course, reports: readonly ScenarioReport[]): Pick<BothRuns, 'mix'> {
  const kinds = reports.filter(({ name }) => MIXED.includes(name)).flatMap(({ model }) => model ?? []);
  if (kinds.length < MIXED.length) return {};
  const parts = kinds.map(kind => ({ share: 1 / kinds.length, kind }));
  return { mix: { about: course.scenario.about, second: compared(session, course, parts) } };
}

function compared(session: Session, { rounds, floods }: Course, mix: Mix): SecondRun {
  const target = session.targetOf(1);
  const rates = figuresByRate(rounds).map(figures => ({
    ...figures,
    predicted: predictLatencies(mix, figures.rate, target),
  }));
  return { rates, knee: kneeOf(floods), predictedKnee: predictKnee(mix, target) };
}
