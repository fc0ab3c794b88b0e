import { afterEach, beforeEach, expect, test } from 'vitest';
import { cellBaselines } from '../../lab/baselines.ts';
import { evaluateSets, type LabEvaluation } from '../../lab/evaluate.ts';
import { openScans } from '../../lab/evaluation/scan_file.ts';
import type { Priors } from '../../lab/unseen.ts';
import { KIND_LTE } from '../../src/radio/kind.ts';
import { ScanFolder } from './evaluation/scan_folder.ts';
import { street, teachableEvaluation } from './evaluation/teachable_evaluation.ts';
import { TeachableService } from './evaluation/teachable_service.ts';

let folder: ScanFolder;
const services: TeachableService[] = [];

beforeEach(() => {
  folder = new ScanFolder();
});

afterEach(async () => {
  folder.remove();
  for (const service of services.splice(0)) await service.stop();
});

function evaluation(sets: LabEvaluation['sets'], options: Partial<LabEvaluation> = {}): LabEvaluation {
  return { ...teachableEvaluation(services), sets, folds: undefined, isUnseen: false, ...options };
}

test('a set is evaluated again with radii that are right for all other sets, and those figures come first', async () => {
  const sets = [
    await openScans(folder.write('one.jsonl', street())),
    await openScans(folder.write('two.jsonl', street())),
  ];
  const priors: (Priors | undefined)[] = [];
  const withService: LabEvaluation['withService'] = async (part, given) => {
    priors.push(given);
    const service = await TeachableService.start();
    services.push(service);
    return part(service);
  };
  const comparisons = await evaluateSets(evaluation(sets, { folds: [1], isUnseen: true, withService }));
  expect(priors.slice(0, 2)).toEqual([undefined, undefined]);
  expect(priors).toHaveLength(4);
  for (const { methods } of comparisons)
    expect(methods.slice(0, 2).map(({ method }) => method)).toEqual(['sextant, unseen', 'sextant']);
  // The services in this test do not measure themselves: what both sets say differs by the same.
  const [{ scale, methods }] = comparisons;
  expect(scale).toHaveLength(3);
  expect(priors[2]!.get(KIND_LTE)).toEqual(scale);
  expect(methods[0].accuracy).toEqual(methods[1].accuracy);
});

test(
  'simple methods are trained and tested on the split of the service, and stand between it and devices that are ' +
    'followed',
  async () => {
    const sets = [await openScans(folder.write('street.jsonl', street()))];
    const [{ set, folds, methods }] = await evaluateSets(evaluation(sets, { isFollowed: true }));
    expect({ set, folds }).toEqual({ set: 'street', folds: [1, 2, 3, 4] });
    const names = methods.map(({ method }) => method);
    expect([names[0], names.at(-1)]).toEqual(['sextant', 'sextant, followed']);
    expect(names.slice(1, -1)).toEqual(cellBaselines().names);
    // The service in this test does what the first baseline does, and says 100 m.
    const [sextant, serving] = methods;
    expect(serving.accuracy.tested).toBe(sextant.accuracy.tested);
    expect(sextant.accuracy.median).toBeCloseTo(serving.accuracy.median!, 6);
    expect(sextant.accuracy.p95).toBeCloseTo(serving.accuracy.p95!, 6);
    expect(serving.accuracy).toMatchObject({ inside68Share: null, inside95Share: null });
  },
);

test('without training nothing is contributed, and sets of cells are pooled', async () => {
  const sets = [
    await openScans(folder.write('one.jsonl', street())),
    await openScans(folder.write('two.jsonl', street().slice(0, 100))),
  ];
  const comparisons = await evaluateSets(evaluation(sets, { isTrained: false }));
  expect(services.flatMap(({ batches }) => batches)).toEqual([]);
  const tested = comparisons.map(({ set, methods }) => [set, methods[0].accuracy.tested, methods[0].accuracy.answered]);
  expect(tested.slice(0, 2).map(([set, , answered]) => [set, answered])).toEqual([
    ['one', 0],
    ['two', 0],
  ]);
  expect(tested[2]).toEqual(['all cells', (tested[0][1] as number) + (tested[1][1] as number), 0]);
  expect(comparisons[2].worst).toEqual([]);
  expect(comparisons[2].methods[1].accuracy.answered).toBe(tested[2][1]);
});
