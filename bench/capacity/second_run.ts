// The second run judges the model: a new process, rates that the fit has not seen, and a mix of scenarios that was never measured.

import { type Mix, type PredictedKnee, predictKnee, predictLatencies } from './model.ts';
import { ratesOf, SECOND_PARTS, SECOND_ROUNDS, UNSEEN_PARTS } from './plan.ts';
import type { CapacityReport, ScenarioReport, SecondRun } from './report.ts';
import { mixScenarios, type Scenario } from './scenarios.ts';
import type { MeasuredSlice, Service } from './service.ts';
import type { Session } from './session.ts';
import { figuresByRate, kneesOf, storeRequests } from './sweep.ts';

/** Scenarios of the mix. */
const MIXED = ['trackers', 'addresses', 'reverse'];

/** One scenario, or the mix, with its predicted knee and the rounds so far. */
interface Asked {
  scenario: Scenario;
  mix: Mix;
  knee: PredictedKnee;
  rounds: MeasuredSlice[][];
}

/**
 * Measures every scenario that has a model, and puts the second run into its report.
 * @returns that of the mix; undefined unless all of its scenarios take part
 */
export async function runSecond(session: Session, service: Service, reports: readonly ScenarioReport[]): Promise<CapacityReport['mix']> {
  const asked = reports.flatMap(report => {
    const scenario = session.prepared.scenarios.find(({ name }) => name === report.name);
    return scenario === undefined || report.model === undefined
      ? []
      : [{ report, ...ask(session, scenario, [{ share: 1, kind: report.model }]) }];
  });
  const parts = asked.filter(({ report }) => MIXED.includes(report.name));
  let mixed: Asked | undefined;
  if (parts.length === MIXED.length) {
    const scenario = mixScenarios(parts.map(part => part.scenario));
    storeRequests(scenario, session.fileOf(scenario));
    mixed = ask(
      session,
      scenario,
      parts.map(({ mix: [{ kind }] }) => ({ share: 1 / parts.length, kind })),
    );
  }
  const all: Asked[] = [...(mixed === undefined ? [] : [mixed]), ...asked];
  for (const { scenario } of all) await session.warm(service, scenario);
  for (let round = 0; round < SECOND_ROUNDS; round++) {
    for (const { scenario, knee, rounds } of all) {
      session.progress.begin(`second run, round ${round + 1} of ${SECOND_ROUNDS}: ${scenario.name}`);
      const rates = ratesOf(SECOND_PARTS, knee.rate, session.sliceSeconds);
      rounds.push(await session.sweep(service, scenario, rates));
    }
  }
  for (const each of asked) each.report.second = compared(session, each);
  return mixed && { about: mixed.scenario.about, second: compared(session, mixed) };
}

function ask(session: Session, scenario: Scenario, mix: Mix): Asked {
  return { scenario, mix, knee: predictKnee(mix, session.targetOf(1)), rounds: [] };
}

function compared(session: Session, { mix, knee, rounds }: Asked): SecondRun {
  const unseen = figuresByRate(rounds).slice(0, UNSEEN_PARTS.length);
  const rates = unseen.map(figures => ({ ...figures, predicted: predictLatencies(mix, figures.rate, session.targetOf(1)) }));
  return { rates, knee: kneesOf(rounds), predictedKnee: knee };
}
