// node test/fuzz/streams.ts COUNT [SEED]: holds the fast lane against Fastify's route with this many drawn byte
// streams, and prints what came of them. Ends with code 1 at a difference.

import { compareStreams } from './compare_streams.ts';

const [count = '10000', seed = '1'] = process.argv.slice(2);
const begun = performance.now();
const { streams, requests, taken, statuses, differences } = await compareStreams(Number(count), Number(seed));
const seconds = (performance.now() - begun) / 1000;
console.log(
  `${streams} streams in ${seconds.toFixed(1)} s, ${requests} requests, ` +
    `${((100 * taken) / requests).toFixed(1)} % by the lane.`,
);
console.log(
  `Answers: ${[...statuses]
    .sort()
    .map(([status, answers]) => `${status} ${answers}`)
    .join(', ')}.`,
);
console.log(`${differences.length} differences.`);
for (const difference of differences) console.log(difference);
process.exitCode = differences.length === 0 ? 0 : 1;
