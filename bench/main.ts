// npm run bench -- <micro | path | cost | load | learn | door | cluster | fair | docs [file]>: runs one benchmark,
// prints its tables, and exits with 1 when a promise was missed.

import { readFileSync, writeFileSync } from 'node:fs';
import { INTERNET, RENTED } from '../lab/scaling/assumptions.ts';
import { measuredCosts } from '../lab/scaling/costs.ts';
import { readArguments } from './command_line.ts';
import { prepareWorld } from './data_folders.ts';
import { DOCUMENTS, storeEvaluation, withResults } from './generate_docs.ts';
import { benchLearn } from './learn.ts';
import { benchLoad } from './load.ts';
import { benchFairness, benchPath } from './path.ts';
import { recordPathCost } from './path_cost.ts';
import { publish, type Result } from './result.ts';
import { createWorld, type World } from './world.ts';

const HELP = `npm run bench -- BENCHMARK [options]

  micro    kernels, lookups, hand-over, validation, whole locate: nanoseconds
  path     closed loop: requests a second of floor, inline, pool and auto, with one thread and with one a core
  cost     processor time of a position as a ratio to the floor, 8 times: records the ratio that a test holds
  load     open loop: latency at fixed arrival rates
  learn    contributed observations a second, from batches to tables, and lookups beside them
  door     closed loop over 16 connections: processor time of positions, addresses and searches at the door
  cluster  nodes on servers of NATS: what a lookup and a report cost, lag, tables on their way, a lost node
  fair     the floor server against itself: is the harness fair?
  docs     writes the generated parts of README.md and docs/ from the newest results; docs FILE first takes over what evaluate --json wrote

  --stations N   access points of the seeded world (10000000)
  --seed N       seed of world, requests and order (1)
  --rounds N     interleaved rounds, medians of paired ratios (7)
  --slice MS     measured milliseconds of one server in one round (1500)
  --rates A,B    load: arrivals a second (1000,2000,4000)
  --seconds N    learn: seconds of load in each part (30)
  --against DIR  door: another checkout, whose service answers in turns
  --calibrate W  learn: off or on, whether reports are tested before they are learned (on)

Each prints its tables, checks the promises, ends with one line of JSON, appends it to bench/results/, and exits with 1 when a promise was missed.`;

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: {
    stations: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '7' },
    slice: { type: 'string', default: '1500' },
    rates: { type: 'string', default: '1000,2000,4000' },
    seconds: { type: 'string', default: '30' },
    calibrate: { type: 'string', default: 'on' },
    against: { type: 'string' },
  },
});

async function run(bench: string): Promise<Result> {
  // It has a town of its own.
  if (bench === 'learn')
    return benchLearn(positive('seed', values.seed), positive('seconds', values.seconds), values.calibrate);
  const settings = { rounds: positive('rounds', values.rounds), sliceMilliseconds: positive('slice', values.slice) };
  if (bench === 'door') {
    // Loaded only here: it has a geocoder.
    const { benchDoor } = await import('./door.ts');
    return benchDoor({ ...settings, seed: positive('seed', values.seed), against: values.against });
  }
  const world: World = createWorld(positive('stations', values.stations), positive('seed', values.seed));
  switch (bench) {
    case 'micro': {
      // Loaded only here: the other benchmarks leave the numeric core to the servers.
      const { benchMicro } = await import('./micro/suite.ts');
      return benchMicro(world, await prepareWorld(world));
    }
    case 'path':
      return benchPath(world, await prepareWorld(world), settings);
    case 'load':
      return benchLoad(world, await prepareWorld(world), {
        ...settings,
        rates: values.rates.split(',').map(rate => positive('rates', rate)),
      });
    case 'cluster': {
      // Loaded only here: it draws, and needs the libraries of NATS.
      const { benchCluster } = await import('./cluster/main.ts');
      return benchCluster(world, settings);
    }
    case 'fair':
      return benchFairness(world, settings);
    default:
      throw new Error(`There is no benchmark "${bench}". --help lists them.`);
  }
}

/** @param evaluation file that `evaluate --json` wrote, to be stored first */
async function writeDocs(evaluation: string | undefined): Promise<void> {
  if (evaluation !== undefined) storeEvaluation(evaluation);
  for (const [document, parts] of DOCUMENTS) {
    writeFileSync(document, withResults(readFileSync(document, 'utf8'), parts));
    console.log(`${document}: ${parts.join(', ')}`);
  }
  // Loaded only here: it draws.
  const { plotScaling } = await import('./scaling_plot.ts');
  writeFileSync('docs/scaling.svg', plotScaling({ demand: INTERNET, core: RENTED, costs: measuredCosts() }));
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${option} must be a whole number above 0, not "${text}".`);
  return value;
}

if (positionals.length < 1 || positionals.length > (positionals[0] === 'docs' ? 2 : 1)) {
  console.log(HELP);
  process.exitCode = 2;
} else {
  try {
    if (positionals[0] === 'docs') await writeDocs(positionals[1]);
    else if (positionals[0] === 'cost') await recordPathCost();
    else if (!publish(await run(positionals[0]))) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}
