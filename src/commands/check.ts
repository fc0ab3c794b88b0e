// `sextant check`: is every table of the data folder sound?

import type { Command } from 'commander';
import type { CheckResult } from '../check/check_folder.ts';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import type { Finding } from '../tables/environment/check_walk.ts';
import { count, ProgressBar } from './progress.ts';
import { asJson } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

/** Adds the verb. */
export function addCheck(program: Command): void {
  withFolderOptions(program.command('check'))
    .description('read every table and say what is wrong, also while the service runs; ends with 1 when something is')
    .option(
      '--quick',
      'leave out what has to be computed again: identities, published stations, areas, logged requests',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  sextant check')
    .action(async ({ quick, json }: { quick?: boolean; json?: boolean }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      const bar = new ProgressBar(process.stderr);
      const { checkFolder } = await import('../check/check_folder.ts');
      const result = await checkFolder(dataFolder, quick === true, progress => bar.show(progress)).finally(() =>
        bar.end(),
      );
      process.stdout.write(json ? asJson(result) : describeCheck(result));
      if (result.findings.length > 0)
        throw new Error(`The data folder ${dataFolder} is damaged: ${count(result.findings.length, 'finding')}.`);
    });
}

/** A line for each finding, then the totals. */
export function describeCheck({ tables, findings }: CheckResult): string {
  const records = Object.values(tables).reduce((sum, table) => sum + table.records, 0);
  const sum =
    `Checked ${count(records, 'record')} in ${count(Object.keys(tables).length, 'table')}: ` +
    `${findings.length === 0 ? 'all is sound' : count(findings.length, 'finding')}.`;
  return `${[...findings.map(describeFinding), sum].join('\n')}\n`;
}

function describeFinding({ kind, table, key, what, remedy }: Finding): string {
  return escapeMarks(`${kind}: ${table}, ${key}: ${what}; ${remedy}.`);
}
