// Every shell block of README.md, docs/ and the other documents, run unchanged in a fresh clone, in the order of its
// document; each document has a clone of its own. examples.ts says how answers are compared, and example_shell.ts how
// `npm start` and the port are dealt with. Where an answer changed on purpose, `npm run docs:write -- docs/api.md`
// writes the new one.
//
// Blocks that a document marks as not tested are listed below with the reason that its readers see.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NATS_PROGRAM } from '../kits/nats.ts';
import { comparable, documentedAnswer, runExamples, runnableBlocks } from './examples.ts';
import { blocksOf, documents, readDocument } from './markdown.ts';

const DOCUMENT_MS_MAX = 600_000;

const NOT_RUN = [
  ['CONTRIBUTING.md', 'the tests would start themselves.'],
  ['CONTRIBUTING.md', 'they rewrite documents and recordings.'],
  ['CONTRIBUTING.md', 'it takes minutes. test/deploy/release.test.ts makes its parts.'],
  ['README.md', 'the tests would start themselves.'],
  ['docs/cluster.md', 'test/deploy/cluster.test.ts starts three such servers on one machine.'],
  ['docs/cluster.md', 'it needs Docker. test/deploy/cluster.test.ts starts the same servers and nodes without it.'],
  ['docs/cluster.md', 'it needs servers of NATS and several machines.'],
  ['docs/console.md', 'it needs another machine.'],
  ['docs/deploying.md', 'it changes the machine. test/deploy/systemd_container.test.ts types it in a container.'],
  ['docs/deploying.md', 'it needs the user of the service.'],
  ['docs/deploying.md', 'it needs a builder of containers.'],
  ['docs/deploying.md', 'it needs Kubernetes; test/deploy/helm.test.ts renders the chart.'],
  ['docs/importing.md', 'it needs the network.'],
  ['docs/importing.md', 'it needs the network.'],
  ['docs/installing.md', 'test/deploy/release.test.ts signs and checks.'],
  ['docs/installing.md', 'test/deploy/package.test.ts makes and installs the package into a folder of its own.'],
  ['docs/installing.md', 'npm run release unpacks and runs the archive.'],
  [
    'docs/installing.md',
    'test/deploy/deb.test.ts makes the package, serves from where it is extracted, and has dpkg install it into a folder.',
  ],
  ['docs/installing.md', 'test/deploy/oci.test.ts makes the image, and serves from where it is unpacked.'],
  ['docs/monitoring.md', 'it installs for the whole machine.'],
  ['docs/security.md', 'it takes an hour.'],
  ['docs/tour.md', 'test/metrics/prometheus.test.ts runs Prometheus where it is installed.'],
  ['docs/tour.md', 'there is no version to upgrade to.'],
  ['lab/benchmarks.md', 'a benchmark takes minutes and needs an idle machine.'],
  ['lab/benchmarks.md', 'they take minutes and need an idle machine.'],
  ['lab/benchmarks.md', 'they take minutes.'],
  ['lab/benchmarks.md', 'the first two need an extract of a country, the third draws one of gigabytes.'],
  ['lab/benchmarks.md', 'it draws and imports extracts of gigabytes.'],
  ['lab/endurance.md', 'they take as long as they are given.'],
  ['lab/endurance.md', 'it takes a quarter of a minute a round.'],
  ['lab/scaling.md', 'it prints what the tables of this page print.'],
];

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'docs-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

test('only these blocks are not run', () => {
  const notRun = documents().flatMap(document =>
    blocksOf(readDocument(document)).flatMap(({ language, reason }) =>
      language === 'sh' && reason ? [[document, reason]] : [],
    ),
  );
  expect(notRun).toEqual(NOT_RUN);
});

describe.concurrent('the examples run unchanged', () => {
  const isRunnable = (document: string) => document !== 'docs/cluster.md' || NATS_PROGRAM !== undefined;
  test.each(documents().filter(document => runnableBlocks(document).length > 0 && isRunnable(document)))(
    '%s',
    async document => {
      for await (const { block, printed } of runExamples(document, join(base, document.replaceAll('/', '_'))))
        expect(comparable(printed, block.language)).toEqual(comparable(block.text, block.language));
    },
    DOCUMENT_MS_MAX,
  );
});

describe('a changed answer is written', () => {
  const written = (language: string, text: string, printed: string) =>
    documentedAnswer({ block: { line: 1, language, text }, printed });

  test('and one that only differs from run to run stays', () => {
    expect(written('json', '{"a":1, "logId":7}', '{"a":1,"logId":9}')).toBe('{"a":1, "logId":7}');
    expect(written('text', 'Time: 3 µs', 'Time: 5 µs\n')).toBe('Time: 3 µs');
  });

  test('with the documented values of masked members, in the layout of the block', () => {
    expect(written('json', '{"a":1,"b":{"logId":7}}', '{"a":2,"b":{"logId":9},"c":[]}')).toBe(
      '{"a":2,"b":{"logId":7},"c":[]}',
    );
    const long = 'x'.repeat(100);
    expect(written('json', '[\n1]', `[{"a":[1,2],"b":{},"c":"${long}"}]`)).toBe(
      `[\n  {\n    "a": [1, 2],\n    "b": {},\n    "c": "${long}"\n  }\n]`,
    );
    expect(written('text', 'old', 'new\n')).toBe('new');
  });
});
