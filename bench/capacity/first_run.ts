// The first run: each scenario at rates up to its knee, in rounds. Scenarios that leave work behind come last in each round. The model is fitted to the rates below
// the knee.

import { fitKind } from './fit.ts';
import { findKnee } from './knee.ts';
import { type Mix, predictKnee, predictLatencies } from './model.ts';
import { FIRST_PARTS, FIRST_ROUNDS, ratesOf, WARM_UPS } from './plan.ts';
import type { ScenarioReport } from './report.ts';
import type { Scenario } from './scenarios.ts';
import type { MeasuredSlice, Memory, Service } from './service.ts';
import type { Session } from './session.ts';
import { belowKnee, figuresByRate, kneesOf } from './sweep.ts';

/** A round that ends before the knee makes the rates of the next one higher. */
const RAISED = 1.3;
/** Rates of the model's line, in parts of its knee. */
const CURVE_PARTS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1];

/** Measures all scenarios. @returns their reports without models, and the memory before the first request */
export async function runFirst(session: Session, service: Service): Promise<{ scenarios: ScenarioReport[]; memory: Memory }> {
  const memory = service.memory();
  const { scenarios } = session.prepared;
  const capacities = new Map<Scenario, number>();
  const rounds = new Map<Scenario, MeasuredSlice[][]>(scenarios.map(scenario => [scenario, []]));
  for (let pass = 0; pass < WARM_UPS; pass++) {
    for (const scenario of scenarios) capacities.set(scenario, await session.warm(service, scenario));
  }
  for (let round = 0; round < FIRST_ROUNDS; round++) {
    await session.watchPauses();
    for (const scenario of scenarios) {
      session.progress.begin(`first run, round ${round + 1} of ${FIRST_ROUNDS}: ${scenario.name}`);
      const capacity = capacities.get(scenario)!;
      const target = session.targets.scenarios[scenario.name];
      const rates = [...ratesOf(FIRST_PARTS, capacity, session.sliceSeconds), ...(target === undefined ? [] : [target.rate])];
      const slices = await session.sweep(service, scenario, rates);
      rounds.get(scenario)!.push(slices);
      const reached = slices[slices.length - 1].rate;
      if (findKnee(slices) === undefined && reached === Math.max(...rates)) capacities.set(scenario, RAISED * capacity);
    }
  }
  const reports = scenarios.map(scenario => {
    const target = session.targets.scenarios[scenario.name];
    const measured = rounds.get(scenario)!;
    const { name, about } = scenario;
    return { name, about, rates: figuresByRate(measured), knee: kneesOf(measured), curve: [], stages: [], ...(target && { target }) };
  });
  return { scenarios: reports, memory };
}

/** Fits the model of a scenario. Without two rates below the knee there is none. */
export function fitScenario(session: Session, scenario: ScenarioReport): void {
  const below = belowKnee(scenario.rates);
  if (below.length < 2) return;
  scenario.model = fitKind(below, session.threadsOf(1), session.pauses());
  const mix: Mix = [{ share: 1, kind: scenario.model }];
  const knee = predictKnee(mix, session.targetOf(1));
  scenario.curve = CURVE_PARTS.map(part => ({ rate: part * knee.rate, ...predictLatencies(mix, part * knee.rate, session.targetOf(1)) }));
}
