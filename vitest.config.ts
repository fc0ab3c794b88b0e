import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Folders whose tests start no service and leave nothing behind: their files share the modules that one of them has
 * loaded, which saves a fifth of their processor time.
 */
const SHARING = [
  'core',
  'geo',
  'geocoding',
  'indoor',
  'intake',
  'positioning',
  'protocol',
  'radio',
  'tiles',
  'tracking',
  'wasm',
].map(folder => `test/${folder}/**/*.test.ts`);

/** The tests of the packages beside the product. */
const LABORATORY = ['test/bench/**/*.test.ts', 'test/lab/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: [...SHARING, ...LABORATORY] } },
      { extends: true, test: { name: 'laboratory', include: LABORATORY } },
    ],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // What comes in its time, however busy the machine is.
    expect: { poll: { timeout: 30_000 } },
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
