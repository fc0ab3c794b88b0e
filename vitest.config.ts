import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // lmdb-js aborts now and then (about once in 500 stops) when a process with several threads ends; everything is on disk by then.
    retry: 1,
    pool: 'forks',
    reporters: ['default', './test/closing_line.ts'],
  },
});
