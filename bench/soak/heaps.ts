// What the heaps of a service's threads hold (report_heap.ts): an order is a number in a file, and each thread that
// looks answers with a file of its own. Threads that sleep answer when they wake up, so they are left out of what is
// read a moment later; a heap does not grow while its thread sleeps.

import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What threads are asked. */
export interface HeapOrder {
  /** Counts from 1; 0 asks nothing. */
  number: number;
  /** Garbage is collected first. */
  collects: boolean;
}

/** What a thread says of its heap, bytes. */
export interface ThreadHeap {
  thread: number;
  name: string;
  used: number;
  /** Of the heap, whether in use or not. */
  committed: number;
  /** Buffers and the like that objects of the heap hold, array buffers among them. */
  external: number;
  arrayBuffers: number;
  /** By V8 itself outside of the heap. */
  malloced: number;
}

/** Threads look once a second, and a busy one a little later. */
const ANSWER_MILLISECONDS = 3_000;
const PRELOAD = new URL('report_heap.ts', import.meta.url).href;

/** Asks the threads of one service. */
export class Heaps {
  private readonly file: string;
  private number = 0;

  /** @param folder of its own, for orders and answers */
  constructor(folder: string) {
    this.file = join(folder, 'order');
    this.order(false);
  }

  /** What the service needs in its environment. */
  get environment(): Record<string, string> {
    return { SOAK_ORDER: this.file, NODE_OPTIONS: `--import=${PRELOAD}` };
  }

  /**
   * What the threads hold that are awake, by their numbers. @param collects whether they collect their garbage first
   */
  async ask(collects: boolean): Promise<ThreadHeap[]> {
    this.number++;
    this.order(collects);
    await delay(ANSWER_MILLISECONDS);
    const begin = `${basename(this.file)}.${this.number}.`;
    const folder = dirname(this.file);
    return readdirSync(folder)
      .filter(name => name.startsWith(begin) && name.endsWith('.json'))
      .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as ThreadHeap)
      .sort((a, b) => a.thread - b.thread);
  }

  private order(collects: boolean): void {
    const order: HeapOrder = { number: this.number, collects };
    writeFileSync(`${this.file}.part`, JSON.stringify(order));
    renameSync(`${this.file}.part`, this.file);
  }
}
