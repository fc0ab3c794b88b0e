// What is forgotten of the request logs. Stations and reports go with the tables that the learner publishes; a logged
// request lies at the node that has answered it. So the job goes into the stream `sextant_forgotten`, for as long as a
// request may be in any log, or in any backup of one. Each node does the jobs that it has not done yet: when it joins,
// so also one that was down meanwhile, and a folder that was restored from a backup; when it looks, every second or so;
// and at once when it is asked on the subject `sextant.forget.FOLDER`, with the number of the job in the stream as
// text. The answer is how many requests went, or nothing where it failed. A file in the data folder says how far a node
// is.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KV } from '@nats-io/kv';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { readRegularFile } from '../config/regular_file.ts';
import { FORGOTTEN_FILE } from '../folder/data_folder.ts';
import type { ForgetJob, ForgottenRequests } from '../jobs/job.ts';
import { replaceFile } from '../tables/environment/durable_file.ts';
import { KEEP_MS } from '../tables/requests/request_log.ts';
import { askNode, type ClusterConnection } from './connection.ts';
import { CLUSTER_FORMAT, otherFormat } from './manifest.ts';
import { identityOf, readHolders } from './request_log.ts';
import { openStream } from './stores.ts';

const STREAM = 'sextant_forgotten';
const SUBJECT = 'sextant.forgotten';
const ASKED = 'sextant.forget.';
/** No log answers with a request that is older than a week, and clocks may differ. */
const KEPT_MILLISECONDS = KEEP_MS + 86_400_000;
/** A node reads its whole log meanwhile. One that takes longer goes on. */
const ANSWER_MILLISECONDS = 30_000;
/** When the stream was made, and the number of the last job that is done. */
const DONE = /^(\S{1,64}) (\d{1,15})$/;

/** A job in the stream. */
interface Message {
  format: number;
  job: ForgetJob;
}

/** The request log of this node. */
export interface ForgottenParts {
  /** Takes out what jobs name. @returns how many requests went */
  forget(jobs: readonly ForgetJob[]): Promise<number>;
}

/** See above. */
export class ClusterForgotten {
  private readonly parts: ForgottenParts;
  private readonly folder: string;
  private readonly path: string;
  private readonly onError: (error: Error) => void;
  private attached: { connection: ClusterConnection; keys: KV; asked: Subscription } | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private isLooking = false;
  /** The job that was done last, and how many requests went by it and those before that waited with it. */
  private last = { number: 0, removed: 0 };
  /** The failure that was told last. */
  private told: string | undefined;

  /** @param onError called when what another node has asked for failed; it is tried again */
  constructor(parts: ForgottenParts, folder: string, onError: (error: Error) => void) {
    this.parts = parts;
    this.folder = identityOf(folder);
    this.path = join(folder, FORGOTTEN_FILE);
    this.onError = onError;
  }

  /** Answers other nodes from here on, and does what was asked for meanwhile. @throws Error of NATS */
  async attach(connection: ClusterConnection, keys: KV): Promise<void> {
    await openStream(connection.manager, {
      name: STREAM,
      subjects: [SUBJECT],
      max_age: KEPT_MILLISECONDS * 1e6,
      num_replicas: connection.replicas,
    });
    const callback = (error: Error | null, message: Msg): void => {
      if (error === null) void this.answer(message);
    };
    this.attached = { connection, keys, asked: connection.nats.subscribe(ASKED + this.folder, { callback }) };
    this.look();
  }

  /** Begins to do what was asked for and is not done. It may take longer than other nodes wait for this one. */
  look(): void {
    if (this.isLooking) return;
    this.isLooking = true;
    this.doAll()
      .then(() => this.tell(undefined))
      .catch((error: Error) => this.tell(error))
      .finally(() => {
        this.isLooking = false;
      });
  }

  /** @throws Error of NATS, or of the log */
  private doAll(): Promise<void> {
    const done = this.turn.then(() => this.catchUp());
    this.turn = done.catch(() => undefined);
    return done;
  }

  /** Does a job, unless a look has done it already. @returns how many requests went @throws Error */
  private async do(number: number): Promise<number> {
    await this.doAll();
    return this.last.number === number ? this.last.removed : 0;
  }

  /** Answers no more. */
  detach(): void {
    this.attached?.asked.unsubscribe();
    this.attached = undefined;
  }

  /** Has all nodes take out what a job names. @throws Error when none of them will */
  async forget(job: ForgetJob): Promise<ForgottenRequests> {
    if (this.attached === undefined)
      throw new Error('This node does not reach its cluster now, so the other nodes would keep what it forgets.');
    const { connection, keys } = this.attached;
    const message: Message = { format: CLUSTER_FORMAT, job };
    const { seq } = await connection.jetstream.publish(SUBJECT, JSON.stringify(message));
    const answered = new Set<string>();
    const silent = new Set<string>();
    let requests = 0;
    const ask = async ({ folder, node }: { folder: string; node: string }): Promise<void> => {
      const removed = await (folder === this.folder ? this.do(seq) : this.ask(folder, seq));
      (removed === undefined ? silent : answered).add(node);
      requests += removed ?? 0;
    };
    await Promise.all((await readHolders(connection, keys)).map(ask));
    // A node that has a new folder does not come back with the one before.
    const awaited = [...silent].filter(node => !answered.has(node));
    return { requests, awaited };
  }

  /** @returns undefined where a node does not answer */
  private async ask(folder: string, number: number): Promise<number | undefined> {
    let answer: Msg;
    try {
      answer = await askNode(this.attached!.connection.nats, ASKED + folder, String(number), ANSWER_MILLISECONDS);
    } catch {
      // It is down, or cut off: what it will do is in the stream.
      return undefined;
    }
    return answer.data.length === 0 ? undefined : Number(answer.string());
  }

  private async answer(message: Msg): Promise<void> {
    try {
      message.respond(String(await this.do(Number(message.string()))));
    } catch (error) {
      message.respond();
      this.tell(error as Error);
    }
  }

  /** Tells of a failure once, until there is another one. */
  private tell(error: Error | undefined): void {
    if (error !== undefined && error.message !== this.told) this.onError(error);
    this.told = error?.message;
  }

  private async catchUp(): Promise<void> {
    if (this.attached === undefined) return;
    const { streams } = this.attached.connection.manager;
    const { created, state } = await streams.info(STREAM);
    const [, stream, done] = DONE.exec(this.readDone()) ?? [];
    const from = stream === created ? Number(done) + 1 : 1;
    if (from > state.last_seq) return;
    const jobs: ForgetJob[] = [];
    for (let seq = Math.max(from, state.first_seq); seq <= state.last_seq; seq++) {
      const stored = await streams.getMessage(STREAM, { seq });
      if (stored === null) continue;
      const { format, job } = stored.json<Message>();
      if (format !== CLUSTER_FORMAT) throw otherFormat('What the cluster is to forget', format, CLUSTER_FORMAT);
      jobs.push(job);
    }
    this.last = { number: state.last_seq, removed: jobs.length === 0 ? 0 : await this.parts.forget(jobs) };
    replaceFile(this.path, `${created} ${state.last_seq}`);
  }

  private readDone(): string {
    return existsSync(this.path) ? readRegularFile(this.path, 128).toString() : '';
  }
}
