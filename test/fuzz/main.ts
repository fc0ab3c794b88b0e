// The front of the fuzzers. HELP below says what it does.

import { readArguments, readNumber } from '../../bench/command_line.ts';
import { RunProgress } from '../../bench/run_progress.ts';
import { fuzzBodies } from './body.ts';
import { compareStreams } from './compare_streams.ts';
import { fuzzRoutes } from './routes.ts';

const HELP = `npm run fuzz -- [options]

Sends drawn requests for as long as you like, and exits with 1 when one breaks an invariant. Each is drawn from the seed.

  bodies    reads changed bodies of positions by the scanner of the core and by JSON.parse, in this process: both must read the same
  streams   sends byte streams to a server with the fast lane and to one without, in this process: both must answer the same
  routes    sends requests for every route to a service of its own on loopback: none may be answered by a fault, every answer fits docs/openapi.json,
            places are on the Earth, codes of errors equal the status, no logId comes twice, each request has one answer

  --minutes N    minutes of the whole run, 0.1..1440 (3)
  --seed N       seed of everything that is drawn, 0..4294967295 (1)
  --level NAME   bodies, streams, routes, or all: a third of the time each (all)
  --dialects     routes: requests of dialects alone
  --first N      routes: number of the first request; with the number of a finding that request comes first (0)

Example:
  npm run fuzz -- --minutes 10 --seed 7 --level routes`;

const LEVELS = ['bodies', 'streams', 'routes'] as const;
type Level = (typeof LEVELS)[number];
/** Cases between two looks at the clock. */
const BODIES_AT_ONCE = 50_000;
const STREAMS_AT_ONCE = 10_000;
const FINDINGS_SHOWN = 20;

/** What one level found. */
interface LevelResult {
  cases: number;
  summary: string;
  findings: string[];
}

const { values } = readArguments(HELP, {
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    level: { type: 'string', default: 'all' },
    first: { type: 'string', default: '0' },
    dialects: { type: 'boolean', default: false },
  },
});
const minutes = readNumber('minutes', values.minutes, 0.1, 1_440);
const seed = readNumber('seed', values.seed, 0, 4_294_967_295);
const first = readNumber('first', values.first, 0, Number.MAX_SAFE_INTEGER);
const levels = values.level === 'all' ? LEVELS : LEVELS.filter(level => level === values.level);
if (levels.length === 0) refuse(`--level is one of ${LEVELS.join(', ')} and all; it is ${values.level}.`);

const RUNS: Record<Level, (goesOn: (cases: number) => boolean) => Promise<LevelResult>> = {
  bodies: runBodies,
  streams: runStreams,
  routes: runRoutes,
};
const millisecondsEach = (minutes * 60_000) / levels.length;
const progress = new RunProgress(process.stderr, Math.ceil((minutes * 60_000) / 1000));
for (const level of levels) {
  const begun = performance.now();
  let seconds = 0;
  progress.begin(level);
  const { cases, summary, findings } = await RUNS[level](() => {
    const passed = Math.floor((performance.now() - begun) / 1000);
    if (passed > seconds) progress.step(passed - seconds);
    seconds = Math.max(seconds, passed);
    return performance.now() - begun < millisecondsEach;
  });
  progress.end();
  const rate = Math.round((cases / (performance.now() - begun)) * 1000);
  console.log(`${level}: ${cases} cases from seed ${seed}, ${rate} a second, ${findings.length} findings.${summary}`);
  for (const finding of findings.slice(0, FINDINGS_SHOWN)) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}

async function runBodies(goesOn: (cases: number) => boolean): Promise<LevelResult> {
  const result: LevelResult = { cases: 0, summary: '', findings: [] };
  let [json, accepted] = [0, 0];
  for (let round = 0; goesOn(result.cases) && result.findings.length === 0; round++) {
    const found = fuzzBodies(BODIES_AT_ONCE, seed + round);
    result.cases += found.cases;
    json += found.json;
    accepted += found.accepted;
    result.findings.push(...found.differences);
  }
  return { ...result, summary: ` ${json} were JSON, and the scanner read ${accepted} of them.` };
}

async function runStreams(goesOn: (cases: number) => boolean): Promise<LevelResult> {
  const result: LevelResult = { cases: 0, summary: '', findings: [] };
  let [requests, taken] = [0, 0];
  for (let round = 0; goesOn(result.cases) && result.findings.length === 0; round++) {
    const found = await compareStreams(STREAMS_AT_ONCE, seed + round);
    result.cases += found.streams;
    requests += found.requests;
    taken += found.taken;
    result.findings.push(...found.differences);
  }
  return { ...result, summary: ` They held ${requests} requests, of which the fast lane answered ${taken}.` };
}

async function runRoutes(goesOn: (cases: number) => boolean): Promise<LevelResult> {
  const { requests, statuses, findings } = await fuzzRoutes({ seed, first, isOfDialects: values.dialects, goesOn });
  const rows = [...statuses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([route, counts]) => {
      const told = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status} ${count}`);
      return `\n  ${route}: ${told.join(', ')}`;
    });
  return { cases: requests, summary: rows.join(''), findings };
}

function refuse(sentence: string): never {
  console.error(`${sentence} --help lists the options.`);
  process.exit(2);
}
