import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

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
const LABORATORY = [...filesOf('bench', 'lab'), 'clients/*/test/**/*.test.ts'];
/** What takes longest and begins first, so that no worker goes on with it when all others have ended. */
const LONGEST = [
  'privacy/privacy',
  'docs/examples',
  'console/operate',
  'corpus/corpus',
  'cluster/cluster',
  'cluster/guesses',
  'pool/compute',
  'service/process',
  'service/contribution_kill',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      LONGEST.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`)) >>> 0;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'quick', include: SHARING, exclude: LONG, isolate: false } },
      { extends: true, test: { name: 'long', include: LONG, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...SHARING, ...LABORATORY],
          // These wait for services, browsers, disks and leases about half of their time.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'laboratory', include: LABORATORY } },
    ],
    testTimeout: 300_000,
    hookTimeout: 240_000,
    // What comes in its time, however busy the machine is.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
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
