// Runs an evaluation. For each fold a service that knows nothing else learns the training tracks of a set and locates the tracks held back. Simple methods do
// the same on the same split. The answers of all folds are pooled. The file is read again for each pass and never kept in memory.

import { type Accuracy, Tally, type WorstCase, WorstCases } from './accuracy.ts';
import { type Baselines, cellBaselines, wifiBaselines } from './baselines.ts';
import { Batches } from './batches.ts';
import { CONNECTIONS, ServiceClient } from './client.ts';
import { foldOf } from './folds.ts';
import { follow } from './follow.ts';
import { mappedInOrder } from './in_order.ts';
import type { Scan } from './scan.ts';
import type { ScanSet, SetKind } from './scan_file.ts';
import { type Priors, priorsOf, type Scale, scaleWithout } from './unseen.ts';
import { type Clock, untilVisible } from './visible.ts';

/** Number of training scans that are located until the service has learned them. */
const PROBES = 8;

/** What to evaluate, and how. */
export interface Evaluation {
  sets: readonly ScanSet[];
  /** Folds to test in turn, each trained on all others; by default those of `usualFolds`. */
  folds: readonly number[] | undefined;
  /** True if the service learns the training tracks first. Otherwise it is tested as it is. */
  isTrained: boolean;
  /** True if the scans held back are also asked as by devices that are followed, in the order of their time. The service's key must have tracking. */
  isFollowed?: boolean;
  /** True if a second service, with priors that have not seen the set, measures itself on the training tracks. */
  isUnseen?: boolean;
  /**
   * Runs a part of the evaluation against a service; with training, against one that knows nothing yet.
   * @param priors for a service that measures itself from there
   */
  withService<T>(part: (address: { url: string; key: string }) => Promise<T>, priors?: Priors): Promise<T>;
  clock: Clock;
  /** Called often, with the current state. */
  onProgress(text: string): void;
}

/** The figures of all methods on one set, or pooled over several. */
export interface Comparison {
  set: string;
  kind: SetKind;
  folds: readonly number[];
  /** The service first, then the baselines. */
  methods: readonly { method: string; accuracy: Accuracy }[];
  /** Factors of the radii for 50, 68 and 95 % from all other sets, with which the unseen service began. */
  scale?: Scale | undefined;
  /** The worst answers of the service; none for pooled sets, whose scans may have the same names. */
  worst: readonly WorstCase[];
}

/** The service's name among the methods; with priors that have not seen the set, and measuring itself from there. */
const SERVICE = 'sextant';
const UNSEEN = 'sextant, unseen';
/** By devices that send back the state of their last answer. */
const FOLLOWED = 'sextant, followed';

/** The folds tested by default: fold 1 for walks, otherwise those of the reference split that are shared. */
export function usualFolds(kind: SetKind): readonly number[] {
  return kind === 'walks' ? [1] : [1, 2, 3, 4];
}

/** Evaluates the sets one after the other, and pools those of cells. @throws Error for the user */
export async function evaluate(evaluation: Evaluation): Promise<Comparison[]> {
  const results: SetResult[] = [];
  for (const set of evaluation.sets) results.push(await evaluateSet(set, evaluation));
  if (evaluation.isUnseen) await evaluateUnseen(results, evaluation);
  const cells = results.filter(({ set }) => set.kind === 'cells');
  const comparisons = results.map(result => comparisonOf(result.set.name, result));
  if (cells.length > 1) comparisons.push(comparisonOf('all cells', pooled(cells)));
  return comparisons;
}

/** The tallies of all methods on one set, the service first. */
interface SetResult {
  set: ScanSet;
  folds: readonly number[];
  methods: readonly string[];
  tallies: readonly Tally[];
  worst: WorstCases;
  /** Of the radii before the unseen service measured itself. */
  scale?: Scale;
}

async function evaluateSet(set: ScanSet, evaluation: Evaluation): Promise<SetResult> {
  const folds = evaluation.folds ?? usualFolds(set.kind);
  const makeBaselines = set.kind === 'cells' ? cellBaselines : wifiBaselines;
  const methods = [SERVICE, ...makeBaselines().names, ...(evaluation.isFollowed === true ? [FOLLOWED] : [])];
  const tallies = methods.map(() => new Tally());
  const worst = new WorstCases();
  for (const fold of folds) {
    await evaluation.withService(async ({ url, key }) => {
      const client = new ServiceClient(url, key);
      const onProgress = (text: string) => evaluation.onProgress(`${set.name}, fold ${fold}: ${text}`);
      try {
        const baselines = makeBaselines();
        if (evaluation.isTrained) await trainService(set, fold, client, evaluation.clock, onProgress);
        for await (const scan of trainingScans(set, fold)) baselines.train(scan);
        await test(set, fold, baselines, client, { tallies, worst }, onProgress);
        if (evaluation.isFollowed) await follow(heldBack(set, fold), client, tallies.at(-1)!, onProgress);
      } finally {
        client.close();
      }
    });
  }
  if (tallies[0].accuracy().tested === 0)
    throw new Error(`${set.file} holds no scan of the folds ${folds.join(', ')}: there is nothing to test.`);
  return { set, folds, methods, tallies, worst };
}

/** Puts the figures of services that have not seen the sets before those of the service that was fitted to them. */
async function evaluateUnseen(results: SetResult[], evaluation: Evaluation): Promise<void> {
  const fitted = results.map(({ set: { name, kind }, tallies }) => ({ name, kind, factors: tallies[0].honestFactors() }));
  for (const result of results) {
    const { set, folds } = result;
    const scale = scaleWithout(set, fitted);
    const tally = new Tally();
    for (const fold of folds) {
      await evaluation.withService(
        async ({ url, key }) => {
          const client = new ServiceClient(url, key);
          const onProgress = (text: string) => evaluation.onProgress(`${set.name}, unseen, fold ${fold}: ${text}`);
          try {
            await trainService(set, fold, client, evaluation.clock, onProgress);
            const answered = mappedInOrder(heldBack(set, fold), CONNECTIONS, async scan => ({
              scan,
              answer: await client.locateWithRadii(scan),
            }));
            for await (const { scan, answer } of answered) tally.add(scan, answer);
          } finally {
            client.close();
          }
        },
        priorsOf(set, scale),
      );
    }
    result.methods = [UNSEEN, ...result.methods];
    result.tallies = [tally, ...result.tallies];
    result.scale = scale;
  }
}

/** Trains the service on all tracks outside one fold; returns when it has learned them. */
async function trainService(
  set: ScanSet,
  fold: number,
  client: ServiceClient,
  clock: Clock,
  onProgress: (text: string) => void,
): Promise<void> {
  let contributed = 0;
  let probes: Scan[] = [];
  const batches = new Batches(async scans => {
    await client.contribute(scans);
    contributed += scans.length;
    probes = [...probes, ...scans.filter(isLocatable)].slice(-PROBES);
    onProgress(`${contributed} training scans contributed`);
  });
  for await (const scan of trainingScans(set, fold)) await batches.add(scan);
  await batches.end();
  if (probes.length === 0) throw new Error(`${set.file} holds no scan to train with outside of fold ${fold}.`);
  onProgress('waiting until they are known');
  await untilVisible(scan => client.locate(scan), probes, clock);
}

/** True if the service should find a scan that was contributed. */
function isLocatable({ cellTowers, wifiAccessPoints }: Scan): boolean {
  return wifiAccessPoints.length > 1 || cellTowers.some(({ cellId }) => cellId !== undefined);
}

async function test(
  set: ScanSet,
  fold: number,
  baselines: Baselines,
  client: ServiceClient,
  { tallies, worst }: Pick<SetResult, 'tallies' | 'worst'>,
  onProgress: (text: string) => void,
): Promise<void> {
  let located = 0;
  const answered = mappedInOrder(heldBack(set, fold), CONNECTIONS, async scan => ({ scan, answer: await client.locateWithRadii(scan) }));
  for await (const { scan, answer } of answered) {
    for (const [i, each] of [answer, ...baselines.answer(scan)].entries()) tallies[i].add(scan, each);
    worst.add(scan, answer);
    located++;
    onProgress(`${located} scans located`);
  }
}

async function* trainingScans(set: ScanSet, fold: number): AsyncGenerator<Scan> {
  for await (const scan of set.scans()) if (foldOf(scan.track) !== fold) yield scan;
}

async function* heldBack(set: ScanSet, fold: number): AsyncGenerator<Scan> {
  for await (const scan of set.scans()) if (foldOf(scan.track) === fold) yield scan;
}

/** Pools sets of one kind, which have the same methods. */
function pooled(results: readonly SetResult[]): SetResult {
  const tallies = results[0].methods.map((_, i) => {
    const sum = new Tally();
    for (const result of results) sum.addAll(result.tallies[i]);
    return sum;
  });
  const { set, folds, methods } = results[0];
  return { set, folds, methods, tallies, worst: new WorstCases() };
}

function comparisonOf(name: string, { set, folds, methods, tallies, worst, scale }: SetResult): Comparison {
  return {
    set: name,
    kind: set.kind,
    folds,
    methods: methods.map((method, i) => ({ method, accuracy: tallies[i].accuracy() })),
    scale,
    worst: worst.list(),
  };
}
