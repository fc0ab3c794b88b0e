import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Threads and processes that tests start load what Node has compiled before, as those of the program do.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('build/sources', import.meta.url)),
      NODE_COMPILE_CACHE_PORTABLE: '1',
    },
    pool: 'forks',
    reporters: ['default', './test/closing_line.ts'],
  },
});
