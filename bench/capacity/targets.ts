// The limits that a capacity run is judged by, in targets.json: for each scenario the p99 at a rate, and how far the
// model may be off.

import type { Promised } from '../result.ts';
import type { CapacityReport, ScenarioReport, ScenarioTarget, SecondRun } from './report.ts';

/** Limits of a run. */
export interface Targets {
  scenarios: Record<string, ScenarioTarget>;
  /** Relative errors, 0..1. */
  prediction: { knee: number; p99: number };
}

/**
 * Reads the text of a file of targets. @throws Error with a full sentence when a member is missing or no positive
 * number
 */
export function parseTargets(text: string): Targets {
  const value = JSON.parse(text) as Partial<Targets>;
  const requirePositive = (number: unknown, where: string) => {
    if (typeof number !== 'number' || !(number > 0)) throw new Error(`The targets need a positive number at ${where}.`);
  };
  if (typeof value.scenarios !== 'object' || value.scenarios === null)
    throw new Error('The targets need the member scenarios.');
  for (const [name, target] of Object.entries(value.scenarios)) {
    requirePositive(target?.rate, `scenarios.${name}.rate`);
    requirePositive(target?.p99Milliseconds, `scenarios.${name}.p99Milliseconds`);
  }
  requirePositive(value.prediction?.knee, 'prediction.knee');
  requirePositive(value.prediction?.p99, 'prediction.p99');
  return value as Targets;
}

/**
 * The verdicts of a run: one for the p99 of each scenario that has a target, and two for the predictions of each second
 * run.
 */
export function judge(report: Omit<CapacityReport, 'verdicts'>, { prediction }: Targets): Promised[] {
  return [
    ...report.scenarios.flatMap(judgeP99),
    ...report.scenarios.flatMap(({ name, second }) => judgePrediction(name, second, prediction)),
    ...(report.mix === undefined ? [] : judgePrediction('mix', report.mix.second, prediction)),
  ];
}

/** Relative error of the predicted knee; undefined without a measured one. */
export function kneeError({ knee, predictedKnee }: SecondRun): number | undefined {
  return knee.rate === undefined ? undefined : predictedKnee.rate / knee.rate - 1;
}

/** Relative error of the predicted p99 at each rate of the second run. */
export function p99Errors({ rates }: SecondRun): number[] {
  return rates.map(({ p99, predicted }) => predicted.p99 / p99 - 1);
}

function judgeP99({ name, rates, target }: ScenarioReport): Promised[] {
  if (target === undefined) return [];
  const promise = `${name}: p99 at ${target.rate}/s at most ${target.p99Milliseconds} ms`;
  const measured = rates.find(({ rate }) => rate === target.rate);
  if (measured === undefined) return [{ promise, figure: 'the service falls behind before', met: false }];
  const milliseconds = measured.p99 / 1000;
  return [{ promise, figure: `${milliseconds.toFixed(2)} ms`, met: milliseconds <= target.p99Milliseconds }];
}

function judgePrediction(name: string, second: SecondRun | undefined, limits: Targets['prediction']): Promised[] {
  if (second === undefined) {
    return [
      {
        promise: `${name}: the model predicts a second run`,
        figure: 'no knee, or too few rates below it, to fit it to',
        met: false,
      },
    ];
  }
  const percent = (error: number) => `${error > 0 ? '+' : ''}${(100 * error).toFixed(0)} %`;
  const knee = kneeError(second);
  const errors = p99Errors(second);
  return [
    {
      promise: `${name}: predicted knee within ${100 * limits.knee} %`,
      figure: knee === undefined ? 'no knee was measured' : percent(knee),
      met: knee !== undefined && Math.abs(knee) <= limits.knee,
    },
    {
      promise: `${name}: predicted p99 within ${100 * limits.p99} % at ${errors.length} unseen rates`,
      figure: errors.map(percent).join(', '),
      met: errors.every(error => Math.abs(error) <= limits.p99),
    },
  ];
}
