// Jobs that change the tables of all nodes, asked for at a node that does not learn. It puts their files into the
// object store `sextant_imports`, tells the learner of the job on the subject `sextant.jobs.NODE`, and asks there again
// and again until it is done. Each question has the id of the job, so it is done once, whatever questions and answers
// are lost. The learner fetches the files and gives the job to itself, as a command at its own folder does.
//
// Files keep their paths below a scratch folder of the learner, because some tell by them what they are; in what the
// learner says of them that folder is left out. Whoever asked removes the files from the store. What a kill leaves
// there goes after a day.

import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { CANCELLED, type Job, type JobContext, messageOf, type Progress } from '../jobs/job.ts';
import { requireRoom } from '../tables/environment/commit.ts';
import { ReplacementRefused } from '../tables/sources/source_name.ts';
import { makeScratchFolder } from '../tables/stations/generation.ts';
import { askNode, type ClusterConnection } from './connection.ts';
import { CLUSTER_FORMAT, otherFormat } from './manifest.ts';
import { fetchFile, Objects, type StoredFile, storeFile } from './objects.ts';
import { LEASE_MILLISECONDS, nodeKey } from './stores.ts';

const ASKED = 'sextant.jobs.';
const BUCKET = 'sextant_imports';
const KEPT_NANOSECONDS = 86_400e9;
/** Time between two questions. */
const AGAIN_MILLISECONDS = 200;
const ANSWER_MILLISECONDS = 3_000;
/** How long a job waits for a learner: when one is lost, another node learns within this time. */
const LEARNER_MILLISECONDS = 12_000;
/** A job that is done is known for so long, in case that its answer is lost. */
const DONE_MILLISECONDS = 60_000;
/** Of a question, which has all of a job. */
const QUESTION_BYTES_MAX = 16 * 1_048_576;

/** How jobs are done at this node. */
export interface JobParts {
  /** @throws Error when it is none that changes tables of all nodes, or fails, or another node learns */
  run(job: Job, onProgress: JobContext['onProgress'], cancelled: AbortSignal): Promise<unknown>;
}

/** What is asked. The job is there until its first answer. */
interface Question {
  format: number;
  id: string;
  job?: Job;
  /** Its files, by their paths. */
  files?: Record<string, StoredFile>;
  isCancelled?: boolean;
}

/** How far the job is, if that is known; or how it has ended. */
type Answer = { progress?: Progress } | { result: unknown } | { error: string; mayReplace?: boolean };

/** A job of another node. */
interface Running {
  answer: Answer;
  cancel: AbortController;
  scratch: string | undefined;
}

/** See above. */
export class ClusterJobs {
  private readonly parts: JobParts;
  private readonly folder: string;
  private readonly node: string;
  private readonly onError: (error: Error) => void;
  private readonly running = new Map<string, Running>();
  private attached: { connection: ClusterConnection; files: Objects; asked: Subscription } | undefined;

  /** @param node name of this one @param onError called when something is left that goes after a day */
  constructor(parts: JobParts, folder: string, node: string, onError: (error: Error) => void) {
    this.parts = parts;
    this.folder = folder;
    this.node = node;
    this.onError = onError;
  }

  /** Takes jobs of other nodes from here on. @throws Error of NATS */
  async attach(connection: ClusterConnection): Promise<void> {
    const { nats } = connection;
    const files = await Objects.open(connection, BUCKET, { ttl: KEPT_NANOSECONDS });
    const callback = (error: Error | null, message: Msg): void => {
      if (error === null) this.answer(message);
    };
    this.attached = { connection, files, asked: nats.subscribe(ASKED + nodeKey(this.node), { callback }) };
  }

  /** Takes no more. Those that run go on. */
  detach(): void {
    this.attached?.asked.unsubscribe();
    this.attached = undefined;
  }

  /**
   * Has the learner do a job.
   * @param learnerNow its name
   * @param checkStop throws when this node closes
   * @returns its result, once it is in force
   * @throws ReplacementRefused; Error when it fails, or the learner is lost
   */
  async pass(
    learnerNow: () => string,
    job: Job,
    context: Pick<JobContext, 'onProgress' | 'cancelled'>,
    checkStop: () => void,
  ): Promise<unknown> {
    if (this.attached === undefined) throw new Error('This node does not reach its cluster now. Nothing was changed.');
    const { connection, files: store } = this.attached;
    const question: Question = { format: CLUSTER_FORMAT, id: randomUUID(), job };
    const check = (): void => {
      checkStop();
      if (context.cancelled?.aborted) throw new Error(CANCELLED);
    };
    try {
      if ('files' in job)
        question.files = await this.storeFiles(store, question.id, job.files, context.onProgress, check);
      return await this.follow(connection, learnerNow, question, context, checkStop);
    } finally {
      const names = Object.values(question.files ?? {}).map(({ hash }) => nameOf(question.id, hash));
      for (const name of new Set(names)) await store.remove(name).catch(this.onError);
    }
  }

  private async storeFiles(
    store: Objects,
    id: string,
    paths: readonly string[],
    onProgress: JobContext['onProgress'],
    check: () => void,
  ): Promise<Record<string, StoredFile>> {
    const progress = { doneBytes: 0, totalBytes: paths.reduce((sum, path) => sum + statSync(path).size, 0) };
    const files: Record<string, StoredFile> = {};
    try {
      for (const path of paths)
        files[path] = await storeFile(store, path, hash => nameOf(id, hash), showing(progress, onProgress, check));
      return files;
    } catch (error) {
      for (const { hash } of Object.values(files)) await store.remove(nameOf(id, hash)).catch(this.onError);
      throw error;
    }
  }

  /** Asks until it is done. */
  private async follow(
    { nats }: ClusterConnection,
    learnerNow: () => string,
    question: Question,
    { onProgress, cancelled }: Pick<JobContext, 'onProgress' | 'cancelled'>,
    checkStop: () => void,
  ): Promise<unknown> {
    let isKnown = false;
    let learner = '';
    for (let heardMs = performance.now(); ; await delay(AGAIN_MILLISECONDS)) {
      const stopping = stopOf(checkStop);
      const isCancelled = stopping !== undefined || cancelled?.aborted === true;
      const { format, id } = question;
      if (!isKnown) learner = learnerNow();
      const asked: Question = isKnown ? { format, id, isCancelled } : question;
      let answer: Answer | undefined;
      try {
        answer = unpack(await askNode(nats, ASKED + nodeKey(learner), pack(asked), ANSWER_MILLISECONDS));
      } catch (error) {
        const limitMs = isKnown ? LEASE_MILLISECONDS : LEARNER_MILLISECONDS;
        if (performance.now() - heardMs > limitMs) throw lost(learner, isKnown, error as Error);
      }
      if (stopping !== undefined) throw stopping;
      if (answer === undefined) continue;
      heardMs = performance.now();
      isKnown = true;
      if ('error' in answer) throw answer.mayReplace ? new ReplacementRefused(answer.error) : new Error(answer.error);
      if ('result' in answer) return answer.result;
      if (answer.progress !== undefined) onProgress(answer.progress);
    }
  }

  private answer(message: Msg): void {
    try {
      const question = unpack<Question>(message);
      if (question.format !== CLUSTER_FORMAT)
        throw otherFormat('A job of another node', question.format, CLUSTER_FORMAT);
      const running = this.running.get(question.id) ?? this.begin(question);
      if (question.isCancelled) running.cancel.abort();
      message.respond(pack(running.answer, running.scratch));
    } catch (error) {
      const failed: Answer = { error: messageOf(error) };
      message.respond(pack(failed));
    }
  }

  private begin(question: Question): Running {
    const { id, job } = question;
    if (job === undefined) throw new Error('The learner was started again meanwhile; start the job again.');
    const running: Running = { answer: {}, cancel: new AbortController(), scratch: undefined };
    this.running.set(id, running);
    this.run(question, job, running)
      .then(result => {
        running.answer = { result: result ?? null };
      })
      .catch((error: Error) => {
        const mayReplace = error instanceof ReplacementRefused;
        running.answer = { error: messageOf(error), ...(mayReplace && { mayReplace }) };
      })
      .finally(() => setTimeout(() => this.running.delete(id), DONE_MILLISECONDS).unref());
    return running;
  }

  private async run({ id, files }: Question, job: Job, running: Running): Promise<unknown> {
    const { signal } = running.cancel;
    const onProgress = (progress: Progress): void => {
      running.answer = { progress };
    };
    if (!('files' in job)) return this.parts.run(job, onProgress, signal);
    const store = this.attached!.files;
    running.scratch = makeScratchFolder(this.folder);
    const pathOf = (path: string): string => join(running.scratch!, resolve('/', path));
    try {
      const stored = Object.entries(files ?? {});
      const progress = { doneBytes: 0, totalBytes: stored.reduce((sum, [, { bytes }]) => sum + bytes, 0) };
      requireRoom(this.folder, progress.totalBytes, 'Taking over the files of an import');
      const check = (): void => {
        if (signal.aborted) throw new Error(CANCELLED);
      };
      for (const [path, file] of stored) {
        mkdirSync(dirname(pathOf(path)), { recursive: true });
        const onBytes = showing(progress, onProgress, check);
        await fetchFile(store, file, pathOf(path), onBytes, nameOf(id, file.hash));
      }
      return await this.parts.run({ ...job, files: job.files.map(pathOf) }, onProgress, signal);
    } finally {
      rmSync(running.scratch, { recursive: true, force: true });
    }
  }
}

/** Name of an object: two jobs with the same file have one each, which is gone with its job. */
function nameOf(id: string, hash: string): string {
  return `${id}.${hash}`;
}

/** Shows how far files are. @param check called before, and throws when they are to come no further */
function showing(
  progress: { doneBytes: number; totalBytes: number },
  onProgress: JobContext['onProgress'],
  check: () => void,
): (bytes: number) => void {
  return bytes => {
    check();
    progress.doneBytes += bytes;
    const { doneBytes: bytesDone, totalBytes: bytesTotal } = progress;
    onProgress({ phase: 'copying', rows: Math.round(bytesDone / 1_048_576), bytesDone, bytesTotal });
  };
}

/** Why this node stops, if it does. */
function stopOf(checkStop: () => void): Error | undefined {
  try {
    checkStop();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** A learner that does not answer for as long as its lease holds is none any more. */
function lost(learner: string, hasBegun: boolean, cause: Error): Error {
  const what = hasBegun ? 'was lost while it did this' : 'does not answer';
  return new Error(
    `The learner of the cluster (${learner || 'none yet'}) ${what}. What it had not published is in force on no ` +
      `node: look whether this is, and start it again.`,
    { cause },
  );
}

/** @param scratch left out of paths */
function pack(value: Question | Answer, scratch?: string): Uint8Array {
  const text = JSON.stringify(value);
  return gzipSync(scratch === undefined ? text : text.replaceAll(JSON.stringify(scratch).slice(1, -1), ''));
}

function unpack<T extends Question | Answer = Answer>({ data }: Msg): T {
  return JSON.parse(gunzipSync(data, { maxOutputLength: QUESTION_BYTES_MAX }).toString());
}
