import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestRing } from '../../src/pool/ring.ts';

const CAPACITY = 1024;

/** A block of the model: where it lies, and whether it was given back. */
interface Block {
  offset: number;
  bytes: number;
  isGiven: boolean;
}

/**
 * What a ring is, written down without its book-keeping: blocks in the order taken, of which those given back at the
 * front are gone.
 */
class Model {
  blocks: Block[] = [];

  get live(): Block[] {
    return this.blocks.filter(block => !block.isGiven);
  }

  /** Where a block of these bytes must come to lie; -1 when there is no room in one piece. */
  place(bytes: number): number {
    if (this.blocks.length === 0) return bytes <= CAPACITY ? 0 : -1;
    const last = this.blocks.at(-1)!;
    const head = last.offset + last.bytes;
    const tail = this.blocks[0].offset;
    if (last.offset < tail) return head + bytes <= tail ? head : -1;
    if (head + bytes <= CAPACITY) return head;
    return bytes <= tail ? 0 : -1;
  }

  give(block: Block): void {
    block.isGiven = true;
    const first = this.blocks.findIndex(({ isGiven }) => !isGiven);
    this.blocks = first < 0 ? [] : this.blocks.slice(first);
  }
}

const step = fc.oneof(
  fc.record({
    take: fc.integer({ min: 1, max: 400 }),
    trimTo: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  }),
  fc.record({ give: fc.nat() }),
);

test('a ring places, trims and gives back as its model does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), steps => {
      const ring = new RequestRing(CAPACITY);
      const model = new Model();
      for (const next of steps) {
        if ('give' in next) {
          const { live } = model;
          if (live.length === 0) continue;
          const block = live[next.give % live.length];
          ring.give(block.offset);
          model.give(block);
        } else {
          const bytes = (next.take + 7) & ~7;
          const offset = ring.take(next.take);
          expect(offset).toBe(model.place(bytes));
          if (offset < 0) continue;
          const block = { offset, bytes, isGiven: false };
          model.blocks.push(block);
          if (next.trimTo !== undefined) {
            const kept = Math.max(1, Math.floor(next.take * next.trimTo));
            ring.trim(kept);
            block.bytes = (kept + 7) & ~7;
          }
        }
        if (model.blocks.length > 0) continue;
        // Nothing is lost: an empty ring has room for one block of its whole size.
        expect(ring.take(CAPACITY)).toBe(0);
        ring.give(0);
      }
    }),
    { numRuns: 2000, seed: 11 },
  );
});

test('a ring of thousands of blocks keeps them all apart', () => {
  const ring = new RequestRing(8 * 10_000);
  const offsets = Array.from({ length: 10_000 }, () => ring.take(8));
  expect(new Set(offsets).size).toBe(10_000);
  expect(ring.take(8)).toBe(-1);
  for (const offset of offsets.toReversed()) ring.give(offset);
  expect(ring.take(8 * 10_000)).toBe(0);
});

test('a block is given back once', () => {
  const ring = new RequestRing(CAPACITY);
  expect(() => ring.give(0)).toThrow('The request ring has no block at 0 to give back.');
  ring.take(8);
  ring.take(8);
  ring.give(8);
  expect(() => ring.give(8)).toThrow('The request ring has no block at 8 to give back.');
});
