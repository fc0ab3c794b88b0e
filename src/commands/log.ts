// `sextant log`: prints one logged request, or the latest that fit what they are searched by, and those that come. One
// by its number is asked of the service, which knows it a moment earlier; a search reads the log itself.

import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import { LOG_ROUTES, type LoggedRequest } from '../tables/requests/record.ts';
import { momentOrAge, wholeNumber } from './arguments.ts';
import { ProgressBar } from './progress.ts';
import { asJson, runCommandJob } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

const LIMIT = 20;
const LIMIT_MAX = 10_000;
const FOLLOW_MILLISECONDS = 1_000;
const ROUTE_WIDTH = Math.max(...LOG_ROUTES.map(route => route.length));
const LATENCY_WIDTH = 8;

/** What the latest requests are searched by, as typed. */
interface Flags {
  key?: number;
  device?: string;
  status?: [number, number];
  route?: string;
  since?: number;
  until?: number;
  limit?: number;
  follow?: true;
  json?: true;
}

/** Adds the verb. */
export function addLog(program: Command): void {
  withFolderOptions(program.command('log'))
    .description('print logged requests: one with all of it, or a line for each of the latest')
    .argument('[id]', 'the logId of an answer, at most 7 days old', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option('--key <id>', 'only of this key, by its number', wholeNumber(1, 1_048_575))
    .option('--device <id>', 'only of this device')
    .option('--status <status>', 'only with this HTTP status, such as 404, or 5xx for all from 500 on', statusRange)
    .addOption(new Option('--route <route>', 'only of this route').choices([...LOG_ROUTES]))
    .option(
      '--since <time>',
      'only from here on: a date, a date with a time (UTC), or how long ago: 90s, 15m, 2h, 1d',
      momentOrAge,
    )
    .option('--until <time>', 'only before', momentOrAge)
    .option(
      '--limit <number>',
      `most requests, the latest, 1..${LIMIT_MAX} (default ${LIMIT})`,
      wholeNumber(1, LIMIT_MAX),
    )
    .option('--follow', 'go on with those that come, until a signal')
    .option('--json', 'each request with all of it as a JSON object on a line')
    .addHelpText(
      'after',
      '\nExample:\n  sextant log 1234567890\n  sextant log --status 5xx --since 1h\n  sextant log --key 2 ' +
        '--device tracker-1 --follow',
    )
    .action(async (id: number | undefined, flags: Flags, command: Command) => {
      if (id === undefined) await search(command, flags);
      else if (
        Object.keys(flags).some(
          name => command.getOptionValueSource(name) === 'cli' && name !== 'data' && name !== 'sync',
        )
      )
        command.error('error: a logId names one request; leave out what requests are searched by');
      else await printOne(command, id);
    });
}

function printOne(command: Command, id: number): Promise<void> {
  return runCommandJob(command, { verb: 'log', id }, request => {
    if (request === null) throw new Error(`There is no logged request ${id}; requests are kept at most 7 days.`);
    return asJson(request);
  });
}

async function search(
  command: Command,
  { key, since, until, limit = LIMIT, follow, json, ...rest }: Flags,
): Promise<void> {
  const { dataFolder } = readFolderConfig(command);
  requireFolder(dataFolder);
  const { RequestSearch } = await import('../tables/requests/search.ts');
  const log = RequestSearch.open(dataFolder);
  if (log === undefined) throw new Error(`There is no request log in ${dataFolder} yet; start the service first.`);
  const filter = {
    account: key,
    fromMs: since,
    toMs: until,
    device: rest.device,
    status: rest.status,
    route: rest.route,
  };
  const bar = new ProgressBar(process.stderr);
  let isRead = true;
  // Whoever reads the output, such as head, may have enough.
  process.stdout.on('error', () => {
    isRead = false;
  });
  const print = (requests: LoggedRequest[]): void => {
    for (const request of requests)
      process.stdout.write(json ? `${escapeMarks(JSON.stringify(request))}\n` : lineOf(request));
  };
  try {
    const latest = log.latest(filter, limit, Date.now(), (done, total) =>
      bar.show({ phase: 'searching', rows: done, bytesDone: done, bytesTotal: total }),
    );
    bar.end();
    print(latest);
    if (latest.length === 0 && !follow) process.stderr.write('No logged request fits.\n');
    while (follow && isRead) {
      await wait(FOLLOW_MILLISECONDS);
      print(log.added(filter, Date.now()));
    }
  } finally {
    await log.close();
  }
}

/**
 * A request on a line: when, status, route, how long, key, device, address, and its number. What it does not have is a
 * dash.
 */
function lineOf({ time, status, route, latencyMs, account, device, query, logId }: LoggedRequest): string {
  const latency = `${latencyMs.toFixed(1).padStart(LATENCY_WIDTH)} ms`;
  const texts = [account === undefined ? '-' : `key ${account}`, device ?? '-', query ?? '-', logId];
  return `${escapeMarks([time, status, route.padEnd(ROUTE_WIDTH), latency, ...texts].join('  '))}\n`;
}

/** Reads a status or a group of them. @returns the lowest and the highest */
function statusRange(text: string): [number, number] {
  if (/^[1-5]xx$/.test(text)) return [Number(text[0]) * 100, Number(text[0]) * 100 + 99];
  if (!/^[1-5]\d\d$/.test(text))
    throw new InvalidArgumentError('It must be a status such as 404, or a group such as 5xx.');
  return [Number(text), Number(text)];
}
