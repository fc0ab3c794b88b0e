// `sextant import`: brings stations, measurements, places and what features have from files into the tables.

import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { Argument, type Command, Option } from 'commander';
import { withJobOptions } from '../config.ts';
import { type ImportKind, REPLACED_SOURCE } from '../feature.ts';
import { FEATURES } from '../features.ts';
import { type AddressFlags, addressMembers } from '../jobs/address_job.ts';
import type { PlacesSummary } from '../jobs/import_places.ts';
import type { ImportJob } from '../jobs/job.ts';
import { nameOfFiles, ReplacementRefused, STDIN } from '../tables/sources/source_name.ts';
import { OBSERVATION_FORMATS } from '../transfer/formats/found_draft.ts';
import type { ImportanceSummary } from '../transfer/import_importance.ts';
import type { ObservationSummary } from '../transfer/import_observations.ts';
import type { ImportSummary } from '../transfer/import_stations.ts';
import { isAddress } from '../transfer/web/ask.ts';
import { addAddressOptions } from './address_options.ts';
import { name } from './arguments.ts';
import { withFetched } from './fetched_files.ts';
import {
  describeImportanceSummary,
  describeMostlyRefused,
  describeObservationSummary,
  describePlacesSummary,
  describeSummary,
} from './progress.ts';
import { askForJob } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

/** What may follow the files. */
interface Flags extends AddressFlags {
  format?: string;
  source?: string;
  replace?: true;
  force?: true;
}

const STATIONS = {
  files: 'paths or addresses (https://…); later files win over earlier ones',
  source: REPLACED_SOURCE,
  isNamedHere: true,
  replaces: true,
  show: (summary: unknown) => describeSummary(summary as ImportSummary),
} as const;

const ADDRESSES = {
  files:
    'tables (comma, semicolon, tab, bar), lines of GeoJSON or Parquet, plain, gzip or ZIP, or folders of them, or ' +
    'addresses (https://…)',
  noStdin: 'tables are read more than once and cannot come from standard input (-)',
  source: REPLACED_SOURCE,
  isNamedHere: true,
  replaces: true,
  isAddresses: true,
  show: (summary: unknown) => describePlacesSummary(summary as PlacesSummary),
} as const;

const KINDS: readonly ImportKind<ImportJob['kind']>[] = [
  {
    ...STATIONS,
    kind: 'cells',
    description: 'cell tables (csv) and lists of NetMonster (ntm, clf), plain or gzip, or - for standard input',
    examples: ['cell_towers.csv.gz'],
  },
  { ...STATIONS, kind: 'wifi', description: 'access points with known positions', examples: ['access_points.csv'] },
  {
    kind: 'observations',
    description:
      'measurements with known positions, of WiGLE, NeoStumbler, TowerCollector, CellMapper, G-NetTrack, Network ' +
      'Survey, Kismet, or JSON; what was imported before counts once',
    files: 'paths or addresses (https://…), or - for standard input',
    formats: OBSERVATION_FORMATS,
    source: 'name of this source; what was imported under it before is added to (default: that of the files)',
    isNamedHere: true,
    examples: ['WigleWifi_20260101.csv.gz neostumbler.zip'],
    show: summary => describeObservationSummary(summary as ObservationSummary),
  },
  {
    kind: 'osm',
    description:
      'places from OpenStreetMap extracts (.osm.pbf), beside those that were imported before; the service ' +
      'answers on from the old places until all is done',
    files: 'paths or addresses (https://…); each file is an extract of its own',
    noStdin: 'extracts are read twice and cannot come from standard input (-)',
    source: 'one name for all files; what was imported under it before is replaced (default: that of each file)',
    replaces: true,
    examples: [
      'liechtenstein-latest.osm.pbf',
      'austria-261101.osm.pbf --source austria',
      'https://download.geofabrik.de/europe/liechtenstein-latest.osm.pbf',
    ],
    show: summary => describePlacesSummary(summary as PlacesSummary),
  },
  {
    kind: 'osm-changes',
    description:
      'changes of the map since an extract was made (OsmChange, .osc or .osc.gz), of the region of the extract; ' +
      'the service answers on from the old places until all is done',
    files: 'paths, in the order in which they are applied',
    noStdin: 'the place of changes among others is told by their path, and they cannot come from standard input (-)',
    source: 'name of the extract (default: the only one)',
    forces: 'also if files are missing between, were applied before, or are of another region',
    examples: ['updates/000/004/12?.osc.gz', 'monday.osc.gz --source austria'],
    show: summary => describePlacesSummary(summary as PlacesSummary),
  },
  {
    ...ADDRESSES,
    kind: 'addresses',
    description:
      'house numbers that are not of OpenStreetMap: OpenAddresses, registers of countries, any table; a house that ' +
      'the map has too is one place',
    examples: ['adresses-01.csv.gz --source ban --country FR --licence "Licence Ouverte 2.0"'],
  },
  {
    ...ADDRESSES,
    kind: 'postcodes',
    description: 'postcodes that no house has: postal files of GeoNames, Code-Point Open, any table',
    examples: ['LI.zip --source geonames'],
  },
  {
    kind: 'importance',
    description:
      'how well known places are: tables of items of Wikidata with an importance, page ranks or views; searches put ' +
      'the well-known first',
    files: 'paths or addresses (https://…), or - for standard input; all files are one table',
    source: REPLACED_SOURCE,
    isNamedHere: true,
    replaces: true,
    examples: ['wikimedia-importance.csv.gz'],
    show: summary => describeImportanceSummary(summary as ImportanceSummary),
  },
  {
    kind: 'places',
    description:
      'finished places, as "export places" writes them; without a file, the embedded gazetteer of the world again, ' +
      'from the packages that came with the program',
    optionalFiles: 'a file of finished places, by its path or address (https://…)',
    noStdin: 'finished places cannot come from standard input (-)',
    source: 'name of the places; what was imported under it before is replaced (default: that of the file)',
    replaces: true,
    examples: ['', 'austria.places'],
    show: summary => describePlacesSummary(summary as PlacesSummary),
  },
  ...FEATURES.flatMap(({ imports }) => imports),
];

/** Adds the verb and its subcommands. */
export function addImport(program: Command): void {
  const verb = program.command('import').description('bring stations, measurements, places and more in');
  for (const kind of KINDS) addKind(verb, kind);
}

function addKind(verb: Command, of: ImportKind): void {
  const { kind, description, files, optionalFiles, noStdin, formats, source, replaces, forces, isAddresses } = of;
  const { examples, show } = of;
  const added = withJobOptions(verb.command(kind)).description(description);
  if (files !== undefined) added.addArgument(new Argument('<files...>', files));
  if (optionalFiles !== undefined) added.addArgument(new Argument('[file]', optionalFiles));
  if (formats !== undefined)
    added.addOption(
      new Option('--format <format>', 'how the files are written; told from their contents when left out').choices(
        formats,
      ),
    );
  if (source !== undefined) added.option('--source <name>', source, name);
  if (replaces)
    added.option('--replace', 'also if more than half of what was imported under the name is not in the files');
  if (forces !== undefined) added.option('--force', forces);
  if (isAddresses) addAddressOptions(added);
  const lines = examples.map(example => `\n  sextant import ${kind} ${example}`.trimEnd());
  added.addHelpText('after', `\nExample${examples.length > 1 ? 's' : ''}:${lines.join('')}`);
  added.action(async (...given: unknown[]) => {
    const command = given.at(-1) as Command;
    const paths = command.args;
    const stdins = paths.filter(path => path === STDIN).length;
    if (stdins > 0 && noStdin !== undefined) command.error(`error: ${noStdin}`);
    if (stdins > 1) command.error('error: standard input (-) can be read only once');
    const named = paths.map(path => (path === STDIN || isAddress(path) ? path : resolve(path)));
    await withFetched(command, named, files => runImport(command, jobOf(of, files, command.opts<Flags>()), show));
  });
}

/** The kind of a name; undefined where there is none. */
export function findKind(name: string): ImportKind | undefined {
  return KINDS.find(({ kind }) => kind === name);
}

/** The names of all kinds. */
export function kindNames(): string[] {
  return KINDS.map(({ kind }) => kind);
}

/** The job that imports files of a kind. @param files absolute paths, and `-` */
export function jobOf(
  { kind, optionalFiles, isNamedHere, isAddresses }: ImportKind,
  files: string[],
  {
    format,
    source = isNamedHere && files.length > 0 ? nameOfFiles(files) : undefined,
    replace,
    force,
    ...others
  }: Flags,
): ImportJob {
  return {
    verb: 'import',
    kind: optionalFiles !== undefined && files.length > 0 ? 'osm' : kind,
    files,
    ...(format && { format }),
    ...(source && { source }),
    ...(replace && { replace }),
    ...(force && { force }),
    ...(isAddresses && addressMembers(others)),
  } as ImportJob;
}

/** Runs an import. If it is refused because of what would go, asks on the terminal whether that may go. */
async function runImport(command: Command, job: ImportJob, show: ImportKind['show']): Promise<void> {
  try {
    await importAndShow(command, job, show);
  } catch (error) {
    if (!(error instanceof ReplacementRefused)) throw error;
    // Standard input has been read.
    const isMeant =
      !job.files.includes(STDIN) &&
      (await confirm(`${error.message} Import it, and let them go?`, process.stdin, process.stderr));
    if (!isMeant) throw new Error(`${error.message} Name another source with --source, or say --replace.`);
    await importAndShow(command, { ...job, replace: true } as ImportJob, show);
  }
}

/** @throws Error when less than half of a file was taken, after what was taken is told */
async function importAndShow(command: Command, job: ImportJob, show: ImportKind['show']): Promise<void> {
  const summary = await askForJob(command, job);
  process.stdout.write(await show(summary));
  const { mostlyRefused = [] } = summary as Pick<ImportSummary, 'mostlyRefused'>;
  if (mostlyRefused.length > 0) throw new Error(mostlyRefused.map(describeMostlyRefused).join('\n'));
}

/**
 * Asks a question that is answered with yes or no. @returns false also where nobody can answer, because input or output
 * is no terminal
 */
export async function confirm(
  question: string,
  input: Pick<ReadStream, 'isTTY'> & NodeJS.ReadableStream,
  output: Pick<WriteStream, 'isTTY'> & NodeJS.WritableStream,
): Promise<boolean> {
  if (!input.isTTY || !output.isTTY) return false;
  const lines = createInterface({ input, output });
  try {
    const ended = once(lines, 'close').then(() => '');
    return /^y(es)?$/i.test((await Promise.race([lines.question(`${escapeMarks(question)} [y/N] `), ended])).trim());
  } finally {
    lines.close();
  }
}
