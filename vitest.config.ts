import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Folders whose tests start no service and leave nothing behind: their files share the modules that one of them has
 * loaded, which saves a fifth of their processor time.
 */
const SHARING = filesOf(
  'config',
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
  'transfer/{buildings,files,fingerprints,formats,surveys}',
  'wasm',
);
/** Of these, what serves, imports whole extracts or reads real data, which takes longer than all others. */
const LONG = [
  'test/geocoding/*extracts.test.ts',
  'test/geocoding/real_*.test.ts',
  'test/geocoding/import/*.test.ts',
  'test/geocoding/import/gazetteer/gazetteer.test.ts',
  'test/positioning/learned_stations.test.ts',
  'test/protocol/answers/{explanation,position}.test.ts',
  'test/indoor/tracking/tracker.test.ts',
];
/** The tests of the packages beside the product. */
const LABORATORY = filesOf('bench', 'lab');

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'quick', include: SHARING, exclude: LONG, isolate: false } },
      { extends: true, test: { name: 'long', include: LONG, isolate: false } },
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

function filesOf(...folders: string[]): string[] {
  return folders.map(folder => `test/${folder}/**/*.test.ts`);
}
