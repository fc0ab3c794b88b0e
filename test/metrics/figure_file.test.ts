// The file of the figures: all that is written is read, it stays small, and no damage goes unnoticed.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FIGURES_FILE } from '../../src/folder/data_folder.ts';
import { figureRings, readFigureFile, writeFigureFile } from '../../src/metrics/figure_file.ts';
import { FIGURE_RANGES, type Step } from '../../src/metrics/figure_steps.ts';
import { LATENCY_SECONDS } from '../../src/metrics/request_counts.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { LOG_ROUTES } from '../../src/tables/requests/record.ts';
import { uniform } from '../kits/random.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const START = Date.parse('2026-11-26T12:00:00Z');
const THREADS = 16;

/** A step in which everything happens, each as often as chance has it. */
function fullStep(endMs: number, random: () => number): Step {
  const any = (most: number): number => Math.floor(random() * most);
  const threads = ['service', 'main', 'writer', ...Array.from({ length: THREADS }, (_, n) => `http ${n}`)];
  const named = (names: readonly string[], value: () => number) => Object.fromEntries(names.map(n => [n, value()]));
  return {
    endMs,
    seconds: 10,
    latencies: Object.fromEntries(
      LOG_ROUTES.map(route => {
        let sum = 0;
        return [route, Array.from({ length: LATENCY_SECONDS.length + 1 }, () => (sum += any(1_000)))];
      }),
    ),
    errors: named(
      Object.values(ERRORS).map(({ reason }) => reason),
      () => any(10_000),
    ),
    creditsSpent: any(100_000),
    backlog: any(1_000_000),
    memory: named(threads, () => any(2 ** 31)),
    processor: named(threads, () => any(10_000) / 10_000),
    workers: { count: 2, busy: any(2_000) / 1_000 },
  };
}

test('what was written is read; the file of a service in which all happens has less than a megabyte', async () => {
  const folder = temporaryFolder();
  const random = uniform(45);
  const steps = ({ steps: count }: { steps: number }) =>
    Array.from({ length: count }, (_, n) => fullStep(START + n, random));
  const { hour, day, week } = FIGURE_RANGES;
  const rings = figureRings({ hour: steps(hour), day: steps(day), week: steps(week) });
  await writeFigureFile(folder, rings);
  expect(JSON.stringify(readFigureFile(folder))).toBe(JSON.stringify(rings));
  const { size, mode } = statSync(join(folder, FIGURES_FILE));
  expect(size).toBeLessThan(1_000_000);
  expect(mode & 0o777).toBe(0o600);
});

test('no damage changes what is read, and any missing byte is noticed', async () => {
  const folder = temporaryFolder();
  const path = join(folder, FIGURES_FILE);
  const rings = figureRings({ hour: [fullStep(START, uniform(1))] });
  await writeFigureFile(folder, rings);
  const sound = readFileSync(path);
  const whole = JSON.stringify(rings);
  for (let bit = 0; bit < 8 * sound.length; bit += 3) {
    const damaged = Buffer.from(sound);
    damaged[bit >> 3] ^= 1 << (bit & 7);
    writeFileSync(path, damaged);
    // Some bits mean nothing, such as those of the time in the head of gzip.
    expect(readOrNot(folder) ?? whole, `bit ${bit}`).toBe(whole);
  }
  for (let length = 0; length < sound.length; length += 7) {
    writeFileSync(path, sound.subarray(0, length));
    expect(() => readFigureFile(folder), `${length} bytes`).toThrow();
  }
});

/** What a file holds; undefined where it is damaged. */
function readOrNot(folder: string): string | undefined {
  try {
    return JSON.stringify(readFigureFile(folder));
  } catch {
    return undefined;
  }
}

test('a write that a kill has broken off leaves what was written before', async () => {
  const folder = temporaryFolder();
  const rings = figureRings({ hour: [fullStep(START, uniform(2))] });
  await writeFigureFile(folder, rings);
  writeFileSync(join(folder, `${FIGURES_FILE}.new`), 'the beginning of anoth');
  expect(JSON.stringify(readFigureFile(folder))).toBe(JSON.stringify(rings));
  await writeFigureFile(folder, figureRings());
  expect(readFigureFile(folder).hour.toJSON()).toEqual([]);
});

test('a file of another format or with other bounds is refused', async () => {
  const folder = temporaryFolder();
  const write = (content: object) => writeFileSync(join(folder, FIGURES_FILE), gzipSync(JSON.stringify(content)));
  write({ format: 2, bounds: LATENCY_SECONDS, rings: {} });
  expect(() => readFigureFile(folder)).toThrow('it has format 2, and this version reads format 1');
  write({ format: 1, bounds: [1, 2], rings: {} });
  expect(() => readFigureFile(folder)).toThrow('it counts latencies by other bounds');
});
