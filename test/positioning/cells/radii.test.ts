import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { radiiOfCells } from '../../../src/positioning/cells/radii.ts';

const WELL_KNOWN = { r50Metres: 400, r95Metres: 900, samples: 4_096, cells: 1 };

describe('a cell of many samples', () => {
  test('holds half of the truths within its own radius', () => {
    expect(radiiOfCells(WELL_KNOWN).r50Metres).toBeCloseTo(400, -1);
  });

  test('has the tail of its radii', () => {
    const { r50Metres, tail } = radiiOfCells(WELL_KNOWN);
    expect(tail.at68 * r50Metres).toBeLessThan(500);
    expect(tail.at95 * r50Metres).toBeGreaterThan(800);
    expect(tail.at95 * r50Metres).toBeLessThan(1_000);
    expect(radiiOfCells({ ...WELL_KNOWN, r95Metres: 4_000 }).tail.at95).toBeGreaterThan(3 * tail.at95);
  });
});

test('few samples say little about the radius and less about the tail', () => {
  const known = radiiOfCells(WELL_KNOWN);
  const few = radiiOfCells({ ...WELL_KNOWN, samples: 8 });
  expect(few.r50Metres).toBeGreaterThan(1.3 * known.r50Metres);
  expect(few.tail.at68).toBeGreaterThan(1.1 * known.tail.at68);
  expect(few.tail.at95).toBeGreaterThan(2 * known.tail.at95);
});

test('a cell seen once is not as small as it looks', () => {
  expect(radiiOfCells({ r50Metres: 25, r95Metres: 25, samples: 1, cells: 1 }).r50Metres).toBeGreaterThan(70);
});

test('no cell reaches farther than a cell can, however little is known about it', () => {
  const { r50Metres, tail } = radiiOfCells({ r50Metres: 5_000, r95Metres: 10_000, samples: 1, cells: 1 });
  expect(r50Metres * tail.at95).toBeLessThan(40_000);
});

test('several cells are better than one', () => {
  expect(radiiOfCells({ ...WELL_KNOWN, cells: 2 }).r50Metres).toBeLessThan(radiiOfCells(WELL_KNOWN).r50Metres);
});

test('a larger share has no smaller radius', () => {
  const metres = fc.integer({ min: 1, max: 60_000 });
  fc.assert(
    fc.property(
      metres,
      metres,
      fc.integer({ min: 1, max: 32_768 }),
      fc.integer({ min: 1, max: 32 }),
      (r50Metres, r95Metres, samples, cells) => {
        const { tail } = radiiOfCells({ r50Metres, r95Metres, samples, cells });
        expect(tail.at68).toBeGreaterThanOrEqual(1);
        expect(tail.at95).toBeGreaterThanOrEqual(tail.at68);
      },
    ),
  );
});
