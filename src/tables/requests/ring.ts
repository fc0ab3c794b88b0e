// The way of a logged request from an HTTP thread to the writer thread: a ring of bytes in shared memory, one for each
// HTTP thread, with one producer and one consumer and no locks. Each side owns one position and reads the other's by
// Atomics; a record never wraps, so that the consumer copies whole records as at most two pieces. A record that does
// not fit is dropped and counted: losing one never fails a request.
//
//   head <= tail:   |      #########       |    data is [head, tail)
//   tail < head: |#### ######.. | data is [head, wrap) and [0, tail); `..` was too short for the next record
//
// The producer leaves at least one byte free, so equal positions mean empty. At most one wrap lies between head and
// tail: `wrap` cannot change while the consumer still needs it.

import type { RootDatabase } from 'lmdb';
import { commitAtOnce } from '../environment/commit.ts';
import { type LogEntry, recordBytesAtMost, writeRecord } from './record.ts';

// Words, each on a cache line of its own so that the two threads do not take it from each other.
const WORD_HEAD = 0; // written by the consumer
const WORD_TAIL = 16; // written by the producer, as are the following
const WORD_WRAP = 32;
const WORD_DROPPED = 48;
const DATA = 256;

/** `push`: the ring was full and the record is lost. */
export const LOG_DROPPED = 0;
/** `push`: stored. */
export const LOG_STORED = 1;
/** `push`: stored, and the ring has just become half full: wake the consumer rather than wait for its timer. */
export const LOG_HALF_FULL = 2;

/** Shared memory of a ring for `bytes` of records (8 MiB hold about 5,000 requests). */
export function createLogRing(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(DATA + (bytes & ~7));
}

/** The HTTP thread's end. */
export class LogProducer {
  private readonly words: Int32Array;
  private readonly bytes: Buffer;
  private readonly view: DataView;
  private readonly size: number;
  private tail: number;

  /** @param ring from `createLogRing` */
  constructor(ring: SharedArrayBuffer) {
    this.words = new Int32Array(ring, 0, DATA / 4);
    this.bytes = Buffer.from(ring, DATA);
    this.view = new DataView(ring, DATA);
    this.size = this.bytes.length;
    this.tail = Atomics.load(this.words, WORD_TAIL);
  }

  /** Copies a record into the ring. @returns LOG_DROPPED, LOG_STORED or LOG_HALF_FULL. */
  push(entry: LogEntry): number {
    const needed = recordBytesAtMost(entry);
    const head = Atomics.load(this.words, WORD_HEAD);
    const tail = this.tail;
    let start = tail;
    if (tail < head) {
      if (tail + needed >= head) return this.drop();
    } else if (tail + needed > this.size) {
      if (needed >= head) return this.drop();
      Atomics.store(this.words, WORD_WRAP, tail);
      start = 0;
    }
    const end = start + writeRecord(this.bytes, this.view, start, entry);
    this.tail = end;
    Atomics.store(this.words, WORD_TAIL, end);
    const half = this.size / 2;
    return this.used(head, tail) < half && this.used(head, end) >= half ? LOG_HALF_FULL : LOG_STORED;
  }

  /** True while at least half of the ring is in use. */
  get isHalfFull(): boolean {
    return this.used(Atomics.load(this.words, WORD_HEAD), this.tail) >= this.size / 2;
  }

  private used(head: number, tail: number): number {
    return tail >= head ? tail - head : this.size - head + tail;
  }

  private drop(): number {
    Atomics.add(this.words, WORD_DROPPED, 1);
    return LOG_DROPPED;
  }
}

/** The writer thread's end. */
export class LogConsumer {
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  /**
   * Holds the records of the last drain. One for all of them: a fresh one each time would make the garbage collector
   * stop the writer.
   */
  private copy = new Uint8Array(0);

  /** @param ring from `createLogRing` */
  constructor(ring: SharedArrayBuffer) {
    this.words = new Int32Array(ring, 0, DATA / 4);
    this.bytes = new Uint8Array(ring, DATA);
  }

  /** Records lost to a full ring since the start, modulo 2^32. */
  get dropped(): number {
    return Atomics.load(this.words, WORD_DROPPED) >>> 0;
  }

  /** True while at least half of the ring is in use, so that the next drain should not wait. */
  get isHalfFull(): boolean {
    return this.usedBytes >= this.bytes.length / 2;
  }

  /** Bytes of records that wait. Any thread may ask. */
  get usedBytes(): number {
    const used = Atomics.load(this.words, WORD_TAIL) - Atomics.load(this.words, WORD_HEAD);
    return used < 0 ? used + this.bytes.length : used;
  }

  /**
   * Takes all records out of the ring. @returns a copy of them, one after the other, valid until the next drain;
   * undefined when there are none.
   */
  drain(): Uint8Array | undefined {
    const tail = Atomics.load(this.words, WORD_TAIL);
    const head = Atomics.load(this.words, WORD_HEAD);
    if (head === tail) return undefined;
    const records = head < tail ? this.take(head, tail, 0) : this.take(head, Atomics.load(this.words, WORD_WRAP), tail);
    Atomics.store(this.words, WORD_HEAD, tail);
    return records;
  }

  /** Copies what lies between two positions and then the first bytes of the ring. */
  private take(from: number, to: number, again: number): Uint8Array {
    const length = to - from + again;
    if (this.copy.length < length) this.copy = new Uint8Array(Math.min(2 * length, this.bytes.length));
    this.copy.set(this.bytes.subarray(from, to));
    this.copy.set(this.bytes.subarray(0, again), to - from);
    return this.copy.subarray(0, length);
  }
}

// logIds: integers below 2^53 that no two replies share, over all threads, restarts and kills. The writer hands out
// blocks of 2^20 ids from a counter that is on disk before the block is used. Each HTTP thread counts through its
// blocks on its own; the rest of a block is lost when the thread ends. With sixteen threads and a thousand restarts a
// day, the ids last seven hundred years.
//
// In a cluster each data folder has a number, and takes the blocks of that (cluster/request_log.ts). What it gave out
// before has the number 0.

/** Ids of one block. The first id of a block is a multiple of it. */
export const LOG_BLOCK_IDS = 1_048_576;
/** Blocks below 2^53. */
const BLOCKS = 2 ** 33;
/** Blocks of each number: 137 thousand million ids. */
const NODE_BLOCKS = 131_072;
/** The last number. */
export const LOG_NODES_MAX = BLOCKS / NODE_BLOCKS - 1;
/** Another number is needed when fewer blocks are left of one. */
const NODE_BLOCKS_LEFT = NODE_BLOCKS / 8;
const COUNTER_KEY = Buffer.from('next block');

/** The number of the data folder that gave out an id; 0 = it had none. */
export function nodeOfLogId(logId: number): number {
  return Math.floor(logId / (NODE_BLOCKS * LOG_BLOCK_IDS));
}

/** Writer thread: the counter of blocks in the request log's environment. */
export class LogBlocks {
  private readonly root: RootDatabase<Buffer, Buffer>;
  private next: number;

  /** @throws Error when the counter is damaged. */
  constructor(root: RootDatabase<Buffer, Buffer>) {
    this.root = root;
    const stored = root.getBinary(COUNTER_KEY);
    if (stored !== undefined && stored.length !== 8)
      throw new Error(`The counter of log ids has ${stored.length} bytes instead of 8.`);
    this.next = stored === undefined ? 1 : stored.readDoubleLE(0);
    if (!(Number.isInteger(this.next) && this.next >= 1 && this.next <= BLOCKS))
      throw new Error(`The counter of log ids says ${this.next}.`);
  }

  /**
   * Takes the next block. When the promise resolves, that is on disk.
   * @returns the block's first id, at least LOG_BLOCK_IDS
   * @throws Error when the disk does not take it or no block is left
   */
  async allocate(): Promise<number> {
    if (this.next >= BLOCKS) throw new Error('All log ids below 2^53 are used up.');
    const block = this.next++;
    const stored = Buffer.alloc(8);
    stored.writeDoubleLE(this.next);
    await commitAtOnce(this.root, 'The counter of log ids', () => void this.root.put(COUNTER_KEY, stored), true);
    return block * LOG_BLOCK_IDS;
  }

  /** Number of the next block. */
  get nodeNumber(): number {
    return nodeOfLogId(this.next * LOG_BLOCK_IDS);
  }

  /** Few blocks of the number are left. */
  get needsNumber(): boolean {
    return NODE_BLOCKS - (this.next % NODE_BLOCKS) < NODE_BLOCKS_LEFT;
  }

  /** Takes the blocks of a number from here on. @param number above those before */
  useNumber(number: number): void {
    if (number <= this.nodeNumber) throw new Error(`Ids of number ${number} may have been given out before.`);
    this.next = number * NODE_BLOCKS;
  }
}

/**
 * HTTP thread: hands out the ids of its blocks. It holds a block in use and a spare one, so a slow writer delays
 * nobody.
 */
export class LogIds {
  private readonly allocateBlock: () => Promise<number>;
  private readonly onError: (error: Error) => void;
  private id: number;
  private end: number;
  private spare: number;
  private asking = false;
  private askBelow = LOG_BLOCK_IDS;

  private constructor(
    first: number,
    spare: number,
    allocateBlock: () => Promise<number>,
    onError: (error: Error) => void,
  ) {
    this.id = first;
    this.end = first + LOG_BLOCK_IDS;
    this.spare = spare;
    this.allocateBlock = allocateBlock;
    this.onError = onError;
  }

  /**
   * Takes the first two blocks.
   * @param allocateBlock asks the writer for a block and resolves to its first id
   * @param onError called when the writer refuses a later block; it is asked again when half of the ids then left are
   *   used
   * @throws what `allocateBlock` throws for the first two
   */
  static async start(allocateBlock: () => Promise<number>, onError: (error: Error) => void): Promise<LogIds> {
    const first = await allocateBlock();
    return new LogIds(first, await allocateBlock(), allocateBlock, onError);
  }

  /**
   * The next id. Allocates nothing except one promise for each block.
   * @throws Error when the writer has left this thread without a block for 2^20 ids.
   */
  next(): number {
    if (this.id === this.end) this.takeSpare();
    else if (this.spare === 0 && !this.asking && this.end - this.id <= this.askBelow) this.ask();
    return this.id++;
  }

  private takeSpare(): void {
    if (this.spare === 0)
      throw new Error('This thread has no log id left: the writer thread has not answered for a whole block.');
    this.id = this.spare;
    this.end = this.spare + LOG_BLOCK_IDS;
    this.spare = 0;
    this.askBelow = LOG_BLOCK_IDS;
  }

  private ask(): void {
    this.asking = true;
    this.allocateBlock().then(
      first => {
        this.asking = false;
        this.spare = first;
      },
      (error: Error) => {
        this.asking = false;
        this.askBelow = (this.end - this.id) >> 1;
        this.onError(error);
      },
    );
  }
}
