// Are the compiled kernels faster than the same algorithms in plain JavaScript? core.ts measures it; this is the table.

import { probeStealTime } from '../machine.ts';
import { benchCore } from './core.ts';
import type { MicroMeasured } from './harness.ts';

/** Measures every kernel both ways. */
export async function measureKernels(): Promise<MicroMeasured> {
  const loss = await probeStealTime();
  const timings = await benchCore();
  return {
    table: {
      title: 'Kernels, compiled and in plain JavaScript, medians of interleaved rounds',
      columns: ['kernel', 'compiled ns', 'plain ns', 'compiled to plain'],
      rows: timings.map(({ name, wasmNs, plainNs, ratio }) => [
        name,
        wasmNs.toFixed(0),
        plainNs.toFixed(0),
        ratio.toFixed(2),
      ]),
      loss,
    },
    promises: [],
    rounds: timings,
  };
}
