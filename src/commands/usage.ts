// `sextant usage`: what keys have used, for the bill.

import type { Command } from 'commander';
import { withFolderOptions } from '../config.ts';
import type { UsageJob, UsageRows } from '../jobs/job.ts';
import { day } from './arguments.ts';
import { runCommandJob } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

const COLUMNS = ['day', 'key', 'name', 'route', 'requests', 'answered', 'credits', 'devices', 'last_request'];
/** A text that begins with one of these would be a formula to a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;
const FIRST_DAY = '1970-01-01';

/** Adds the verb and its action. */
export function addUsage(program: Command): void {
  const verb = program.command('usage').description('what keys have used by day and route; kept for 400 days');
  withFolderOptions(verb.command('export'))
    .description('requests, answers, credits and devices of each key by day and route, as CSV')
    .option('--from <YYYY-MM-DD>', 'first day, UTC; without, the first that is kept', day)
    .option('--to <YYYY-MM-DD>', 'last day, UTC; without, today', day)
    .addHelpText('after', '\nExample:\n  sextant usage export --from 2026-10-01 --to 2026-10-31 > october.csv')
    .action(async ({ from = FIRST_DAY, to = today() }: { from?: string; to?: string }, command: Command) => {
      if (from > to) command.error('error: --from must not be later than --to');
      process.stdout.write(`${COLUMNS.join(',')}\n`);
      let after: UsageJob['after'];
      do {
        const piece: UsageJob = { verb: 'usage', from, to, ...(after !== undefined && { after }) };
        await runCommandJob(command, piece, result => {
          const { rows, next } = result as UsageRows;
          after = next;
          return rows.map(lineOf).join('');
        });
      } while (after !== undefined);
    });
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function lineOf({
  day,
  account,
  name = '',
  route,
  requests,
  answered,
  credits,
  devices,
  lastMs,
}: UsageRows['rows'][number]): string {
  const last = new Date(lastMs).toISOString();
  return `${[day, account, textOf(name), route, requests, answered, credits, devices, last].join(',')}\n`;
}

/** A text as a field of CSV (RFC 4180). */
function textOf(text: string): string {
  const plain = escapeMarks(FORMULA.test(text) ? `'${text}` : text);
  return /[",]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
