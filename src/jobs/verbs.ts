// The jobs that a process may ask of the owner of a data folder, over its socket: which are known, and which wait for
// each other.

import type { Job } from './job.ts';
import { IMPORT_KINDS, type Queue, queueOf } from './table_jobs.ts';

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
// writes places, buildings or fingerprints.
const VERBS: Readonly<Record<Job['verb'], Verb>> = {
  // The kind tells the queue.
  import: { known: ['kind', IMPORT_KINDS], queues: TABLES },
  // Only the tables tell of what kind a source is.
  sources: { known: ['action', ['remove']], queues: TABLES },
  buildings: { known: ['action', ['remove']], queues: ['places'] },
  // For the owner itself.
  fingerprints: { known: ['action', []], queues: ['places'] },
  forget: { known: ['what', ['stations', 'contributor', 'device', 'report']], queues: STATIONS },
  'demo-remove': { queues: STATIONS },
  aggregate: { known: ['action', ['all', 'rebuild', 'checkpoint']], queues: STATIONS },
  backup: { queues: TABLES },
  keys: { known: ['action', ['create', 'list', 'show', 'update', 'revoke', 'rotate', 'credit']], queues: OTHERS },
  secret: { known: ['action', ['rotate']], queues: OTHERS },
  usage: { queues: OTHERS },
  status: { queues: OTHERS },
  log: { queues: OTHERS },
};

/**
 * Checks a job that came over the socket. The command has checked the members, so only the verb and what it is about
 * are checked.
 * @throws Error when the job is not known
 */
export function parseJob(value: unknown): Job {
  if (!isKnown(value)) throw new Error(`This version of Sextant does not know the job ${JSON.stringify(value)}.`);
  return value;
}

/** The queues in which a job waits for its turn; what is not known waits for nothing long. */
export function queuesOf(value: unknown): readonly Queue[] {
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
