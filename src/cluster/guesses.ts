// What accounts have guessed wrongly at any node (src/tables/stations/guesses.ts). Each node sends what its own threads
// have noted to the stream `sextant_guesses`, and reads on in it from where it was: so one that was down or cut off has
// what it missed. It does both every ten seconds; in between it counts for itself, and goes on so without servers. A
// node that starts sends all that it has of the week, as a kill may have come before it did. What is read twice changes
// nothing.

import { GUESS_BYTES, packGuess, unpackGuess } from '../tables/requests/guess_table.ts';
import { asUnreachable, type ClusterConnection, Unreachable } from './connection.ts';
import { CLUSTER_FORMAT, otherFormat } from './manifest.ts';
import { openStream } from './stores.ts';

const STREAM = 'sextant_guesses';
const SUBJECT = 'sextant.guesses';
/** Guesses count for a week, and clocks may differ. */
const KEPT_MILLISECONDS = 8 * 86_400_000;
/** More than a week of them, unless somebody guesses with thousands of keys; then nodes that were down miss some. */
const BYTES_MAX = 67_108_864;
const PAUSE_MILLISECONDS = 10_000;
/** In one message, which then has 50 KB. */
const GUESSES_AT_ONCE = 1_024;
/** Messages that are asked for together. */
const MESSAGES_AT_ONCE = 64;

/** The memory of guesses of this node. */
export interface GuessParts {
  /** How far it has read in which stream, in words of this file; kept with what it has read. */
  read: string;
  /** Each of so many nodes allows its share of wrong guesses from here on. */
  divideAmong(nodes: number): void;
  /** From here on nothing that it holds has been told to others. */
  tellAll(): void;
  /** Takes what was not told, to tell it. @param most entries @returns their numbers, and the pairs among them */
  takeUntold(most: number): { entries: readonly number[]; words: readonly Int32Array[] };
  /** Puts back what others could not be told. */
  notTold(entries: readonly number[]): void;
  /** Takes over what another node has told. */
  merge(words: Int32Array): void;
}

/** See above. */
export class ClusterGuesses {
  private readonly parts: GuessParts;
  private readonly onError: (error: Error) => void;
  private connection: ClusterConnection | undefined;
  /** When the stream was made that has been told of all. */
  private stream: string | undefined;
  private isLooking = false;
  private nextMs = 0;

  /** @param onError called for a failure that waiting does not mend; it is tried again */
  constructor(parts: GuessParts, onError: (error: Error) => void) {
    this.parts = parts;
    this.onError = onError;
  }

  /** Opens the stream. @throws Error of NATS */
  async attach(connection: ClusterConnection): Promise<void> {
    await openStream(connection.manager, {
      name: STREAM,
      subjects: [SUBJECT],
      max_age: KEPT_MILLISECONDS * 1e6,
      max_bytes: BYTES_MAX,
      num_replicas: connection.replicas,
    });
    this.connection = connection;
  }

  /** Begins to tell others what is new and to read what they tell, if it is time. @param nodes how many there are */
  refresh(nodes: number): void {
    this.parts.divideAmong(nodes);
    if (this.isLooking || this.connection === undefined || performance.now() < this.nextMs) return;
    this.isLooking = true;
    this.exchange(this.connection)
      .catch((error: unknown) => {
        // Servers that are away are told of elsewhere.
        if (!(asUnreachable(error) instanceof Unreachable)) this.onError(error as Error);
      })
      .finally(() => {
        this.isLooking = false;
        this.nextMs = performance.now() + PAUSE_MILLISECONDS;
      });
  }

  /** Tells and reads no more. */
  detach(): void {
    this.connection = undefined;
  }

  /** Tells others what is new, and takes over what they have told. @throws Error of NATS, or of another format */
  async exchange(connection: ClusterConnection): Promise<void> {
    const { created, state } = await connection.manager.streams.info(STREAM);
    if (this.stream !== created) this.parts.tellAll();
    this.stream = created;
    while (await this.tellSome(connection));
    const [stream, last] = this.parts.read.split(' ');
    const from = stream === created ? Number(last) + 1 : 1;
    for (let seq = Math.max(from, state.first_seq); seq <= state.last_seq; seq += MESSAGES_AT_ONCE) {
      const end = Math.min(seq + MESSAGES_AT_ONCE - 1, state.last_seq);
      await this.readBetween(connection, seq, end);
      this.parts.read = `${created} ${end}`;
    }
  }

  /** @returns whether there may be more */
  private async tellSome({ jetstream }: ClusterConnection): Promise<boolean> {
    const { entries, words } = this.parts.takeUntold(GUESSES_AT_ONCE);
    if (words.length === 0) return entries.length > 0;
    try {
      await jetstream.publish(SUBJECT, Buffer.concat([Buffer.of(CLUSTER_FORMAT), ...words.map(packGuess)]));
    } catch (error) {
      this.parts.notTold(entries);
      throw error;
    }
    return true;
  }

  private async readBetween({ manager }: ClusterConnection, first: number, last: number): Promise<void> {
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const messages = await Promise.all(numbers.map(seq => manager.streams.getMessage(STREAM, { seq })));
    for (const message of messages.filter(stored => stored !== null)) {
      const bytes = Buffer.from(message.data);
      if (bytes[0] !== CLUSTER_FORMAT) throw otherFormat('What nodes tell of guesses', bytes[0], CLUSTER_FORMAT);
      for (let at = 1; at < bytes.length; at += GUESS_BYTES)
        this.parts.merge(unpackGuess(bytes.subarray(at, at + GUESS_BYTES)));
    }
  }
}
