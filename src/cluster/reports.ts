// Reports on their way through the stream. A node appends what its clients send, and acknowledges once JetStream has
// it. Every node reads the stream in its order into its own observation log, by the same code as a machine alone. The
// time of arrival is that of the stream, so all logs decide alike whether a report was there before, and give it the
// same number. The position in the stream is written with the reports, so a kill neither loses nor repeats any.

import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConsumerMessages, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { NotWritten } from '../tables/environment/commit.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import { unpackReports } from '../tables/observations/report.ts';
import { hashOfBatch, type StreamedBatch } from '../tables/observations/stream_mark.ts';
import type { ClusterConnection } from './connection.ts';
import { CLUSTER_FORMAT, otherFormat, readManifest } from './manifest.ts';
import { type ClusterStores, messageBytesMax, REPORTS_STREAM, REPORTS_SUBJECT } from './stores.ts';

/** Appends under way, of which LMDB makes few commits. */
const UNDER_WAY_MAX = 128;
/** How long JetStream may take to acknowledge reports. */
const ACKNOWLEDGE_MILLISECONDS = 5_000;
const FORMAT_HEADER = 'Sextant-Format';
const SOURCE_HEADER = 'Sextant-Source';
const WHAT = 'The reports';

/** Whether the stream has what this node has (standing.ts). */
interface StreamView {
  /** Why nothing may be sent; undefined where it may. */
  readonly refusal: string | undefined;
  /** True while it leads on from the log for certain. */
  readonly mayRead: boolean;
  /** Looks again. @throws Error of NATS */
  look(): Promise<void>;
}

/** A batch in the stream. */
export interface StreamedReports {
  reports: Uint8Array;
  /** Name of the source of a file, if it has one. */
  source: string | undefined;
  /** When JetStream stored it, milliseconds since 1970. */
  receivedMs: number;
  /** Where it stands; undefined for one of a stream that nobody reads on. */
  streamed: StreamedBatch | undefined;
}

/**
 * Appends reports to the stream.
 * @param standing whether the stream has what this node has
 * @param reports from `packReports`
 * @param source name of the source of a file, if it has one
 * @returns true when JetStream had them already, because a client or a node has sent them twice within minutes
 * @throws NotWritten when JetStream did not acknowledge them in time, or one is too large for it; then none was sent
 */
export async function sendReports(
  open: { connection: ClusterConnection; stores: ClusterStores } | undefined,
  standing: StreamView,
  reports: Uint8Array,
  source: string | undefined,
): Promise<boolean> {
  if (open === undefined) throw new NotWritten(WHAT, 'this node does not reach its cluster');
  const { nats, jetstream } = open.connection;
  let isRepeated = true;
  // The client forgets it with its connection.
  if (nats.info === undefined) throw new NotWritten(WHAT, 'this node is cut off from its cluster');
  if (standing.refusal !== undefined) await standing.look().catch(() => undefined);
  if (standing.refusal !== undefined || nats.info === undefined)
    throw new NotWritten(WHAT, standing.refusal ?? 'this node is cut off from its cluster');
  for (const part of [...partsOf(reports, messageBytesMax(nats))]) {
    const id = messageId(part, source);
    const publish = (msgID: string) => {
      const marks = headers();
      marks.set(FORMAT_HEADER, String(CLUSTER_FORMAT));
      if (source !== undefined) marks.set(SOURCE_HEADER, encodeURIComponent(source));
      return jetstream.publish(REPORTS_SUBJECT, part, { msgID, headers: marks, timeout: ACKNOWLEDGE_MILLISECONDS });
    };
    try {
      let { duplicate, seq } = await publish(id);
      const epoch = duplicate ? await epochAfter(open.stores, seq) : 0;
      // Where the logs have them still, they know them by themselves.
      if (epoch > 0) ({ duplicate } = await publish(`${id} ${epoch}`));
      isRepeated &&= duplicate;
    } catch (error) {
      const why = `the cluster did not acknowledge them (${(error as Error).message})`;
      throw new NotWritten(WHAT, why, { cause: error });
    }
  }
  return isRepeated;
}

/** The same reports, and no others, have the same id; where a client named no time, it is that of a minute. */
function messageId(reports: Uint8Array, source: string | undefined): string {
  const identities = [...unpackReports(reports)].map(({ identity }) => identity);
  return hash('sha256', Buffer.concat([...identities, Buffer.from(source ?? '')]), 'base64url');
}

/**
 * What JetStream knows may have been taken out of the logs since, by `forget` or `sources remove`.
 * @returns the epoch of the logs if they began it with a batch or later, else 0
 */
async function epochAfter(stores: ClusterStores, batch: number): Promise<number> {
  const { log } = (await readManifest(stores))?.manifest ?? {};
  return log !== undefined && batch <= log.position ? log.epoch : 0;
}

/** Packed reports in parts that fit into a message. @throws NotWritten when one alone does not */
function* partsOf(reports: Uint8Array, most: number): Generator<Uint8Array> {
  if (reports.length <= most) {
    yield reports;
    return;
  }
  let start = 0;
  let end = 0;
  for (const { record } of unpackReports(reports)) {
    // Each begins at a multiple of eight bytes.
    const next = record.byteOffset - reports.byteOffset + Math.ceil(record.length / 8) * 8;
    if (next - start > most && end > start) {
      yield reports.subarray(start, end);
      start = end;
    }
    end = next;
    if (end - start > most)
      throw new NotWritten(
        WHAT,
        `a report has ${end - start} bytes, and the servers of NATS take messages of ${most}; raise their max_payload`,
      );
  }
  yield reports.subarray(start, end);
}

/** Pause before the stream is read again after a failure. */
const AGAIN_MILLISECONDS = 500;
/** The server that reads the stream for a node says so often that it is there; where two are missing, another does. */
const HEARTBEAT_MILLISECONDS = 1_000;
/** It is asked again so often. */
const PULL_MILLISECONDS = 5_000;

/** Reads the stream into the log of this node. */
export class ReportReader {
  private readonly connection: ClusterConnection;
  private readonly log: ObservationLog;
  private readonly standing: StreamView;
  private readonly store: (batch: StreamedReports) => Promise<unknown>;
  private readonly onError: (error: Error) => void;
  private messages: ConsumerMessages | undefined;
  /** Position of the log, and of the stream, at the last beat. */
  private seen: { position: number | undefined; last: number } | undefined;
  private stopping: AbortController | undefined;
  private running: Promise<void> = Promise.resolve();
  private failure: Error | undefined;

  /**
   * @param standing whether the stream leads on from the log
   * @param store writes a batch to the log; the next ones are handed over before it is done
   * @param onError called when it cannot go on for now; it tries again
   */
  constructor(
    connection: ClusterConnection,
    log: ObservationLog,
    standing: StreamView,
    store: (batch: StreamedReports) => Promise<unknown>,
    onError: (error: Error) => void,
  ) {
    this.connection = connection;
    this.log = log;
    this.standing = standing;
    this.store = store;
    this.onError = onError;
  }

  /** Reads on from the position of the log, until `stop`; does nothing where it does so already. */
  start(): void {
    if (this.stopping !== undefined) return;
    const stopping = new AbortController();
    this.stopping = stopping;
    this.running = this.readUntil(stopping.signal);
  }

  /**
   * Reads anew where a beat ago there was something to read, and nothing of it has come: the servers have sent it over
   * a connection that was lost, and do not send it again before the next report. @param last position of the stream
   */
  renew(last: number): void {
    const { position } = this.log;
    const { seen } = this;
    this.seen = { position, last };
    if (position === undefined || position >= last) return;
    if (seen?.position === position && seen.last > position) this.messages?.stop();
  }

  /** Ends it; what was read is stored afterwards. */
  async stop(): Promise<void> {
    this.stopping?.abort();
    this.messages?.stop();
    await this.running;
    this.stopping = undefined;
  }

  /** @throws Error when the stream cannot lead on from this log, and waiting does not help */
  requireRunning(): void {
    if (this.failure instanceof StreamGap) throw this.failure;
  }

  private async readUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.read(signal);
        this.failure = undefined;
      } catch (error) {
        if (signal.aborted) return;
        if (this.failure?.message !== (error as Error).message) this.onError(error as Error);
        this.failure = error as Error;
      }
      await delay(AGAIN_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async read(signal: AbortSignal): Promise<void> {
    const { jetstream, manager } = this.connection;
    await this.standing.look();
    // Why is told by the node.
    if (!this.standing.mayRead) return;
    let next = this.log.position! + 1;
    const { created, state } = await manager.streams.info(REPORTS_STREAM);
    if (state.last_seq < next - 1 || state.first_seq > next) throw new StreamGap(next, state);
    const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
    const consumer = await jetstream.consumers.get(REPORTS_STREAM, start);
    const messages = await consumer.consume({
      max_messages: 4 * UNDER_WAY_MAX,
      expires: PULL_MILLISECONDS,
      idle_heartbeat: HEARTBEAT_MILLISECONDS,
    });
    this.messages = messages;
    const underWay = new Set<Promise<unknown>>();
    let failure: Error | undefined;
    const fail = (error: Error): void => {
      failure ??= error;
      messages.stop();
    };
    try {
      // It may have been stopped before there was anything that `stop` could end.
      if (signal.aborted) return;
      for await (const message of messages) {
        // Over a lost connection, the client goes on from this position of whatever stream is there then.
        if (signal.aborted || failure !== undefined || !this.standing.mayRead) break;
        if (message.seq !== next) throw new StreamGap(next, { first_seq: message.seq, last_seq: message.seq });
        next++;
        const stored = this.store(batchOf(message, created)).catch(fail);
        underWay.add(stored);
        void stored.then(() => underWay.delete(stored));
        if (underWay.size >= UNDER_WAY_MAX) await Promise.race(underWay);
      }
    } finally {
      messages.stop();
      // One that is left is gone after minutes.
      consumer.delete().catch(() => undefined);
      await Promise.allSettled(underWay);
    }
    if (failure !== undefined) throw failure;
  }
}

/** The stream does not have what follows the log of this node any more. */
class StreamGap extends Error {
  constructor(next: number, { first_seq, last_seq }: { first_seq: number; last_seq: number }) {
    super(`The stream has reports ${first_seq} to ${last_seq}, and this node has those up to ${next - 1}.`);
  }
}

/** The batch of a message. @param created when its stream was made */
export function batchOf(message: JsMsg, created: string): StreamedReports {
  const format = message.headers?.get(FORMAT_HEADER);
  if (format !== String(CLUSTER_FORMAT))
    throw otherFormat(`The batch of reports at position ${message.seq} of the stream`, format, CLUSTER_FORMAT);
  const source = message.headers?.get(SOURCE_HEADER);
  const receivedMs = Number(message.timestampNanos / 1_000_000n);
  return {
    reports: Uint8Array.from(message.data),
    source: source ? decodeURIComponent(source) : undefined,
    receivedMs,
    streamed: { position: message.seq, created, hash: hashOfBatch(message.data, message.seq, receivedMs) },
  };
}
