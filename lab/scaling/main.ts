// npx node lab/scaling/main.ts [options]: the tables of lab/scaling.md for other sizes, machines and prices.

import { Command, InvalidArgumentError } from 'commander';
import { runCommandLine } from '../../src/cli.ts';
import { aligned } from '../../src/commands/terminal/table.ts';
import { INTERNET, RENTED } from './assumptions.ts';
import { measuredCosts } from './costs.ts';
import { SCALING_TABLES } from './tables.ts';

interface ScalingFlags {
  accessPoints: number;
  cells: number;
  requests: number;
  observations: number;
  together: number;
  skew: number;
  keptDays: number;
  memory: number;
  disk: number;
  price: number;
  table?: string;
}

function commandLine(): Command {
  const { accessPoints, cells, requestsPerSecond, observationsPerDay, stationsPerRequest, skew, keptDays } = INTERNET;
  return new Command('npx node lab/scaling/main.ts')
    .description('calculate machines, limits, latencies and costs of many machines from measured costs')
    .exitOverride()
    .option('--access-points <number>', 'access points of the world', positive, accessPoints)
    .option('--cells <number>', 'cells of the world', positive, cells)
    .option('--requests <number>', 'requests a second at the peak', positive, requestsPerSecond)
    .option('--observations <number>', 'observations a day', positive, observationsPerDay)
    .option('--together <number>', 'known stations of a request', positive, stationsPerRequest)
    .option('--skew <number>', 'the busiest share x of the stations gets x^skew of the look-ups', positive, skew)
    .option('--kept-days <number>', 'days for which observations are kept', positive, keptDays)
    .option('--memory <gigabytes>', 'memory of a virtual core', positive, RENTED.memoryBytes / 1e9)
    .option('--disk <gigabytes>', 'disk of a virtual core', positive, RENTED.diskBytes / 1e9)
    .option('--price <dollars>', 'price of a virtual core for an hour', positive, RENTED.price)
    .option('--table <name>', `only this table: ${[...SCALING_TABLES.keys()].join(', ')}`)
    .addHelpText('after', '\nExample:\n  npx node lab/scaling/main.ts --requests 50000 --price 0.04 --table designs')
    .action((flags: ScalingFlags, command: Command) => {
      if (flags.table !== undefined && !SCALING_TABLES.has(flags.table))
        command.error(`error: there is no table ${flags.table}: ${[...SCALING_TABLES.keys()].join(', ')}`);
      const scaling = {
        demand: {
          ...INTERNET,
          accessPoints: flags.accessPoints,
          cells: flags.cells,
          requestsPerSecond: flags.requests,
          observationsPerDay: flags.observations,
          stationsPerRequest: flags.together,
          skew: flags.skew,
          keptDays: flags.keptDays,
        },
        core: {
          ...RENTED,
          memoryBytes: flags.memory * 1e9,
          diskBytes: flags.disk * 1e9,
          price: flags.price,
        },
        costs: measuredCosts(),
      };
      for (const [name, tableOf] of SCALING_TABLES)
        if (flags.table === undefined || flags.table === name)
          process.stdout.write(`${name}\n\n${aligned(tableOf(scaling))}\n`);
    });
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

process.exitCode = await runCommandLine(commandLine(), process.argv.slice(2));
