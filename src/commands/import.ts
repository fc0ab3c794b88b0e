// `sextant import`: stations from files into the tables.

import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import type { ImportSummary } from '../contributions/import_stations.ts';
import type { Job } from '../writer/job.ts';
import { describeSummary } from './progress.ts';
import { runCommandJob, withConfigFlags } from './run_job.ts';

type Kind = Extract<Job, { verb: 'import' }>['kind'];

const STDIN = '-';

/** Adds the verb and its kinds of files. */
export function addImport(program: Command): void {
  const verb = program.command('import').description('bring stations in');
  addKind(verb, 'cells', 'cell tables: csv, csv.gz, or - for standard input', ['opencellid', 'mls'], 'cell_towers.csv.gz');
  addKind(verb, 'wifi', 'access points with known positions', ['stations', 'darmstadt'], 'access_points.csv');
}

function addKind(verb: Command, kind: Kind, description: string, formats: string[], example: string): void {
  withConfigFlags(verb.command(kind), 'other')
    .description(description)
    .addArgument(new Argument('<files...>', 'paths; later files win over earlier ones'))
    .addOption(new Option('--format <format>', 'how the files are written; told from their contents when left out').choices(formats))
    .addHelpText('after', `\nExample:\n  sextant import ${kind} ${example}`)
    .action(async (files: string[], flags: { format?: string }, command: Command) => {
      if (files.filter(file => file === STDIN).length > 1) command.error('error: standard input (-) can be read only once');
      const paths = files.map(file => (file === STDIN ? file : resolve(file)));
      const format = flags.format === undefined ? {} : { format: flags.format };
      await runCommandJob(flags, { verb: 'import', kind, files: paths, ...format }, summary => describeSummary(summary as ImportSummary));
    });
}
