import { expect, test } from 'vitest';
import { renderResult, replaceBetweenMarkers } from '../../bench/readme_table.ts';
import type { Result } from '../../bench/report.ts';

const result: Result = {
  bench: 'path',
  date: '2030-01-02T03:04:05.000Z',
  machine: { processor: 'A processor', cores: 2, memoryGigabytes: 4, system: 'linux', node: 'v24.0.0', packages: { fastify: '5.0.0' } },
  settings: {},
  tables: [
    {
      title: 'A title',
      columns: ['server', 'requests/s'],
      rows: [['floor', '40000']],
      loss: [{ threads: 1, lostShare: 0.012, gaps: 3, longestGapMilliseconds: 2.5 }],
    },
  ],
  promises: [{ promise: 'as fast as light', figure: '0.1', met: false }],
  rounds: [],
};

test('a result becomes a Markdown table with its loss, its promises and its machine', () => {
  expect(renderResult(result)).toBe(`A title.

| server | requests/s |
| --- | ---: |
| floor | 40000 |

Processor time the machine took away: one core busy 1.2 % (3 gaps, longest 2.5 ms).

- **missed**: as fast as light: 0.1

2030-01-02, A processor, 2 cores, 4 GiB, linux, Node v24.0.0, fastify 5.0.0.`);
});

test('only what stands between a benchmark and its end is replaced', () => {
  const readme = 'a\n<!-- bench path -->\nold\n<!-- bench end -->\nb\n<!-- bench load -->\nkept\n<!-- bench end -->\n';
  expect(replaceBetweenMarkers(readme, 'path', 'new')).toBe(
    'a\n<!-- bench path -->\nnew\n<!-- bench end -->\nb\n<!-- bench load -->\nkept\n<!-- bench end -->\n',
  );
  expect(() => replaceBetweenMarkers(readme, 'micro', 'new')).toThrow('<!-- bench micro -->');
});
