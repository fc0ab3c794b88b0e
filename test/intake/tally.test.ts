import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { INTAKE_RULES } from '../../src/intake/rules.ts';
import { TALLY_BYTES, Tally } from '../../src/intake/tally.ts';

test('a new tally shows zeroes and no rule', () => {
  expect(new Tally().toJSON()).toEqual({
    reports: 0,
    accepted: 0,
    refused: 0,
    duplicates: 0,
    observations: 0,
    acceptedObservations: 0,
    refusedByRule: {},
  });
});

test('reports, observations and duplicates are counted apart', () => {
  const tally = new Tally();
  tally.countReport(5);
  tally.countReport(7);
  tally.countReport(1);
  tally.accept(4);
  tally.accept(6);
  tally.countDuplicates(1);
  expect(JSON.parse(JSON.stringify(tally))).toEqual({
    reports: 3,
    accepted: 2,
    refused: 1,
    duplicates: 1,
    observations: 13,
    acceptedObservations: 10,
    refusedByRule: {},
  });
});

test('every rule has its own counter', () => {
  const tally = new Tally();
  for (const [i, { name }] of INTAKE_RULES.entries()) tally.refuse(name, i + 1);
  tally.refuse('speed');
  const expected = Object.fromEntries(INTAKE_RULES.map(({ name }, i) => [name, name === 'speed' ? i + 2 : i + 1]));
  expect(tally.toJSON().refusedByRule).toEqual(expected);
  expect(tally.toJSON().reports).toBe(0);
});

test('counters go beyond 32 bits', () => {
  const tally = new Tally();
  tally.accept(4_000_000_000);
  tally.accept(4_000_000_000);
  expect(tally.toJSON().acceptedObservations).toBe(8_000_000_000);
});

test('threads that share a memory lose no count', async () => {
  const memory = new SharedArrayBuffer(TALLY_BYTES);
  const tally = new Tally(memory);
  const thread = new URL('./tally_thread.ts', import.meta.url);
  const finished = [1, 2].map(() => {
    const worker = new Worker(thread, { workerData: { memory, times: 20_000 } });
    return new Promise<void>((resolve, reject) => worker.on('error', reject).on('exit', () => resolve()));
  });
  await Promise.all(finished);
  expect(tally.toJSON()).toMatchObject({ reports: 40_000, observations: 120_000, refusedByRule: { speed: 40_000 } });
});
