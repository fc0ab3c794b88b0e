import { expect, test } from 'vitest';
import { type Profile, stagesOf } from '../../../bench/capacity/stages.ts';

/**
 * A profile of samples a microsecond apart, from 1,000 us on. A frame is a file, a file and a function, or a name in
 * brackets; each sample is its call stack, outermost first.
 */
function profileOf(stacks: readonly string[][]): Profile {
  const nodes: Profile['nodes'] = [{ id: 1, callFrame: { functionName: '(root)', url: '' }, children: [] }];
  const samples = stacks.map(stack => {
    let parent = nodes[0];
    for (const frame of stack) {
      const [file, functionName = 'f'] = frame.split(' ');
      const callFrame = frame.startsWith('(')
        ? { functionName: frame, url: '' }
        : { functionName, url: `file:///x/${file}` };
      const node = { id: nodes.length + 1, callFrame, children: [] };
      nodes.push(node);
      parent.children!.push(node.id);
      parent = node;
    }
    return parent.id;
  });
  return { nodes, startTime: 1000, samples, timeDeltas: samples.map(() => 1) };
}

const ALL = { from: 0, to: 10_000 };
const NODE = 'node_modules/lmdb/src/read.js';

function sharesOf(stacks: readonly string[][], slice = ALL): Record<string, number> {
  // The last sample lasts for no known time.
  const profile = profileOf([...stacks, ['(idle)']]);
  const stages = stagesOf({ http: [profile], workers: [] }, slice, { http: 100, workers: 0, writer: 0, process: 100 });
  return Object.fromEntries(stages.map(({ stage, microseconds }) => [stage, Math.round(microseconds)]));
}

test('a sample counts for the innermost file that is known, and the time of the thread is divided by the samples', () => {
  const shares = sharesOf([
    ['src/api/position.ts', 'src/protocol/requests/body.ts'],
    ['src/api/position.ts', 'src/positioning/locate.ts', 'src/core/core.ts', 'wasm/1'],
    ['src/positioning/locate.ts', 'src/tables/stations/reader.ts', NODE],
    ['src/api/exchange.ts', NODE],
  ]);
  expect(shares).toEqual({ parse: 25, position: 25, lookup: 25, reply: 25 });
});

test('WebAssembly counts for the file that called it', () => {
  const [LOOKUP, CORE] = ['wasm://wasm/e2921a62', 'wasm://wasm/0002af9a'];
  const shares = sharesOf([
    ['src/tables/stations/reader.ts', 'src/core/cache_lane.ts', '(js-to-wasm)', LOOKUP],
    ['src/api/position.ts', 'src/core/body_scanner.ts', '(js-to-wasm)', CORE],
    ['src/positioning/locate.ts', 'src/core/selected_stations.ts', CORE],
    ['src/positioning/locate.ts', 'src/core/core.ts', CORE],
  ]);
  expect(shares).toEqual({ lookup: 25, parse: 25, position: 50 });
});

test('the own HTTP code counts for HTTP, whatever called it, and its reply for the reply', () => {
  const shares = sharesOf([
    ['src/api/exchange.ts', 'src/api/fast_lane/connection.ts', NODE],
    ['src/api/exchange.ts', 'src/api/routes.ts'],
    ['src/api/fast_lane/connection.ts', 'src/api/exchange.ts'],
    ['src/api/fast_lane/connection.ts', 'src/pool/query_runs.ts', 'src/pool/doorbell.ts ring'],
  ]);
  expect(shares).toEqual({ 'HTTP and sockets': 50, reply: 25, 'hand-over': 25 });
});

test('a query worker that sleeps at the doorbell is idle', () => {
  const shares = sharesOf([
    ['src/pool/query_worker.ts', 'src/pool/doorbell.ts sleep'],
    ['src/pool/query_worker.ts', 'src/pool/doorbell.ts isClosed'],
  ]);
  expect(shares).toEqual({ 'hand-over': 100 });
});

test('idle samples count for nothing, and those of no file for HTTP', () => {
  expect(sharesOf([['(idle)'], ['(program)'], ['node:net'], ['(garbage collector)'], ['src/api/server.ts']])).toEqual({
    'HTTP and sockets': 75,
    'garbage collection': 25,
  });
});

test('only samples of the slice count', () => {
  const stacks = [['src/accounts/billing.ts'], ['src/tables/requests/record.ts'], ['src/accounts/billing.ts']];
  expect(sharesOf(stacks, { from: 1002, to: 1003 })).toEqual({ log: 100 });
});

test('workers, the writer and what is left have their own times', () => {
  const stages = stagesOf(
    {
      http: [profileOf([['src/api/exchange.ts'], ['(idle)']])],
      workers: [profileOf([['src/geocoding/search/search.ts'], ['(idle)']])],
    },
    ALL,
    { http: 50, workers: 700, writer: 20, process: 800 },
  );
  expect(stages).toEqual([
    { stage: 'places', microseconds: 700 },
    { stage: 'reply', microseconds: 50 },
    { stage: 'writer', microseconds: 20 },
    { stage: 'other threads', microseconds: 30 },
  ]);
});

test('a thread without samples in the slice is not divided', () => {
  const stages = stagesOf({ http: [profileOf([['(idle)']])], workers: [] }, ALL, {
    http: 10,
    workers: 2,
    writer: 0,
    process: 15,
  });
  expect(stages).toEqual([{ stage: 'other threads', microseconds: 15 }]);
});
