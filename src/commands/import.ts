// `sextant import`: stations and measurements from files into the tables.

import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { OBSERVATION_FORMATS } from '../contributions/formats/observation_file.ts';
import type { ObservationSummary } from '../contributions/import_observations.ts';
import type { ImportSummary } from '../contributions/import_stations.ts';
import type { ObservationImportJob, StationImportJob } from '../writer/job.ts';
import { describeObservationSummary, describeSummary } from './progress.ts';
import { runCommandJob, withConfigFlags } from './run_job.ts';

const STDIN = '-';

/** One kind of files. */
interface Kind {
  kind: (StationImportJob | ObservationImportJob)['kind'];
  description: string;
  files: string;
  formats: readonly string[];
  example: string;
  show(summary: unknown): string;
}

const STATIONS = {
  files: 'paths; later files win over earlier ones',
  show: (summary: unknown) => describeSummary(summary as ImportSummary),
};

const KINDS: readonly Kind[] = [
  {
    ...STATIONS,
    kind: 'cells',
    description: 'cell tables: csv, csv.gz, or - for standard input',
    formats: ['opencellid', 'mls'],
    example: 'cell_towers.csv.gz',
  },
  {
    ...STATIONS,
    kind: 'wifi',
    description: 'access points with known positions',
    formats: ['stations', 'darmstadt'],
    example: 'access_points.csv',
  },
  {
    kind: 'observations',
    description:
      'measurements with known positions: WiGLE and TowerCollector CSV, NeoStumbler ZIP, JSON lines; what was imported before counts once',
    files: 'paths, or - for standard input',
    formats: OBSERVATION_FORMATS,
    example: 'WigleWifi_20260101.csv.gz neostumbler.zip',
    show: summary => describeObservationSummary(summary as ObservationSummary),
  },
];

/** Adds the verb and its kinds of files. */
export function addImport(program: Command): void {
  const verb = program.command('import').description('bring stations and measurements in');
  for (const kind of KINDS) addKind(verb, kind);
}

function addKind(verb: Command, { kind, description, files: help, formats, example, show }: Kind): void {
  withConfigFlags(verb.command(kind), 'other')
    .description(description)
    .addArgument(new Argument('<files...>', help))
    .addOption(new Option('--format <format>', 'how the files are written; told from their contents when left out').choices(formats))
    .addHelpText('after', `\nExample:\n  sextant import ${kind} ${example}`)
    .action(async (files: string[], flags: { format?: string }, command: Command) => {
      if (files.filter(file => file === STDIN).length > 1) command.error('error: standard input (-) can be read only once');
      const paths = files.map(file => (file === STDIN ? file : resolve(file)));
      const format = flags.format === undefined ? {} : { format: flags.format };
      const job = { verb: 'import', kind, files: paths, ...format } as StationImportJob | ObservationImportJob;
      await runCommandJob(flags, job, show);
    });
}
