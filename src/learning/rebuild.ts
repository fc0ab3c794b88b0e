// Learns again from the start. The log, or its part after a checkpoint, is replayed into a new generation of the
// station tables, which then replaces the live one. Imported stations stay. Meanwhile lookups use the live tables, and
// contributions go into the log.
//
// A checkpoint is a copy of what was learned up to a moment, under <folder>/checkpoint. It stands for the reports that
// were dropped since.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EarningReport } from '../accounts/account_writer.ts';
import type { Rewards } from '../accounts/rewards.ts';
import { StationSet } from '../radio/query/station_set.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import { readSources, type Source, writeSources } from '../tables/sources/sources.ts';
import {
  countStations,
  describeGeneration,
  dropGeneration,
  type Generation,
  openGeneration,
  publishGeneration,
  startGeneration,
} from '../tables/stations/generation.ts';
import { copyKnowledge, KnowledgeTables } from '../tables/stations/knowledge.ts';
import { isLearned } from '../tables/stations/station.ts';
import { takeSlice } from './aggregator.ts';
import { factorsOfVotes } from './calibration/factors_of_votes.ts';
import type { ReportLocator } from './calibration/report_locator.ts';
import { rebase } from './life_cycle.ts';
import { publishStation, refreshAreas, withoutImport } from './publish.ts';

/** Sightings of one transaction: each page it touches is written once. */
const SLICE_SIGHTINGS = 5_000;
/** Stations copied in one transaction. */
const COPY_STATIONS = 20_000;

/** What a rebuild reads of a log. */
type ReadableLog = Pick<ObservationLog, 'read' | 'lastSequence'>;

interface RebuildOptions {
  folder: string;
  log: ReadableLog;
  /** The live generation, which nobody else may write meanwhile. */
  live: Generation;
  /** Tests reports before they are learned; undefined = they are learned untested. */
  locator: ReportLocator | undefined;
  onProgress: (reports: number, total: number) => void;
  /** Called between transactions. An error that it throws ends the rebuild without any change. */
  checkStop: () => void;
}

/** A rebuild after something was forgotten. */
interface AmendedRebuild extends RebuildOptions {
  /** How often the log will have been rewritten. */
  rewrites: number;
  /** Number of the last report that the live tables have learned, as it is in the log. */
  progress: number;
  /** Imported stations that go. */
  forgotten: StationSet;
  /** The sources without them. */
  sources: readonly Source[];
}

/** A generation that was built. */
interface Rebuilt {
  generation: number;
  /** Reports that were replayed. */
  reports: number;
  /** Those by which accounts earn, of the ones that the live tables have not learned: for the others they were paid. */
  earning: readonly EarningReport[];
}

/**
 * Builds a generation from imported stations and the log and makes it the live one on disk.
 * @throws Error when reports that are needed were dropped
 */
export async function rebuildKnowledge(
  options: RebuildOptions & { log: Pick<ObservationLog, 'droppedThrough' | 'rewrites'>; rewards: Pick<Rewards, 'pay'> },
): Promise<Rebuilt> {
  const { folder, live, log } = options;
  const checkpoint = openCheckpoint(folder);
  try {
    const { rewrites } = log;
    // A checkpoint of a log that was rewritten since counts reports by other numbers.
    const start = checkpoint !== undefined && new KnowledgeTables(checkpoint).log === rewrites ? checkpoint : undefined;
    const from = start === undefined ? 0 : new KnowledgeTables(start).progress;
    if (log.droppedThrough > from) throw new Error(describeGap(log.droppedThrough, from));
    const { progress } = new KnowledgeTables(live);
    const built = await buildKnowledge(
      { ...options, rewrites, progress, forgotten: new StationSet(), sources: readSources(live) },
      start,
    );
    await options.rewards.pay(built.earning, rewrites);
    publishGeneration(folder, built.generation);
    return built;
  } finally {
    await checkpoint?.root.close();
  }
}

/**
 * Builds a generation, which `publishGeneration` makes the live one.
 * @param checkpoint stands for the reports up to its progress; undefined = the log holds all reports
 */
export async function buildKnowledge(options: AmendedRebuild, checkpoint?: Generation): Promise<Rebuilt> {
  const { n, generation } = startGeneration(options.folder);
  let isBuilt = false;
  try {
    await copyImported(options, generation);
    if (checkpoint !== undefined) await startFrom(checkpoint, generation, options);
    const { reports, earning } = await replay(options, generation);
    generation.root.transactionSync(() => {
      writeSources(generation, options.sources);
      new KnowledgeTables(generation).setLog(options.rewrites);
    });
    isBuilt = true;
    return { generation: n, reports, earning };
  } finally {
    await generation.root.close();
    if (!isBuilt) dropGeneration(options.folder, n);
  }
}

/**
 * Copies what is learned now, for rebuilds after reports were dropped.
 * @returns number of the last report in it
 */
export async function writeCheckpoint(folder: string, live: Generation): Promise<number> {
  const path = checkpointPath(folder);
  const partial = `${path}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial);
  await live.root.backup(partial, true);
  const copy = openGeneration(partial);
  const { progress } = new KnowledgeTables(copy);
  await copy.root.close();
  // The old checkpoint stays until the new one has its name, so a kill leaves one of them.
  const replaced = replacedPath(folder);
  if (existsSync(path)) {
    rmSync(replaced, { recursive: true, force: true });
    renameSync(path, replaced);
  }
  renameSync(partial, path);
  rmSync(replaced, { recursive: true, force: true });
  return progress;
}

/** Removes what was put aside, with a log that is replaced. */
export function removeCheckpoint(folder: string): void {
  const path = checkpointPath(folder);
  for (const each of [path, replacedPath(folder), `${path}.partial`]) rmSync(each, { recursive: true, force: true });
}

function checkpointPath(folder: string): string {
  return join(folder, 'checkpoint');
}

function replacedPath(folder: string): string {
  return `${checkpointPath(folder)}.replaced`;
}

/** What was put aside by the last checkpoint; undefined when there is none. */
export function openCheckpoint(folder: string): Generation | undefined {
  const path = [checkpointPath(folder), replacedPath(folder)].find(existsSync);
  return path === undefined ? undefined : openGeneration(path);
}

function describeGap(droppedThrough: number, start: number): string {
  const checkpoint = start === 0 ? 'there is no checkpoint' : `the checkpoint holds the reports up to ${start} only`;
  return (
    `The tables cannot be rebuilt: the reports up to ${droppedThrough} were dropped from the observation log, ` +
    `and ${checkpoint}. The live tables stay as they are; make a checkpoint with "sextant aggregate ` +
    `--checkpoint".`
  );
}

/** Copies the imported stations as they were before anything was learned. */
async function copyImported({ live, forgotten, checkStop }: AmendedRebuild, target: Generation): Promise<void> {
  const known = new KnowledgeTables(live);
  const knowledge = new KnowledgeTables(target);
  for (let after: Buffer | undefined, more = true; more; ) {
    live.root.resetReadTxn();
    const range =
      after === undefined ? { limit: COPY_STATIONS } : { start: after, limit: COPY_STATIONS, exclusiveStart: true };
    const entries = [...live.stations.getRange(range)].map(({ key, value }) => ({
      key: Buffer.from(key),
      record: Buffer.from(value),
    }));
    target.root.transactionSync(() => {
      for (const { key, record } of entries) {
        if (forgotten.has(key)) continue;
        const imported = isLearned(record) ? known.learned(key)?.base : record;
        if (imported === undefined) continue;
        target.stations.putSync(key, Buffer.from(imported), { append: true });
        knowledge.markStale(key);
      }
    });
    live.root.resetReadTxn();
    more = entries.length === COPY_STATIONS;
    after = entries.at(-1)?.key;
    checkStop();
    await nextTurn();
  }
}

/** Copies a checkpoint and joins its stations with those that are imported now. */
async function startFrom(checkpoint: Generation, target: Generation, { checkStop }: RebuildOptions): Promise<void> {
  copyKnowledge(checkpoint, target);
  const knowledge = new KnowledgeTables(target);
  for (let after: Buffer | undefined, more = true; more; ) {
    const learned = knowledge.learnedAfter(after, COPY_STATIONS);
    const changes = learned.map(({ key, learned }) => {
      const imported = knowledge.importedRecord(key);
      const isOther =
        imported !== undefined && (learned.base === undefined || Buffer.compare(imported, learned.base) !== 0);
      if (imported === undefined && learned.base !== undefined) return { key, ...withoutImport(learned, key[0]) };
      if (isOther) rebase(learned, key[0], imported);
      return { key, learned, record: publishStation(learned, key[0]) };
    });
    target.root.transactionSync(() =>
      knowledge.write({ learned: changes, tracks: new Map(), progress: knowledge.progress }),
    );
    more = learned.length === COPY_STATIONS;
    after = learned.at(-1)?.key;
    checkStop();
    await nextTurn();
  }
}

async function replay(options: AmendedRebuild, target: Generation): Promise<Omit<Rebuilt, 'generation'>> {
  const { log, locator, progress, onProgress, checkStop } = options;
  const knowledge = new KnowledgeTables(target);
  const start = knowledge.progress;
  const earning: EarningReport[] = [];
  const next = () => takeSlice(log, knowledge, SLICE_SIGHTINGS, locator);
  for (let slice = next(); slice !== undefined; slice = next()) {
    const { changes } = slice;
    const before = knowledge.progress;
    target.root.transactionSync(() => {
      knowledge.write(changes);
      knowledge.sweepTracks(before, changes.progress);
    });
    for (const each of slice.earning) if (each.sequence > progress) earning.push(each);
    onProgress(changes.progress - start, log.lastSequence - start);
    checkStop();
    await nextTurn();
  }
  for (let stale = knowledge.staleNetwork(); stale !== undefined; stale = knowledge.staleNetwork()) {
    await refreshAreas(target, stale, nextTurn);
    checkStop();
  }
  target.root.transactionSync(() => {
    describeGeneration(target, countStations(target));
    knowledge.setRebased();
    knowledge.calibration.derive(factorsOfVotes);
  });
  return { reports: knowledge.progress - start, earning };
}
