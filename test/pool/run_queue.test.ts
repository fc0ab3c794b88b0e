import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRunMemory, RunQueue } from '../../src/pool/run_queue.ts';
import type { ClaimSetup } from './claiming_thread.ts';

/** A run of the model. Runs are told apart by their counts. */
interface Run {
  slot: number;
  count: number;
  holder: number | undefined;
  state: 'ready' | 'in work' | 'answered' | 'lost';
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'post' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('claim' as const), worker: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('free' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), worker: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'lose ready' as const }, { do: 'withdraw' as const }) },
);

test('runs are claimed in the order posted, by one worker each, and are lost with it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), steps => {
      const queue = new RunQueue(createRunMemory());
      let model: Run[] = [];
      let posted = 0;
      const among = (which: number, ...states: Run['state'][]): Run | undefined => {
        const fitting = model.filter(({ state }) => states.includes(state));
        return fitting[which % fitting.length];
      };
      for (const next of steps) {
        const seen = queue.replies;
        if (next.do === 'post') {
          posted++;
          model.push({ slot: queue.post(posted * 8, posted), count: posted, holder: undefined, state: 'ready' });
        } else if (next.do === 'claim') {
          const run = model.find(({ state }) => state === 'ready');
          expect(queue.claim(next.worker)).toBe(run?.slot ?? -1);
          if (run === undefined) continue;
          expect([queue.offsetOf(run.slot), queue.countOf(run.slot)]).toEqual([run.count * 8, run.count]);
          Object.assign(run, { holder: next.worker, state: 'in work' });
        } else if (next.do === 'finish') {
          const run = among(next.which, 'in work');
          if (run === undefined) continue;
          queue.finish(run.slot);
          run.state = 'answered';
          expect(queue.replies).not.toBe(seen);
        } else if (next.do === 'free') {
          const run = among(next.which, 'answered', 'lost');
          if (run === undefined) continue;
          queue.free(run.slot);
          model.splice(model.indexOf(run), 1);
        } else if (next.do === 'withdraw') {
          model = model.filter(({ state }) => state === 'in work');
          expect(queue.withdraw()).toBe(model.length === 0);
        } else {
          const isLost = ({ state, holder }: Run): boolean =>
            next.do === 'lose' ? state === 'in work' && holder === next.worker : state === 'ready';
          for (const run of model) if (isLost(run)) run.state = 'lost';
          if (next.do === 'lose') queue.lose(next.worker);
          else queue.loseReady();
          expect(queue.replies).not.toBe(seen);
        }
        for (const { slot, state } of model) {
          expect(queue.stateOf(slot)).toBe(state === 'answered' || state === 'lost' ? state : 'under way');
        }
      }
    }),
    { numRuns: 500, seed: 5 },
  );
});

test('a full queue takes no more runs until the oldest is free', () => {
  const queue = new RunQueue(createRunMemory());
  const slots: number[] = [];
  for (let slot = queue.post(0, 1); slot >= 0; slot = queue.post(0, 1)) slots.push(slot);
  expect(slots.length).toBeGreaterThan(500);
  expect(new Set(slots).size).toBe(slots.length);
  for (let left = 2; left > 0; left--) queue.finish(queue.claim(0));
  queue.free(slots[1]);
  expect(queue.post(0, 1)).toBe(-1);
  queue.free(slots[0]);
  expect(queue.post(0, 1)).toBe(slots[0]);
  expect(queue.post(0, 1)).toBe(slots[1]);
  expect(queue.post(0, 1)).toBe(-1);
});

test('threads that claim at the same time never take the same run, and miss none', async () => {
  const RUNS = 30_000;
  const memory = createRunMemory();
  const claims = new SharedArrayBuffer(RUNS * 4);
  const queue = new RunQueue(memory);
  const threads = Array.from({ length: 3 }, (_, worker) => {
    const workerData: ClaimSetup = { memory, claims, worker };
    return new Worker(new URL('./claiming_thread.ts', import.meta.url), { workerData });
  });
  const ended = threads.map(thread => new Promise((resolve, reject) => thread.on('error', reject).on('exit', resolve)));
  const under: number[] = [];
  let freed = 0;
  for (let posted = 0; freed < RUNS; ) {
    const seen = queue.replies;
    while (posted < RUNS) {
      const slot = queue.post(posted * 8, 1);
      if (slot < 0) break;
      under.push(slot);
      posted++;
    }
    for (const slot of under.splice(0)) {
      if (queue.stateOf(slot) === 'under way') under.push(slot);
      else {
        queue.free(slot);
        freed++;
      }
    }
    if (under.length > 0) await queue.nextReply(seen);
  }
  // Runs without a query end the threads.
  for (const _ of threads) queue.post(0, 0);
  await Promise.all(ended);
  expect(new Int32Array(claims).every(times => times === 1)).toBe(true);
});
