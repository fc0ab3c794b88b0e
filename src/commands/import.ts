// `sextant import`: brings stations, measurements, places, buildings and fingerprints from files into the tables.

import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { withJobOptions } from '../config.ts';
import type { PlacesSummary } from '../jobs/import_places.ts';
import type { BuildingsJob, FingerprintsJob, ImportJob, ObservationImportJob, PlacesImportJob, StationImportJob } from '../jobs/job.ts';
import type { BuiltMaps } from '../learning/fingerprints/build_maps.ts';
import { ReplacementRefused } from '../tables/sources/replacement.ts';
import { nameOfFiles, STDIN } from '../tables/sources/source_name.ts';
import type { BuildingSummary } from '../transfer/buildings/import_buildings.ts';
import type { FingerprintSummary } from '../transfer/fingerprints/import_fingerprints.ts';
import { OBSERVATION_FORMATS } from '../transfer/formats/observation_file.ts';
import type { ObservationSummary } from '../transfer/import_observations.ts';
import type { ImportSummary } from '../transfer/import_stations.ts';
import { name } from './arguments.ts';
import { confirm } from './confirm.ts';
import {
  describeBuildingSummary,
  describeFingerprintSummary,
  describeMostlyRefused,
  describeObservationSummary,
  describePlacesSummary,
  describeSummary,
} from './progress.ts';
import { askForJob, runCommandJob } from './run_job.ts';

/** One type of import. */
interface Kind {
  kind: (StationImportJob | ObservationImportJob)['kind'];
  description: string;
  files: string;
  formats?: readonly string[];
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
    example: 'cell_towers.csv.gz',
  },
  {
    ...STATIONS,
    kind: 'wifi',
    description: 'access points with known positions',
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

/** What imports that replace an earlier one take beside their files. */
interface Flags {
  source?: string;
  replace?: true;
}

/** Adds the verb and its subcommands. */
export function addImport(program: Command): void {
  const verb = program.command('import').description('bring stations, measurements, places, buildings and fingerprints in');
  for (const kind of KINDS) addKind(verb, kind);
  addOsm(verb);
  addPlaces(verb);
  addBuildings(verb);
  addFingerprints(verb);
}

function addKind(verb: Command, { kind, description, files: help, formats, example, show }: Kind): void {
  const added = withJobOptions(verb.command(kind))
    .description(description)
    .addArgument(new Argument('<files...>', help))
    .addHelpText('after', `\nExample:\n  sextant import ${kind} ${example}`);
  if (formats !== undefined)
    added.addOption(new Option('--format <format>', 'how the files are written; told from their contents when left out').choices(formats));
  const again = kind === 'observations' ? 'is added to' : 'is replaced';
  added.option('--source <name>', `name of this source; what was imported under it before ${again} (default: that of the files)`, name);
  if (kind !== 'observations') added.addOption(replaceOption());
  added.action(async (files: string[], flags: Flags & { format?: string }, command: Command) => {
    if (files.filter(file => file === STDIN).length > 1) command.error('error: standard input (-) can be read only once');
    const paths = files.map(file => (file === STDIN ? file : resolve(file)));
    const format = flags.format === undefined ? {} : { format: flags.format };
    const naming = { ...namingOf(flags), source: flags.source ?? nameOfFiles(files) };
    const job = { verb: 'import', kind, files: paths, ...format, ...naming } as StationImportJob | ObservationImportJob;
    await runImport(command, job, show);
  });
}

function replaceOption(): Option {
  return new Option('--replace', 'also if more than half of what was imported under the name is not in the files');
}

function namingOf({ source, replace }: Flags): Flags {
  return { ...(source !== undefined && { source }), ...(replace && { replace }) };
}

function addOsm(verb: Command): void {
  withJobOptions(verb.command('osm'))
    .description(
      'places from OpenStreetMap extracts (.osm.pbf), beside those that were imported before; the service answers on from the old places until all is done',
    )
    .addArgument(new Argument('<files...>', 'paths; each file is an extract of its own'))
    .option('--source <name>', 'one name for all files; what was imported under it before is replaced (default: that of each file)', name)
    .addOption(replaceOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sextant import osm liechtenstein-latest.osm.pbf\n  sextant import osm austria-261101.osm.pbf --source austria',
    )
    .action(async (files: string[], flags: Flags, command: Command) => {
      if (files.includes(STDIN)) command.error('error: extracts are read twice and cannot come from standard input (-)');
      const paths = files.map(file => resolve(file));
      const job: PlacesImportJob = { verb: 'import', kind: 'osm', files: paths, ...namingOf(flags) };
      await runImport(command, job, showPlaces);
    });
}

function addPlaces(verb: Command): void {
  withJobOptions(verb.command('places'))
    .description('build the embedded gazetteer of the world again, from the packages that came with the program')
    .addHelpText('after', '\nExample:\n  sextant import places')
    .action((_flags, command: Command) => runCommandJob(command, { verb: 'import', kind: 'places', files: [] }, showPlaces));
}

function addBuildings(verb: Command): void {
  withJobOptions(verb.command('buildings'))
    .description('building models: plain GeoJSON, IMDF archives (.zip), or OpenStreetMap extracts (.osm.pbf) with indoor tagging')
    .addArgument(new Argument('<files...>', 'paths; files of GeoJSON may refer to one another'))
    .option('--source <name>', 'name of this import; what was imported under it before is replaced (default: that of the files)', name)
    .addOption(replaceOption())
    .addHelpText('after', '\nExample:\n  sextant import buildings campus.geojson')
    .action(async (files: string[], flags: Flags, command: Command) => {
      if (files.includes(STDIN)) command.error('error: buildings cannot come from standard input (-)');
      const paths = files.map(file => resolve(file));
      const job: BuildingsJob = { verb: 'import', kind: 'buildings', files: paths, ...namingOf(flags) };
      await runImport(command, job, summary => describeBuildingSummary(summary as BuildingSummary));
    });
}

function addFingerprints(verb: Command): void {
  withJobOptions(verb.command('fingerprints'))
    .description('scans at known points of known floors: CSV, UJIIndoorLoc, walks between way-points (JSON lines)')
    .addArgument(new Argument('<files...>', 'paths, or - for standard input; all files are one survey'))
    .option('--source <name>', 'name of this source; what was imported under it before is replaced (default: that of the files)', name)
    .addOption(replaceOption())
    .addHelpText('after', '\nExample:\n  sextant import fingerprints survey.csv')
    .action(async (files: string[], flags: Flags, command: Command) => {
      if (files.filter(file => file === STDIN).length > 1) command.error('error: standard input (-) can be read only once');
      const paths = files.map(file => (file === STDIN ? file : resolve(file)));
      const naming = { ...namingOf(flags), source: flags.source ?? nameOfFiles(files) };
      const job: FingerprintsJob = { verb: 'import', kind: 'fingerprints', files: paths, ...naming };
      await runImport(command, job, summary => describeFingerprintSummary(summary as FingerprintSummary & BuiltMaps));
    });
}

/** Runs an import. If it is refused because of what would go, asks on the terminal whether that may go. */
async function runImport(command: Command, job: ImportJob, show: (summary: unknown) => string): Promise<void> {
  try {
    await importAndShow(command, job, show);
  } catch (error) {
    if (!(error instanceof ReplacementRefused)) throw error;
    // Standard input has been read.
    const isMeant =
      !job.files.includes(STDIN) && (await confirm(`${error.message} Import it, and let them go?`, process.stdin, process.stderr));
    if (!isMeant) throw new Error(`${error.message} Name another source with --source, or say --replace.`);
    await importAndShow(command, { ...job, replace: true } as ImportJob, show);
  }
}

/** @throws Error when less than half of a file was taken, after what was taken is told */
async function importAndShow(command: Command, job: ImportJob, show: (summary: unknown) => string): Promise<void> {
  const summary = await askForJob(command, job);
  process.stdout.write(show(summary));
  const { mostlyRefused = [] } = summary as Pick<ImportSummary, 'mostlyRefused'>;
  if (mostlyRefused.length > 0) throw new Error(mostlyRefused.map(describeMostlyRefused).join('\n'));
}

function showPlaces(summary: unknown): string {
  return describePlacesSummary(summary as PlacesSummary);
}
