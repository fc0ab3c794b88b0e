// The ledger of credits of a cluster: every change of a balance, for a month. It is a stream that mirrors the accounts
// in the key-value store, which itself keeps only the last values of each. So the servers write it on their own, with
// the numbers and times of the entries, and no change of an account waits for it.

import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { JsMsg, StreamState } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import { decode, type Stored } from './account_copy.ts';
import { ACCOUNTS_SUBJECT, BUCKET, NODE_HEADER, RETURN_HEADER } from './accounts.ts';
import type { ClusterConnection } from './connection.ts';
import { storedMessages } from './stored_messages.ts';
import { openStream } from './stores.ts';

const LEDGER_STREAM = 'sextant_ledger';
const KEPT_MILLISECONDS = 31 * 86_400_000;
/** Servers set this aside, so it is little beside what they need anyhow. */
const BYTES_MAX = 134_217_728;
/** So that a busy key leaves room for the others. */
const CHANGES_OF_A_KEY_MAX = 100_000;
/** The last change may be on its way to the ledger for so long. */
const PAUSES_MAX = 50;
const PAUSE_MILLISECONDS = 100;

/**
 * What the entries tell of a change: `oldest` is the first one that is kept, after an unknown one; `taken` by a node in
 * advance, and `returned` by it; `added` by the operator.
 */
type Reason = 'oldest' | 'set' | 'filledUp' | 'earned' | 'taken' | 'returned' | 'added';

/** A change of the balance of a key, without what nodes have taken. */
export interface BalanceChange {
  /** When the servers stored it, ISO 8601, UTC. */
  time: string;
  /** Number of the change among those of all keys. */
  revision: number;
  /** Credits before; null where the key was not prepaid, absent in the oldest change. */
  before?: number | null;
  /** Credits afterwards; null where the key is not prepaid. */
  after: number | null;
  reason: Reason;
  /** The node that has made the change; absent in the oldest one. */
  node?: string;
}

/** Makes the ledger where it is missing; it begins with the values that the store still keeps. @throws Error of NATS */
export function openLedger({ manager, replicas }: Pick<ClusterConnection, 'manager' | 'replicas'>): Promise<void> {
  return openStream(manager, {
    name: LEDGER_STREAM,
    mirror: { name: `KV_${BUCKET}`, filter_subject: `${ACCOUNTS_SUBJECT}>` },
    max_age: KEPT_MILLISECONDS * 1e6,
    max_bytes: BYTES_MAX,
    max_msgs_per_subject: CHANGES_OF_A_KEY_MAX,
    num_replicas: replicas,
  });
}

/**
 * Reads the changes of a balance, up to the one in force when it begins.
 * @param sinceMs only those from here on, milliseconds since 1970
 * @throws Error for the operator, when there is no such key, or the ledger lags behind
 */
export async function readLedger(
  { jetstream, manager }: ClusterConnection,
  id: number,
  sinceMs = 0,
): Promise<BalanceChange[]> {
  const subject = ACCOUNTS_SUBJECT + id;
  const latest = await manager.streams.getMessage(`KV_${BUCKET}`, { last_by_subj: subject });
  if (latest === null) throw new Error(`There is no key ${id} in this cluster.`);
  const state = await stateWith(manager, latest.seq);
  if (state === undefined) throw new Error(`The ledger lacks the last change of key ${id} yet; ask again.`);
  const isForgotten = state.first_seq > latest.seq || latest.time.getTime() < Date.now() - KEPT_MILLISECONDS;
  if (isForgotten) return [];
  const changes = await readUpTo(latest.seq, storedMessages(jetstream, LEDGER_STREAM, subject, 'The ledger'));
  return changes.filter(({ time }) => Date.parse(time) >= sinceMs);
}

/** Waits until the ledger has a change. @returns undefined when it does not come in time */
async function stateWith(manager: ClusterConnection['manager'], change: number): Promise<StreamState | undefined> {
  for (let pauses = 0; pauses < PAUSES_MAX; pauses++) {
    const { state } = await manager.streams.info(LEDGER_STREAM);
    if (state.last_seq >= change) return state;
    await delay(PAUSE_MILLISECONDS);
  }
  return undefined;
}

async function readUpTo(last: number, messages: AsyncIterable<JsMsg>): Promise<BalanceChange[]> {
  const changes: BalanceChange[] = [];
  let before: Stored | undefined;
  for await (const { data, headers, seq, timestampNanos } of messages) {
    const after = decode(data);
    const time = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
    if (before === undefined || before.account.credits !== after.account.credits)
      changes.push({ time, revision: seq, ...changeOf(before, after, headers) });
    before = after;
    if (seq >= last) break;
  }
  return changes;
}

/** @param before undefined for the oldest that is kept */
function changeOf(
  before: Stored | undefined,
  after: Stored,
  headers: MsgHdrs | undefined,
): Omit<BalanceChange, 'time' | 'revision'> {
  const { credits = null } = after.account;
  if (before === undefined) return { after: credits, reason: 'oldest' };
  const reason = reasonOf(before, after, headers!.has(RETURN_HEADER) ? 'returned' : 'added');
  return { before: before.account.credits ?? null, after: credits, reason, node: headers!.get(NODE_HEADER) };
}

/** @param more the reason if it is more, and nothing else has changed */
function reasonOf(before: Stored, after: Stored, more: Reason): Reason {
  const { credits: had = 0, earned, filledMonth } = before.account;
  const { account } = after;
  if (account.filledMonth !== undefined && account.filledMonth !== filledMonth) return 'filledUp';
  if (after.settings !== before.settings) return 'set';
  if (!isDeepStrictEqual(account.earned, earned)) return 'earned';
  return (account.credits ?? 0) < had ? 'taken' : more;
}
