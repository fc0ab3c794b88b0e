// Evaluates positions in buildings, as an operator and a client would: fingerprints are imported into a service that
// knows nothing else, with the plans of the building where there are any, and the scans held back are located through
// HTTP. Simple methods do the same beside it.
//
// UJIIndoorLoc has its own split. Its coordinates are metres of Web Mercator, longer than those on the ground; its
// errors are told in both. Walks are split by track as everywhere, and asked for in two ways: each scan by itself, and
// each walk as a device that sends a request every five seconds, with the steps and the heading since the one before
// and the state of the last answer. A usual particle filter has the same scans and steps.

import { basename } from 'node:path';
import { mapsFolder } from '../../src/indoor/transfer/surveys/floor_plan.ts';
import { EARTH_RADIUS_METRES, EQUATOR_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { type IndoorAnswer, LabClient } from '../client.ts';
import { CONNECTIONS } from '../evaluation/client.ts';
import { foldOf } from '../evaluation/folds.ts';
import { mappedInOrder } from '../evaluation/in_order.ts';
import type { IndoorComparison } from './indoor_results.ts';
import type { IndoorScan, Walk } from './indoor_scan.ts';
import { IndoorTally } from './indoor_tally.ts';
import { nearestScans, powerCentroid, type SimpleMethod } from './nearest_scans.ts';
import { readUji } from './uji_file.ts';
import { readWalks } from './walk_file.ts';
import { WalkedParticles } from './walked_particles.ts';
import { stepsBetween, type Walked } from './walked_steps.ts';

/** What a service learns before it starts. */
export interface IndoorKnowledge {
  /** Text of a file for `import buildings`; undefined = none. */
  buildings: string | undefined;
  /** File for `import fingerprints`: one that is there, or one that is made of lines beside a folder of plans. */
  fingerprints: string | { name: string; lines: readonly string[]; plans: string };
}

/** What to evaluate, and how. */
interface IndoorEvaluation {
  /** Archives of UJIIndoorLoc, and files of walks. */
  files: readonly string[];
  /** Folds of walks to test in turn, each trained on all others. */
  folds: readonly number[] | undefined;
  /** Runs a part of the evaluation against a service of its own, with a key for positions in buildings. */
  withService<T>(knowledge: IndoorKnowledge, part: (address: { url: string; key: string }) => Promise<T>): Promise<T>;
  /** Called often, with the current state. */
  onProgress(text: string): void;
}

const USUAL_FOLDS = [1];
/** A device that is tracked asks so often. */
const TRACKED_MS = 5_000;
/** Longest id of a device. */
const ID_CHARACTERS = 20;
const SINGLE = 'sextant';
const TRACKED = 'sextant, tracked';
/** Readings of walks that the simple methods use, and all. */
const FRESH_MS = 3_000;
const ANY_AGE_MS = Number.POSITIVE_INFINITY;
const UJI_NEIGHBOURS = 11;
const WALK_NEIGHBOURS = 7;

/** Evaluates the files one after the other. @throws Error for the user */
export async function evaluateIndoors(evaluation: IndoorEvaluation): Promise<IndoorComparison[]> {
  const comparisons: IndoorComparison[] = [];
  for (const file of evaluation.files) {
    if (/\.zip$/i.test(file)) comparisons.push(await evaluateUji(file, evaluation));
    else comparisons.push(await evaluateWalks(file, evaluation));
  }
  return comparisons;
}

async function evaluateUji(file: string, { withService, onProgress }: IndoorEvaluation): Promise<IndoorComparison> {
  const name = basename(file).replace(/\.zip$/i, '');
  const simple = [nearestScans(UJI_NEIGHBOURS, ANY_AGE_MS), powerCentroid(ANY_AGE_MS)];
  for (const scan of await readUji(file, 'training')) for (const method of simple) method.train(scan);
  const scans = await readUji(file, 'validation');
  const tallies = new Tallies();
  const addAll = (scan: IndoorScan, answers: readonly (readonly [string, IndoorAnswer | undefined])[]): void => {
    const mercator = EQUATOR_RADIUS_METRES / EARTH_RADIUS_METRES / Math.cos(scan.latitude * RADIANS_PER_DEGREE);
    for (const [method, answer] of answers) {
      tallies.of(method).add(scan, answer, 1);
      tallies.of(`${method}, in metres of the file`).add(scan, answer, mercator);
    }
  };
  await withService({ buildings: undefined, fingerprints: file }, async address => {
    await located(address, scans, (scan, answer, done) => {
      addAll(scan, [[SINGLE, answer], ...simple.map(method => [method.name, method.answer(scan)] as const)]);
      onProgress(`${name}: ${done} scans located`);
    });
  });
  return { set: name, methods: tallies.methods() };
}

async function evaluateWalks(
  file: string,
  { folds = USUAL_FOLDS, withService, onProgress }: IndoorEvaluation,
): Promise<IndoorComparison> {
  const name = basename(file).replace(/\.jsonl(\.gz)?$/, '');
  const { walks, lines, model } = await readWalks(file);
  const tallies = new Tallies();
  for (const fold of folds) {
    const simple: SimpleMethod[] = [nearestScans(WALK_NEIGHBOURS, FRESH_MS), powerCentroid(FRESH_MS)];
    for (const { id, scans } of walks)
      if (foldOf(id) !== fold) for (const scan of scans) for (const method of simple) method.train(scan);
    const held = walks.filter(({ id }) => foldOf(id) === fold);
    const training = {
      name: basename(file).replace(/\.gz$/, ''),
      lines: lines.filter((_, i) => foldOf(walks[i].id) !== fold),
    };
    const knowledge = { buildings: model.geoJson(), fingerprints: { ...training, plans: mapsFolder(file) } };
    await withService(knowledge, async address => {
      const scans = held.flatMap(walk => walk.scans);
      await located(address, scans, (scan, answer, done) => {
        tallies.of(SINGLE).add(scan, answer, 1);
        for (const method of simple) tallies.of(method.name).add(scan, method.answer(scan), 1);
        onProgress(`${name}, fold ${fold}: ${done} scans located`);
      });
      for (const [i, walk] of held.entries()) {
        const particles = new WalkedParticles(simple[0], i);
        await follow(address, walk, (scan, answer, walked, seconds) => {
          tallies.of(TRACKED).add(scan, answer, 1);
          tallies.of(`${simple[0].name}, particles`).add(scan, particles.locate(scan, walked, seconds), 1);
        });
        onProgress(`${name}, fold ${fold}: ${i + 1} walks followed`);
      }
    });
  }
  return { set: name, methods: tallies.methods() };
}

/** Locates scans one by one, several at once. */
async function located(
  { url, key }: { url: string; key: string },
  scans: readonly IndoorScan[],
  add: (scan: IndoorScan, answer: IndoorAnswer | undefined, done: number) => void,
): Promise<void> {
  const client = new LabClient(url, key);
  try {
    let done = 0;
    const asked = (async function* () {
      yield* scans;
    })();
    const answered = mappedInOrder(asked, CONNECTIONS, async scan => ({
      scan,
      answer: await client.locateIndoors(scan),
    }));
    for await (const { scan, answer } of answered) add(scan, answer, ++done);
  } finally {
    client.close();
  }
}

/** Follows one walker. */
async function follow(
  { url, key }: { url: string; key: string },
  walk: Walk,
  add: (scan: IndoorScan, answer: IndoorAnswer | undefined, walked: Walked | undefined, seconds: number) => void,
): Promise<void> {
  const client = new LabClient(url, key);
  try {
    let state: string | undefined;
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const scan of walk.scans) {
      const timeMs = scan.timeMs!;
      if (timeMs - lastMs < TRACKED_MS) continue;
      const walked = Number.isFinite(lastMs) ? stepsBetween(walk, lastMs, timeMs) : undefined;
      const sensors = state === undefined ? undefined : [walked!];
      const answer = await client.locateIndoors(scan, { id: walk.id.slice(-ID_CHARACTERS), state, sensors });
      state = answer?.state ?? state;
      add(scan, answer, walked, walked === undefined ? 0 : (timeMs - lastMs) / 1000);
      lastMs = timeMs;
    }
  } finally {
    client.close();
  }
}

/** Tallies by method, in the order in which they came. */
class Tallies {
  private readonly byMethod = new Map<string, IndoorTally>();

  of(method: string): IndoorTally {
    const tally = this.byMethod.get(method) ?? new IndoorTally();
    this.byMethod.set(method, tally);
    return tally;
  }

  methods(): IndoorComparison['methods'] {
    return Array.from(this.byMethod, ([method, tally]) => ({ method, accuracy: tally.accuracy() }));
  }
}
