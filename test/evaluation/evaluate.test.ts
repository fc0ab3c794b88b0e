import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Evaluation, evaluate } from '../../src/evaluation/evaluate.ts';
import { foldOf } from '../../src/evaluation/folds.ts';
import { openScans } from '../../src/evaluation/scan_file.ts';
import type { Priors } from '../../src/evaluation/unseen.ts';
import { distanceMetres } from '../../src/geo/distance.ts';
import { KIND_LTE } from '../../src/radio/kind.ts';
import { cellLine, ScanFolder } from './scan_folder.ts';
import { TeachableService } from './teachable_service.ts';

let folder: ScanFolder;
const services: TeachableService[] = [];

beforeEach(() => {
  folder = new ScanFolder();
});

afterEach(async () => {
  folder.remove();
  for (const service of services.splice(0)) await service.stop();
});

/** An evaluation with a new service for each fold, in whose time every pause is over at once. */
function evaluation(sets: Evaluation['sets'], options: Partial<Evaluation> = {}): Evaluation {
  let now = 0;
  return {
    sets,
    folds: undefined,
    isTrained: true,
    async withService(part) {
      const service = await TeachableService.start();
      services.push(service);
      return part(service);
    },
    clock: {
      now: () => now,
      async sleep(milliseconds) {
        now += milliseconds;
      },
    },
    onProgress() {},
    ...options,
  };
}

/** Twenty tracks of ten scans along a street; each hears the cell of its number. */
function street(): object[] {
  return Array.from({ length: 200 }, (_, i) => cellLine(`track ${i % 20}`, 50 + i / 10_000, 4, Math.floor(i / 40), 1000 * i));
}

test('a set is evaluated again with radii that are right for all other sets, and those figures come first', async () => {
  const sets = [await openScans(folder.write('one.jsonl', street())), await openScans(folder.write('two.jsonl', street()))];
  const priors: (Priors | undefined)[] = [];
  const withService: Evaluation['withService'] = async (part, given) => {
    priors.push(given);
    const service = await TeachableService.start();
    services.push(service);
    return part(service);
  };
  const comparisons = await evaluate(evaluation(sets, { folds: [1], isUnseen: true, withService }));
  expect(priors.slice(0, 2)).toEqual([undefined, undefined]);
  expect(priors).toHaveLength(4);
  for (const { methods } of comparisons) expect(methods.slice(0, 2).map(({ method }) => method)).toEqual(['sextant, unseen', 'sextant']);
  // The services in this test do not measure themselves: what both sets say differs by the same.
  const [{ scale, methods }] = comparisons;
  expect(scale).toHaveLength(3);
  expect(priors[2]!.get(KIND_LTE)).toEqual(scale);
  expect(methods[0].accuracy).toEqual(methods[1].accuracy);
});

test('each fold is located by a service that was taught all other tracks and no scan of its own', async () => {
  const set = await openScans(folder.write('street.jsonl.gz', street()));
  const comparisons = await evaluate(evaluation([set]));
  expect(services).toHaveLength(4);
  let tested = 0;
  for (const [i, service] of services.entries()) {
    const fold = i + 1;
    const taught = service.batches.flat().map(({ timestamp }) => timestamp! / 1000);
    const rest = Array.from({ length: 200 }, (_, at) => at);
    expect(taught.toSorted((a, b) => a - b)).toEqual(rest.filter(at => foldOf(`track ${at % 20}`) !== fold));
    for (const batch of service.batches) {
      const tracks = new Set(batch.map(({ timestamp }) => (timestamp! / 1000) % 20));
      expect(tracks.size).toBe(1);
      expect(batch.map(({ timestamp }) => timestamp)).toEqual(batch.map(({ timestamp }) => timestamp).toSorted((a, b) => a! - b!));
    }
    const held = rest.filter(at => foldOf(`track ${at % 20}`) === fold);
    // Each is asked for with the radii of three shares.
    for (const share of [undefined, 68, 95]) {
      const asked = service.questions.slice(-3 * held.length).filter(({ confidence }) => confidence === share);
      expect(asked.map(({ timestamp }) => timestamp! / 1000).toSorted((a, b) => a - b)).toEqual(held);
    }
    tested += held.length;
  }
  expect(comparisons[0]).toMatchObject({ set: 'street', kind: 'cells', folds: [1, 2, 3, 4] });
  // The service in this test does what the first baseline does, and says 100 m.
  const [sextant, serving] = comparisons[0].methods;
  expect(sextant).toMatchObject({ method: 'sextant', accuracy: { tested, answered: tested, answeredShare: 1 } });
  expect(sextant.accuracy.median).toBeCloseTo(serving.accuracy.median!, 6);
  expect(sextant.accuracy.p95).toBeCloseTo(serving.accuracy.p95!, 6);
  expect(sextant.accuracy.inside95Share).toBeGreaterThan(sextant.accuracy.inside68Share!);
  expect(sextant.accuracy.inside68Share).toBeGreaterThan(sextant.accuracy.insideShare!);
  expect(serving.accuracy).toMatchObject({ inside68Share: null, inside95Share: null });
  const worst = comparisons[0].worst[0];
  const at = Number(worst.scan.slice('line '.length)) - 1;
  expect(worst.errorMetres).toBeLessThan(distanceMetres(50, 4, 50.004, 4));
  expect([0, 39]).toContain(at % 40);
});

test('the same evaluation gives the same results', async () => {
  const sets = [await openScans(folder.write('street.jsonl', street()))];
  const results = await evaluate(evaluation(sets, { folds: [2] }));
  expect(await evaluate(evaluation(sets, { folds: [2] }))).toEqual(results);
});

test('devices are followed through the tracks held back: in the order of time, each request with the state of the answer before', async () => {
  const untimed = cellLine('track 1', 50, 4, 0);
  const set = await openScans(folder.write('street.jsonl', [...street().reverse(), untimed]));
  const [{ methods }] = await evaluate(evaluation([set], { folds: [1], isFollowed: true }));
  const followed = services[0].questions.filter(({ id }) => id !== undefined);
  const held = Array.from({ length: 20 }, (_, track) => track).filter(track => foldOf(`track ${track}`) === 1);
  expect(new Set(followed.map(({ id }) => id))).toEqual(new Set(held.map(track => `track ${track}`)));
  for (const track of held) {
    const asked = followed.filter(({ id }) => id === `track ${track}`);
    const times = Array.from({ length: 10 }, (_, step) => 1000 * (track + 20 * step));
    expect(asked.map(({ timestamp }) => timestamp)).toEqual(times);
    expect(asked.map(({ state }) => state)).toEqual([undefined, ...times.slice(0, -1).map(time => `track ${track} ${time}`)]);
  }
  // This service answers the same with a state as without.
  const { accuracy } = methods.at(-1)!;
  expect(methods.at(-1)!.method).toBe('sextant, followed');
  expect(accuracy).toMatchObject({ tested: 10 * held.length, answered: 10 * held.length, inside68Share: null });
  expect(services[0].questions.filter(({ id, state }) => id === undefined && state !== undefined)).toEqual([]);
});

test('without training nothing is contributed, and sets of cells are pooled', async () => {
  const sets = [await openScans(folder.write('one.jsonl', street())), await openScans(folder.write('two.jsonl', street().slice(0, 100)))];
  const comparisons = await evaluate(evaluation(sets, { isTrained: false }));
  expect(services.flatMap(({ batches }) => batches)).toEqual([]);
  const tested = comparisons.map(({ set, methods }) => [set, methods[0].accuracy.tested, methods[0].accuracy.answered]);
  expect(tested.slice(0, 2).map(([set, , answered]) => [set, answered])).toEqual([
    ['one', 0],
    ['two', 0],
  ]);
  expect(tested[2]).toEqual(['all cells', (tested[0][1] as number) + (tested[1][1] as number), 0]);
  expect(comparisons[2].methods[1].accuracy.answered).toBe(tested[2][1]);
});

test('a service that learns nothing ends the evaluation with an error message', async () => {
  const set = await openScans(folder.write('street.jsonl', street()));
  const withService: Evaluation['withService'] = async part => {
    const service = await TeachableService.start();
    service.isDeaf = true;
    services.push(service);
    return part(service);
  };
  await expect(evaluate(evaluation([set], { withService }))).rejects.toThrow(
    'Ten minutes after the last training scans the service has not learned them: none of them is answered.',
  );
});

test('folds without a scan are refused', async () => {
  const set = await openScans(folder.write('one.jsonl', [cellLine('0', 50, 4, 1)]));
  await expect(evaluate(evaluation([set], { folds: [1], isTrained: false }))).rejects.toThrow(
    /holds no scan of the folds 1: there is nothing to test/,
  );
});
