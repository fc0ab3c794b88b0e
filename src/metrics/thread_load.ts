// How busy a thread is, as it measures itself: how late its event loop comes to what is due, and how long it collects
// garbage. A timer looks ten times a second, so it costs an idle machine next to nothing. It runs only where metrics
// are asked for.

import { PerformanceObserver } from 'node:perf_hooks';
import { type HistogramFigures, histogramLength, SharedHistogram } from './request_counts.ts';

/** Bounds of the buckets of delays. */
export const DELAY_SECONDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const LOOK_MILLISECONDS = 100;

// Indices of the numbers.
const GARBAGE_SECONDS = 0;
const GARBAGE_RUNS = 1;
const DELAYS = 2;
const LENGTH = DELAYS + histogramLength(DELAY_SECONDS);

/** Shared memory for the load of one thread. */
export function createThreadLoad(): SharedArrayBuffer {
  return new SharedArrayBuffer(LENGTH * Float64Array.BYTES_PER_ELEMENT);
}

/** What a thread has measured. */
interface ThreadFigures {
  delays: HistogramFigures;
  garbageSeconds: number;
  garbageRuns: number;
}

/** What the thread of this memory has measured so far. */
export function readThreadLoad(memory: SharedArrayBuffer): ThreadFigures {
  const numbers = new Float64Array(memory);
  return {
    delays: new SharedHistogram(DELAY_SECONDS, numbers, DELAYS).read(),
    garbageSeconds: numbers[GARBAGE_SECONDS],
    garbageRuns: numbers[GARBAGE_RUNS],
  };
}

/** Measures the thread that calls this, until it ends. */
export function measureThreadLoad(memory: SharedArrayBuffer): void {
  const numbers = new Float64Array(memory);
  const delays = new SharedHistogram(DELAY_SECONDS, numbers, DELAYS);
  let dueMs = performance.now() + LOOK_MILLISECONDS;
  setInterval(() => {
    const nowMs = performance.now();
    delays.add(Math.max(0, nowMs - dueMs) / 1000);
    dueMs = nowMs + LOOK_MILLISECONDS;
  }, LOOK_MILLISECONDS).unref();
  const observer = new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) {
      numbers[GARBAGE_SECONDS] += duration / 1000;
      numbers[GARBAGE_RUNS] += 1;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
}
