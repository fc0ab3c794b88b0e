// The request logs of a cluster. Each node keeps its own. Every data folder has a number of its own in the cluster,
// with which the ids begin that it gives to requests (tables/requests/ring.ts). So whoever looks for a request knows
// whose it is, and asks that node over NATS: on the subject `sextant.log.FOLDER`, with the id as text. The answer is
// the request as compressed JSON, or nothing. In the store of the manifest:
//
//   log.NUMBER    which folder has the number, and the name of its node
//
// A folder is known by a file in it, which no backup holds: so a folder and a copy of it never share a number.

import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { readRegularFile } from '../config/regular_file.ts';
import { NODE_FILE } from '../folder/data_folder.ts';
import type { LoggedRequest } from '../tables/requests/record.ts';
import { LOG_NODES_MAX, type LogBlocks, nodeOfLogId } from '../tables/requests/ring.ts';
import { askNode, type ClusterConnection } from './connection.ts';
import { subjectsOf } from './stored_messages.ts';
import { KEYS_STREAM, KEYS_SUBJECT } from './stores.ts';

const NUMBER = 'log.';
const SUBJECT = 'sextant.log.';
const ANSWER_MILLISECONDS = 5_000;
/** Most bytes of a logged request as JSON: its texts have 64 KiB each, and a sign may take six. */
const REQUEST_BYTES_MAX = 2 * 1_048_576;
const FOLDER = /^[0-9a-f-]{36}$/;

/** The request log of this node, and the ids that it gives out. */
export interface RequestLogParts {
  ids: Pick<LogBlocks, 'nodeNumber' | 'needsNumber' | 'useNumber'>;
  find(logId: number): Promise<LoggedRequest | undefined>;
}

/** What the store has of a number. */
interface Holder {
  folder: string;
  node: string;
}

/** See above. */
export class ClusterRequestLog {
  private readonly parts: RequestLogParts;
  private readonly holder: Holder;
  private readonly onError: (error: Error) => void;
  private attached: { connection: ClusterConnection; keys: KV; asked: Subscription } | undefined;

  /** @param onError called when another node could not be answered */
  constructor(parts: RequestLogParts, folder: string, node: string, onError: (error: Error) => void) {
    this.parts = parts;
    this.holder = { folder: identityOf(folder), node };
    this.onError = onError;
  }

  /** Answers other nodes from here on, and takes a number if this folder has none. @throws Error of NATS */
  async attach(connection: ClusterConnection, keys: KV): Promise<void> {
    if (!(await this.hasNumber(keys))) await this.takeNumber(connection, keys);
    const callback = (error: Error | null, message: Msg): void => {
      if (error === null) this.answer(message).catch(this.onError);
    };
    const asked = connection.nats.subscribe(SUBJECT + this.holder.folder, { callback });
    this.attached = { connection, keys, asked };
  }

  /** Takes another number before this one has no ids left. */
  async refresh(): Promise<void> {
    if (!this.parts.ids.needsNumber || this.attached === undefined) return;
    await this.takeNumber(this.attached.connection, this.attached.keys);
  }

  /** Answers no more. */
  detach(): void {
    this.attached?.asked.unsubscribe();
    this.attached = undefined;
  }

  /**
   * Asks the node that has answered a request. @returns undefined where that does not know it, or it is of this node
   * @throws Error when the node does not answer
   */
  async find(logId: number): Promise<LoggedRequest | undefined> {
    if (nodeOfLogId(logId) === 0) return undefined;
    if (this.attached === undefined) throw new Error('This node has not reached its cluster.');
    const { connection, keys } = this.attached;
    return findAtNode(connection.nats, keys, logId, this.holder.folder);
  }

  private async answer(message: Msg): Promise<void> {
    const found = await this.parts.find(Number(message.string()));
    message.respond(found === undefined ? undefined : gzipSync(JSON.stringify(found)));
  }

  private async hasNumber(keys: KV): Promise<boolean> {
    const { nodeNumber, needsNumber } = this.parts.ids;
    return nodeNumber > 0 && !needsNumber && (await readHolder(keys, nodeNumber))?.folder === this.holder.folder;
  }

  /** Takes the number after the last one, which is also above those that this folder had before. */
  private async takeNumber(connection: ClusterConnection, keys: KV): Promise<void> {
    const last = Math.max(this.parts.ids.nodeNumber, ...(await numbersIn(connection)));
    for (let number = last + 1; number <= LOG_NODES_MAX; number++) {
      try {
        await keys.create(NUMBER + number, JSON.stringify(this.holder));
      } catch (error) {
        // Another node was faster.
        if (error instanceof JetStreamApiError) continue;
        throw error;
      }
      this.parts.ids.useNumber(number);
      return;
    }
    throw new Error(`The cluster has had ${LOG_NODES_MAX} data folders, which is the most that ids of requests name.`);
  }
}

/**
 * Asks the node that has answered a request. @param own folder that is not asked @returns undefined where that does not
 * know it @throws Error when the node does not answer
 */
export async function findAtNode(
  nats: NatsConnection,
  keys: KV,
  logId: number,
  own?: string,
): Promise<LoggedRequest | undefined> {
  const holder = await readHolder(keys, nodeOfLogId(logId));
  if (holder === undefined || holder.folder === own) return undefined;
  let answer: Msg;
  try {
    answer = await askNode(nats, SUBJECT + holder.folder, String(logId), ANSWER_MILLISECONDS);
  } catch (error) {
    throw new Error(`Node ${holder.node}, which has answered request ${logId}, does not answer now.`, { cause: error });
  }
  if (answer.data.length === 0) return undefined;
  return JSON.parse(gunzipSync(answer.data, { maxOutputLength: REQUEST_BYTES_MAX }).toString());
}

/** All folders that have or had a number, in no order. @throws Error of NATS */
export async function readHolders(connection: ClusterConnection, keys: KV): Promise<Holder[]> {
  const holders = new Map<string, Holder>();
  for (const number of await numbersIn(connection)) {
    const holder = await readHolder(keys, number);
    if (holder !== undefined) holders.set(holder.folder, holder);
  }
  return [...holders.values()];
}

async function numbersIn({ manager }: ClusterConnection): Promise<number[]> {
  const before = KEYS_SUBJECT + NUMBER;
  const subjects = await subjectsOf(manager, KEYS_STREAM, `${before}*`);
  return subjects.map(subject => Number(subject.slice(before.length)));
}

async function readHolder(keys: KV, number: number): Promise<Holder | undefined> {
  const entry = await keys.get(NUMBER + number);
  return entry === null || entry.operation !== 'PUT' ? undefined : entry.json<Holder>();
}

/** True for a folder that was a node. Copies and backups of it have no identity. */
export function hasIdentity(folder: string): boolean {
  return existsSync(join(folder, NODE_FILE));
}

/** By what a folder is known in its cluster; made when it is first asked. */
export function identityOf(folder: string): string {
  const path = join(folder, NODE_FILE);
  const known = existsSync(path) ? readRegularFile(path, 64).toString() : '';
  if (FOLDER.test(known)) return known;
  const identity = randomUUID();
  writeFileSync(path, identity, { mode: 0o600 });
  return identity;
}
