// Every shell block of README.md, docs/ and the other documents, run as it stands in a fresh clone, in the order of its
// document; each document has a clone of its own. example_shell.ts says how `npm start` and the port are dealt with. A
// `json` or `text` block that follows a shell block is its answer and is compared with what was printed; what differs
// from run to run is masked, and the folder of the clone is /opt/sextant in the documents.
//
// Blocks that a document marks as not tested are listed below with the reason that its readers see.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExampleShell } from './example_shell.ts';
import { makeClone } from './fresh_clone.ts';
import { type Block, blocksOf, documents, readDocument } from './markdown.ts';

const DOCUMENT_MS_MAX = 600_000;
/** Where the documents have the checkout. */
const DOCUMENTED_FOLDER = '/opt/sextant';
/** Members whose values differ from run to run. */
const MASKED = new Set(['logId', 'state', 'key', 'created', 'time', 'latencyMs', 'microseconds']);

const NOT_RUN = [
  ['CONTRIBUTING.md', 'the tests would start themselves.'],
  ['README.md', 'the tests would start themselves.'],
  ['docs/benchmarks.md', 'a benchmark takes minutes and needs an idle machine.'],
  ['docs/benchmarks.md', 'they take minutes and need an idle machine.'],
  ['docs/benchmarks.md', 'they take minutes.'],
  ['docs/benchmarks.md', 'the first needs an extract of a country, the second draws one of gigabytes.'],
  ['docs/deploying.md', 'test/deploy/package.test.ts makes and installs the package into a folder of its own.'],
  ['docs/deploying.md', 'it changes the machine. test/deploy/deploy.test.ts has systemd read the unit.'],
  ['docs/deploying.md', 'it needs the user of the service.'],
  ['docs/deploying.md', 'it needs a builder of containers.'],
  ['docs/endurance.md', 'they take as long as they are given.'],
  ['docs/indoor.md', 'the data may not be passed on.'],
  ['docs/operating.md', 'a capacity run takes minutes and needs an idle machine.'],
  ['docs/operating.md', 'a capacity run takes minutes and needs an idle machine.'],
  ['docs/tour.md', 'test/metrics/prometheus.test.ts runs Prometheus where it is installed.'],
  [
    'docs/tour.md',
    'test/service/upgrade.test.ts makes a folder with the code of version 0.3.0, and serves it with this code.',
  ],
];

const shellBlocks = documents().map(document => ({
  document,
  blocks: blocksOf(readDocument(document)).filter(({ language }) => language === 'sh'),
}));

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'docs-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, MASKED.has(name) ? typeof member : masked(member)]),
  );
}

/** How long a step took differs from run to run. */
function withoutTimes(text: string): string {
  return text.replace(/\d+ µs/g, '# µs');
}

function compare(printed: string, { language, text }: Block): void {
  if (language === 'json') expect(masked(JSON.parse(printed))).toEqual(masked(JSON.parse(text)));
  else if (language === 'text') expect(withoutTimes(printed.trimEnd())).toBe(withoutTimes(text));
}

test('only these blocks are not run', () => {
  const notRun = shellBlocks.flatMap(({ document, blocks }) =>
    blocks.flatMap(({ reason }) => (reason ? [[document, reason]] : [])),
  );
  expect(notRun).toEqual(NOT_RUN);
});

describe.concurrent('the examples run as they stand', () => {
  const runnable = shellBlocks
    .map(({ document, blocks }) => ({ document, blocks: blocks.filter(({ reason }) => reason === undefined) }))
    .filter(({ blocks }) => blocks.length > 0);
  test.each(runnable)(
    '$document',
    async ({ document, blocks }) => {
      const name = document.replaceAll('/', '_');
      const folder = join(base, name);
      makeClone(folder);
      const shell = new ExampleShell(folder, `${folder}.state`);
      try {
        for (const block of blocks) {
          const { stdout } = await shell.run(block.text).catch(error => {
            throw new Error(`${document}, line ${block.line}: ${error.message}`, { cause: error });
          });
          if (block.next !== undefined) compare(stdout.replaceAll(folder, DOCUMENTED_FOLDER), block.next);
        }
      } finally {
        await shell.close();
      }
    },
    DOCUMENT_MS_MAX,
  );
});
