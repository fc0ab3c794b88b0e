// logIds: integers below 2^53 that no two replies share, over all threads, restarts and kills. The writer hands out
// blocks of 2^20 ids from a counter that is on disk before the block is used. Each HTTP thread counts through its
// blocks on its own; the rest of a block is lost when the thread ends. With sixteen threads and a thousand restarts a
// day, the ids last seven hundred years.

import type { RootDatabase } from 'lmdb';
import { commitAtOnce } from '../environment/commit.ts';

/** Ids of one block. The first id of a block is a multiple of it. */
export const LOG_BLOCK_IDS = 1_048_576;
/** Blocks below 2^53. */
const BLOCKS = 2 ** 33;
const COUNTER_KEY = Buffer.from('next block');

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
