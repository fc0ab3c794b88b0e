// Evaluates a set of scans. For each fold a service that knows nothing else learns the training tracks and locates the
// tracks held back. The answers of all folds are pooled. The file is read again for each pass and never kept in memory.

import { type Accuracy, Tally, type WorstCase, WorstCases } from './accuracy.ts';
import { Batches } from './batches.ts';
import { CONNECTIONS, ServiceClient } from './client.ts';
import { foldOf } from './folds.ts';
import { follow } from './follow.ts';
import { mappedInOrder } from './in_order.ts';
import type { Scan } from './scan.ts';
import type { ScanSet, SetKind } from './scan_file.ts';
import { type Clock, untilVisible } from './visible.ts';

/** Number of training scans that are located until the service has learned them. */
const PROBES = 8;

/** How to evaluate. */
export interface Evaluation {
  /** Folds to test in turn, each trained on all others. */
  folds: readonly number[];
  /** True if the service learns the training tracks first. Otherwise it is tested as it is. */
  isTrained: boolean;
  /**
   * True if the scans held back are also asked as by devices that are followed, in the order of their time. The
   * service's key must have tracking.
   */
  isFollowed: boolean;
  /** Runs a part of the evaluation against a service; with training, against one that knows nothing yet. */
  withService<T>(part: (address: { url: string; key: string }) => Promise<T>): Promise<T>;
  clock: Clock;
  /** Called often, with the current state. */
  onProgress(text: string): void;
}

/** The figures of all methods on one set. */
export interface Comparison {
  set: string;
  kind: SetKind;
  folds: readonly number[];
  /** The service first. */
  methods: readonly { method: string; accuracy: Accuracy }[];
  /** The worst answers of the service. */
  worst: readonly WorstCase[];
}

/** The service's name among the methods. */
const SERVICE = 'sextant';
/** By devices that send back the state of their last answer. */
const FOLLOWED = 'sextant, followed';

/** What was found on one set. */
export interface SetResult {
  set: ScanSet;
  folds: readonly number[];
  /** The service first. */
  methods: readonly { method: string; tally: Tally }[];
  worst: WorstCases;
}

/** Evaluates a set. @throws Error for the user */
export async function evaluateSet(set: ScanSet, evaluation: Evaluation): Promise<SetResult> {
  const { folds, isTrained, isFollowed, clock } = evaluation;
  const [single, followed] = [new Tally(), new Tally()];
  const worst = new WorstCases();
  for (const fold of folds) {
    await evaluation.withService(async ({ url, key }) => {
      const client = new ServiceClient(url, key);
      const onProgress = (text: string) => evaluation.onProgress(`${set.name}, fold ${fold}: ${text}`);
      try {
        if (isTrained) await trainService(set, fold, client, clock, onProgress);
        await test(set, fold, client, { tally: single, worst }, onProgress);
        if (isFollowed) await follow(heldBack(set, fold), client, followed, onProgress);
      } finally {
        client.close();
      }
    });
  }
  if (single.accuracy().tested === 0)
    throw new Error(`${set.file} holds no scan of the folds ${folds.join(', ')}: there is nothing to test.`);
  const methods = [{ method: SERVICE, tally: single }, ...(isFollowed ? [{ method: FOLLOWED, tally: followed }] : [])];
  return { set, folds, methods, worst };
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
  client: ServiceClient,
  { tally, worst }: { tally: Tally; worst: WorstCases },
  onProgress: (text: string) => void,
): Promise<void> {
  let located = 0;
  const answered = mappedInOrder(heldBack(set, fold), CONNECTIONS, async scan => ({
    scan,
    answer: await client.locateWithRadii(scan),
  }));
  for await (const { scan, answer } of answered) {
    tally.add(scan, answer);
    worst.add(scan, answer);
    located++;
    onProgress(`${located} scans located`);
  }
}

/** The scans of all other folds. */
export async function* trainingScans(set: ScanSet, fold: number): AsyncGenerator<Scan> {
  for await (const scan of set.scans()) {
    const other = foldIn(set, scan);
    if (other !== undefined && other !== fold) yield scan;
  }
}

/** The scans of a fold. */
export async function* heldBack(set: ScanSet, fold: number): AsyncGenerator<Scan> {
  for await (const scan of set.scans()) if (foldIn(set, scan) === fold) yield scan;
}

function foldIn(set: ScanSet, scan: Scan): number | undefined {
  return set.foldOf === undefined ? foldOf(scan.track) : set.foldOf(scan);
}

/** The figures of a result. */
export function comparisonOf({ set, folds, methods, worst }: SetResult): Comparison {
  return {
    set: set.name,
    kind: set.kind,
    folds,
    methods: methods.map(({ method, tally }) => ({ method, accuracy: tally.accuracy() })),
    worst: worst.list(),
  };
}
