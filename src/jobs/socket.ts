// The socket of the owner. While a process owns a data folder, commands send it their jobs over a Unix socket in the
// folder. Jobs that write the same tables run one after another, in the order of arrival, unless one leaves its turn. A
// job that has begun runs to its end, even if its command is gone and nobody reads the result, unless the command
// cancels it. A job that still waits when its command ends or cancels it is never begun.

import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { FeatureTables } from '../feature.ts';
import { FEATURE_TABLES, type FeatureGroup } from '../features.ts';
import { ReplacementRefused } from '../tables/sources/source_name.ts';
import { CANCELLED, type Job, messageOf, type Progress } from './job.ts';
import { claimSocketAddress, lineOf, onLines, PROTOCOL, releaseSocketAddress } from './socket_messages.ts';
import { IMPORT_KINDS, type Queue, queueOf } from './table_jobs.ts';

const JOB_CHARACTERS_MAX = 1_048_576; // some ten thousand file names
const UNREAD_BYTES_MAX = 65_536; // progress that a suspended command has not read; further progress is dropped

/** The open socket of a folder. */
export interface JobSocket {
  /**
   * Takes no more jobs, tells every waiting command that its job was not finished, and removes the socket. A running
   * job is not stopped.
   */
  close(): void;
}

/**
 * Listens for jobs in a data folder that this process owns.
 * @param folder absolute path; its lock is held, so an existing socket is a leftover
 * @param run executes one job; its result must be a value for JSON, and its errors are sent to the command. The signal
 *   asks it to end early; a job may be passed on by another node of a cluster, and leave its turn to those behind it
 * @throws Error when the socket cannot be created
 */
export async function openJobSocket(
  folder: string,
  run: (
    job: Job,
    onProgress: (progress: Progress) => void,
    cancelled: AbortSignal,
    isPassed: boolean,
    leaveTurn: () => void,
  ) => Promise<unknown>,
): Promise<JobSocket> {
  const waiting = new Set<Socket>();
  let closed = false;
  const inTurn = turns();

  const server = createServer(socket => {
    waiting.add(socket);
    socket.on('close', () => waiting.delete(socket));
    // The command is gone. Its job continues, and 'close' follows.
    socket.on('error', () => {});
    let asked = false;
    const cancel = new AbortController();
    onLines(socket, JOB_CHARACTERS_MAX, message => {
      if (message.cancel === true) cancel.abort();
      if (asked || closed) return;
      asked = true;
      inTurn(queuesOf(message.job), leaveTurn => serve(socket, message, cancel.signal, leaveTurn));
    });
  });

  async function serve(
    socket: Socket,
    message: Record<string, unknown>,
    cancelled: AbortSignal,
    leaveTurn: () => void,
  ): Promise<void> {
    if (closed || !socket.readable) return; // `readable` ends with the command
    let reply: string;
    try {
      if (message.protocol !== PROTOCOL)
        throw new Error('The data folder is in use by another version of Sextant, which does not take this command.');
      if (cancelled.aborted) throw new Error(CANCELLED);
      const onProgress = (progress: Progress): void => {
        if (socket.writable && socket.writableLength < UNREAD_BYTES_MAX) socket.write(lineOf({ progress }));
      };
      const result = await run(parseJob(message.job), onProgress, cancelled, message.isPassed === true, leaveTurn);
      reply = lineOf({ result: result ?? null });
    } catch (error) {
      reply = lineOf({ error: messageOf(error), ...(error instanceof ReplacementRefused && { mayReplace: true }) });
    }
    if (socket.writable) socket.end(reply);
  }

  const address = claimSocketAddress(folder);
  await listen(server, address);
  if (process.platform !== 'win32') chmodSync(address, 0o600);

  return {
    close() {
      closed = true;
      server.close();
      for (const socket of waiting) {
        if (socket.writable) socket.write(lineOf({ error: 'The service is stopping; the job was not finished.' }));
        socket.destroySoon();
      }
      releaseSocketAddress(folder);
    },
  };
}

/** Runs work in the order in which it comes to its queues, each until it ends or leaves its turn. */
function turns(): (queues: readonly Queue[], work: (leaveTurn: () => void) => Promise<void>) => void {
  const last = new Map<Queue, Promise<void>>();
  return (queues, work) => {
    const { promise: turn, resolve: leaveTurn } = Promise.withResolvers<void>();
    void Promise.all(queues.map(queue => last.get(queue)))
      .then(() => work(leaveTurn))
      .finally(leaveTurn);
    for (const queue of queues) last.set(queue, turn);
  };
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

// The jobs that a process may ask of the owner of a data folder, over its socket: which are known, and which wait for
// each other.

interface Verb {
  /** A member of the job and its values that are known. */
  known?: readonly [member: 'kind' | 'action' | 'what', values: readonly string[]];
  /** The queues in which it waits for its turn. */
  queues: readonly Queue[];
}

const STATIONS: readonly Queue[] = ['stations'];
const TABLES: readonly Queue[] = ['stations', 'places'];
const OTHERS: readonly Queue[] = ['others'];

// An import takes minutes. Keys and log entries do not wait for it, but only one job at a time writes stations, and one
// writes places or tables of features.
const VERBS: Readonly<Record<Job['verb'], Verb>> = {
  // The kind tells the queue.
  import: { known: ['kind', IMPORT_KINDS], queues: TABLES },
  // Only the tables tell of what kind a source is.
  sources: { known: ['action', ['remove']], queues: TABLES },
  ...(Object.fromEntries(FEATURE_TABLES.map(tables => [tables.name, verbOf(tables)])) as Record<FeatureGroup, Verb>),
  cluster: { known: ['action', ['leave', 'adopt']], queues: TABLES },
  forget: { known: ['what', ['stations', 'contributor', 'device', 'report']], queues: STATIONS },
  'demo-remove': { queues: STATIONS },
  aggregate: { known: ['action', ['all', 'rebuild', 'checkpoint']], queues: STATIONS },
  backup: { queues: TABLES },
  keys: { known: ['action', ['create', 'list', 'show', 'update', 'revoke', 'rotate', 'credit']], queues: OTHERS },
  tenants: { known: ['action', ['list', 'create', 'remove']], queues: OTHERS },
  secret: { known: ['action', ['rotate']], queues: OTHERS },
  usage: { queues: OTHERS },
  status: { queues: OTHERS },
  log: { queues: OTHERS },
};

/** Jobs on tables of features are for the owner itself, but for removals where imports are no sources among others. */
function verbOf({ sources }: FeatureTables): Verb {
  return { known: ['action', sources === undefined ? ['remove'] : []], queues: ['places'] };
}

/**
 * Checks a job that came over the socket. The command has checked the members, so only the verb and what it is about
 * are checked.
 * @throws Error when the job is not known
 */
function parseJob(value: unknown): Job {
  if (!isKnown(value)) throw new Error(`This version of Sextant does not know the job ${JSON.stringify(value)}.`);
  return value;
}

/** The queues in which a job waits for its turn; what is not known waits for nothing long. */
function queuesOf(value: unknown): readonly Queue[] {
  if (!isKnown(value)) return OTHERS;
  return value.verb === 'import' ? [queueOf(value)] : VERBS[value.verb].queues;
}

function isKnown(value: unknown): value is Job {
  const job = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const verb =
    typeof job.verb === 'string' && Object.hasOwn(VERBS, job.verb) ? VERBS[job.verb as Job['verb']] : undefined;
  if (verb?.known === undefined) return verb !== undefined;
  const [member, values] = verb.known;
  return values.includes(String(job[member]));
}
