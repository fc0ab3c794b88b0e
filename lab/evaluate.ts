// Evaluates sets as lab/evaluation/ does, and simple methods on the same split; then each set once more by services
// whose radii have not seen it. Sets of cells are pooled.

import { cellBaselines, wifiBaselines } from './baselines.ts';
import { Tally } from './evaluation/accuracy.ts';
import {
  type Comparison,
  comparisonOf,
  type Evaluation,
  evaluateSet,
  heldBack,
  type SetResult,
  trainingScans,
} from './evaluation/evaluate.ts';
import type { ScanSet, SetKind } from './evaluation/scan_file.ts';
import { honestFactors, pooledTally } from './tallies.ts';
import { type Priors, priorsOf, type Scale, scaleWithout } from './unseen.ts';

/** What to evaluate, and how. */
export interface LabEvaluation extends Omit<Evaluation, 'folds' | 'withService'> {
  sets: readonly ScanSet[];
  /** By default those of `usualFolds`. */
  folds: readonly number[] | undefined;
  /** True if a second service, with priors that have not seen the set, measures itself on the training tracks. */
  isUnseen: boolean;
  /**
   * Runs a part of the evaluation against a service; with training, against one that knows nothing yet.
   * @param priors for a service that measures itself from there
   */
  withService<T>(part: (address: { url: string; key: string }) => Promise<T>, priors?: Priors): Promise<T>;
}

/** The figures of all methods on one set, or pooled over several. */
export interface LabComparison extends Comparison {
  /** Factors of the radii for 50, 68 and 95 % from all other sets, with which the unseen service began. */
  scale?: Scale | undefined;
}

interface LabResult extends SetResult {
  scale?: Scale;
}

/** A service with priors that have not seen the set, and which measures itself from there. */
const UNSEEN = 'sextant, unseen';
const POOL = 'all cells';

/** The folds tested by default: fold 1 for walks, otherwise those of the reference split that are shared. */
export function usualFolds(kind: SetKind): readonly number[] {
  return kind === 'walks' ? [1] : [1, 2, 3, 4];
}

/** Evaluates the sets one after the other, and pools those of cells. @throws Error for the user */
export async function evaluateSets(evaluation: LabEvaluation): Promise<LabComparison[]> {
  const results: LabResult[] = [];
  for (const set of evaluation.sets) {
    const folds = evaluation.folds ?? usualFolds(set.kind);
    const found = await evaluateSet(set, { ...evaluation, folds });
    const [service, ...followed] = found.methods;
    results.push({ ...found, methods: [service, ...(await evaluateBaselines(set, folds)), ...followed] });
  }
  const shown = evaluation.isUnseen ? await withUnseen(results, evaluation) : results;
  const cells = shown.filter(({ set }) => set.kind === 'cells');
  const comparisons = shown.map(result => ({ ...comparisonOf(result), scale: result.scale }));
  // The scans of several sets may have the same names, so the pool has no worst cases.
  if (cells.length > 1) comparisons.push({ ...comparisonOf(pooled(cells)), set: POOL, worst: [], scale: undefined });
  return comparisons;
}

/** The simple methods on the split of the service. */
async function evaluateBaselines(set: ScanSet, folds: readonly number[]): Promise<SetResult['methods']> {
  const makeBaselines = set.kind === 'cells' ? cellBaselines : wifiBaselines;
  const methods = makeBaselines().names.map(method => ({ method, tally: new Tally() }));
  for (const fold of folds) {
    const baselines = makeBaselines();
    for await (const scan of trainingScans(set, fold)) baselines.train(scan);
    for await (const scan of heldBack(set, fold))
      for (const [i, answer] of baselines.answer(scan).entries()) methods[i].tally.add(scan, answer);
  }
  return methods;
}

/** Puts the figures of services that have not seen the sets before those of the service that was fitted to them. */
async function withUnseen(results: readonly LabResult[], evaluation: LabEvaluation): Promise<LabResult[]> {
  const fitted = results.map(({ set: { name, kind }, methods: [{ tally }] }) => ({
    name,
    kind,
    factors: honestFactors(tally),
  }));
  const shown: LabResult[] = [];
  for (const result of results) {
    const { set, folds, methods } = result;
    const scale = scaleWithout(set, fitted);
    const priors = priorsOf(set, scale);
    const found = await evaluateSet(set, {
      ...evaluation,
      folds,
      isTrained: true,
      isFollowed: false,
      withService: part => evaluation.withService(part, priors),
      onProgress: text => evaluation.onProgress(`unseen: ${text}`),
    });
    shown.push({ ...result, methods: [{ method: UNSEEN, tally: found.methods[0].tally }, ...methods], scale });
  }
  return shown;
}

/** Pools sets of one kind, which have the same methods. */
function pooled(results: readonly LabResult[]): SetResult {
  const [first] = results;
  const methods = first.methods.map(({ method }, i) => ({
    method,
    tally: pooledTally(results.map(each => each.methods[i].tally)),
  }));
  return { ...first, methods };
}
