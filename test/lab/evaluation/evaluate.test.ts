import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Comparison, comparisonOf, type Evaluation, evaluateSet } from '../../../lab/evaluation/evaluate.ts';
import { foldOf } from '../../../lab/evaluation/folds.ts';
import { openScans, type ScanSet } from '../../../lab/evaluation/scan_file.ts';
import { distanceMetres } from '../../../src/geo/distance.ts';
import { cellLine, ScanFolder, YEAR_2000_MS } from './scan_folder.ts';
import { street, teachableEvaluation } from './teachable_evaluation.ts';
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

async function compared(set: ScanSet, options: Partial<Evaluation> = {}): Promise<Comparison> {
  return comparisonOf(await evaluateSet(set, teachableEvaluation(services, options)));
}

test('each fold is located by a service that was taught all other tracks and no scan of its own', async () => {
  const set = await openScans(folder.write('street.jsonl.gz', street()));
  const comparison = await compared(set);
  expect(services).toHaveLength(4);
  let tested = 0;
  for (const [i, service] of services.entries()) {
    const fold = i + 1;
    const taught = service.batches.flat().map(({ timestamp }) => (timestamp! - YEAR_2000_MS) / 1000);
    const rest = Array.from({ length: 200 }, (_, at) => at);
    expect(taught.toSorted((a, b) => a - b)).toEqual(rest.filter(at => foldOf(`track ${at % 20}`) !== fold));
    for (const batch of service.batches) {
      const tracks = new Set(batch.map(({ timestamp }) => ((timestamp! - YEAR_2000_MS) / 1000) % 20));
      expect(tracks.size).toBe(1);
      expect(batch.map(({ timestamp }) => timestamp)).toEqual(
        batch.map(({ timestamp }) => timestamp).toSorted((a, b) => a! - b!),
      );
    }
    const held = rest.filter(at => foldOf(`track ${at % 20}`) === fold);
    // Each is asked for with the radii of three shares.
    for (const share of [undefined, 68, 95]) {
      const asked = service.questions.slice(-3 * held.length).filter(({ confidence }) => confidence === share);
      expect(asked.map(({ timestamp }) => (timestamp! - YEAR_2000_MS) / 1000).toSorted((a, b) => a - b)).toEqual(held);
    }
    tested += held.length;
  }
  expect(comparison).toMatchObject({ set: 'street', kind: 'cells', folds: [1, 2, 3, 4] });
  const { method, accuracy } = comparison.methods[0];
  expect(comparison.methods).toHaveLength(1);
  expect({ method, accuracy }).toMatchObject({
    method: 'sextant',
    accuracy: { tested, answered: tested, answeredShare: 1 },
  });
  expect(accuracy.inside95Share).toBeGreaterThan(accuracy.inside68Share!);
  expect(accuracy.inside68Share).toBeGreaterThan(accuracy.insideShare!);
  const worst = comparison.worst[0];
  const at = Number(worst.scan.slice('line '.length)) - 1;
  expect(worst.errorMetres).toBeLessThan(distanceMetres(50, 4, 50.004, 4));
  expect([0, 39]).toContain(at % 40);
});

test('the same evaluation gives the same results', async () => {
  const set = await openScans(folder.write('street.jsonl', street()));
  const results = await compared(set, { folds: [2] });
  expect(await compared(set, { folds: [2] })).toEqual(results);
});

test(
  'devices are followed through the tracks held back: in the order of time, each request with the state of the ' +
    'answer before',
  async () => {
    const untimed = cellLine('track 1', 50, 4, 0);
    const set = await openScans(folder.write('street.jsonl', [...street().reverse(), untimed]));
    const { methods } = await compared(set, { folds: [1], isFollowed: true });
    const followed = services[0].questions.filter(({ id }) => id !== undefined);
    const held = Array.from({ length: 20 }, (_, track) => track).filter(track => foldOf(`track ${track}`) === 1);
    expect(new Set(followed.map(({ id }) => id))).toEqual(new Set(held.map(track => `track ${track}`)));
    for (const track of held) {
      const asked = followed.filter(({ id }) => id === `track ${track}`);
      const times = Array.from({ length: 10 }, (_, step) => YEAR_2000_MS + 1000 * (track + 20 * step));
      expect(asked.map(({ timestamp }) => timestamp)).toEqual(times);
      expect(asked.map(({ state }) => state)).toEqual([
        undefined,
        ...times.slice(0, -1).map(time => `track ${track} ${time}`),
      ]);
    }
    // This service answers the same with a state as without.
    const { accuracy } = methods.at(-1)!;
    expect(methods.at(-1)!.method).toBe('sextant, followed');
    expect(accuracy).toMatchObject({ tested: 10 * held.length, answered: 10 * held.length, inside68Share: null });
    expect(services[0].questions.filter(({ id, state }) => id === undefined && state !== undefined)).toEqual([]);
  },
);

test('without training nothing is contributed', async () => {
  const set = await openScans(folder.write('one.jsonl', street()));
  const { methods } = await compared(set, { folds: [0, 1, 2, 3, 4], isTrained: false });
  expect(services.flatMap(({ batches }) => batches)).toEqual([]);
  expect(methods[0].accuracy).toMatchObject({ tested: 200, answered: 0 });
});

test('a service that learns nothing ends the evaluation with an error message', async () => {
  const set = await openScans(folder.write('street.jsonl', street()));
  const withService: Evaluation['withService'] = async part => {
    const service = await TeachableService.start();
    service.isDeaf = true;
    services.push(service);
    return part(service);
  };
  await expect(compared(set, { withService })).rejects.toThrow(
    'Ten minutes after the last training scans the service has not learned them: none of them is answered.',
  );
});

test('folds without a scan are refused', async () => {
  const set = await openScans(folder.write('one.jsonl', [cellLine('0', 50, 4, 1)]));
  await expect(compared(set, { folds: [1], isTrained: false })).rejects.toThrow(
    /holds no scan of the folds 1: there is nothing to test/,
  );
});
