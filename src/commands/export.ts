// `sextant export`: writes stations, observations and places from the tables.
//
// Unlike commands that write, an export opens the tables itself, even while the service runs. LMDB lets any number of
// processes read while one writes, so a slow disk or pipe of an export costs the service nothing. Exports read in short
// transactions. A killed export leaves at most an entry in LMDB's table of readers, which the next process that opens
// the tables clears.

import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import type { Box } from '../geo/box.ts';
import type { ExportedLines } from '../transfer/export_observations.ts';
import { STATION_KINDS, type StationKind } from '../transfer/export_stations.ts';
import { box, countryCode, decimal, moment, wholeNumber } from './arguments.ts';
import { ProgressBar } from './progress.ts';

const OUTPUT_FILE = ['-o, --output <file>', 'write to this file'] as const;
const OUTPUT = ['-o, --output <file>', 'write to this file instead of standard output'] as const;

/** Adds the verb and its subcommands. */
export function addExport(program: Command): void {
  const verb = program
    .command('export')
    .description('write stations, observations or places to a file, also while the service runs');
  withFolderOptions(verb.command('observations'))
    .description(
      'all observations that are kept, as JSON lines of geosubmit; "import observations" makes the same tables of them',
    )
    .option(
      '--since <time>',
      'only what arrived at or after this time: 2026-01-31, 2026-01-31T12:00:00Z, or Unix seconds',
      moment,
    )
    .option(...OUTPUT)
    .addHelpText('after', '\nExample:\n  sextant export observations | gzip > observations.jsonl.gz')
    .action(async ({ since, output }: { since?: number; output?: string }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const { exportObservations } = await import('../transfer/export_observations.ts');
      const hasLog = existsSync(join(dataFolder, 'observations'));
      await writeOut(hasLog ? exportObservations(dataFolder, since ?? 0) : nothing(), output, 'report');
    });
  withFolderOptions(verb.command('stations'))
    .description('stations that take part in lookups, as CSV; cells and access points can be imported again')
    .addOption(new Option('--kind <kind>', 'which stations').choices(STATION_KINDS).default('cells'))
    .option('--min-samples <number>', 'leave out stations with fewer observations', wholeNumber(1, 65_535), 1)
    .option(
      '--blur <metres>',
      'for publishing: move each station to the middle of its square of this size; the squares are the same at ' +
        'every export',
      decimal(0, 100_000),
      0,
    )
    .option(...OUTPUT)
    .addHelpText(
      'after',
      '\nExample:\n  sextant export stations --kind wifi --min-samples 5 --blur 100 -o access_points.csv',
    )
    .action(async ({ kind, minSamples, blur: blurMetres, output }: StationFlags, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const { exportStations } = await import('../transfer/export_stations.ts');
      await writeOut(exportStations(dataFolder, { kind, minSamples, blurMetres }), output, 'station');
    });
  withFolderOptions(verb.command('places'))
    .description(
      'the places of the imported extracts, finished, as one compressed file; "import places" takes them in on ' +
        'another machine without building them again',
    )
    .requiredOption(...OUTPUT_FILE)
    .option('--country <code>', 'only those in a country, such as LI', countryCode)
    .option('--box <west,south,east,north>', 'only those in a box, degrees, or that reach into it', box)
    .option('--reverse-only', 'a much smaller file, for machines that answer points, and no searches of these places')
    .addHelpText(
      'after',
      '\nA place that is kept keeps the road, the towns and the country of its address.\n\nExamples:\n' +
        '  sextant export places -o austria.places\n' +
        '  sextant export places --country LI --reverse-only -o liechtenstein.places',
    )
    .action(async ({ output, ...what }: PlacesFlags, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      await writePlaces(dataFolder, output, what);
    });
}

interface PlacesFlags {
  output: string;
  country?: string;
  box?: Box;
  reverseOnly?: true;
}

interface StationFlags {
  kind: StationKind;
  minSamples: number;
  blur: number;
  output?: string;
}

async function* nothing(): AsyncGenerator<ExportedLines> {}

/** Writes an export piece by piece and prints the number of rows at the end. A file appears whole or not at all. */
async function writeOut(
  lines: AsyncIterable<ExportedLines>,
  output: string | undefined,
  thing: 'report' | 'station',
): Promise<void> {
  const bar = new ProgressBar(process.stderr);
  let count = 0;
  const shown = async function* () {
    for await (const { text, count: more, done, total } of lines) {
      count += more;
      if (output !== undefined) bar.show({ phase: 'exporting', rows: count, bytesDone: done, bytesTotal: total });
      yield text;
    }
  };
  try {
    await writeText(shown(), output);
  } finally {
    bar.end();
  }
  process.stderr.write(`Exported ${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}.\n`);
}

async function writePlaces(
  dataFolder: string,
  output: string,
  { reverseOnly, ...region }: Omit<PlacesFlags, 'output'>,
): Promise<void> {
  const { exportPlaces } = await import('../geocoding/import/finished_places.ts');
  const bar = new ProgressBar(process.stderr);
  const scratchFolder = `${resolve(output)}.cut`;
  // A kill may have left it.
  await rm(scratchFolder, { recursive: true, force: true });
  const onCut = (bytesDone: number, bytesTotal: number) =>
    bar.show({ phase: 'copying', rows: 0, bytesDone, bytesTotal });
  let size = 0;
  const shown = async function* () {
    const options = { region, scratchFolder, onCut, ...(reverseOnly && { pointsOnly: true }) };
    for await (const { bytes, done, total } of exportPlaces(dataFolder, options)) {
      size += bytes.length;
      bar.show({ phase: 'copying', rows: Math.floor(size / 1_000_000), bytesDone: done, bytesTotal: total });
      yield bytes;
    }
  };
  try {
    await writeText(shown(), output);
  } finally {
    bar.end();
  }
  process.stderr.write(`Exported the places to ${output}, ${Math.ceil(size / 1_000_000).toLocaleString('en')} MB.\n`);
}

/** Writes a text piece by piece: to standard output, or to a file, which appears whole or not at all. */
export async function writeText(pieces: AsyncIterable<string | Buffer>, output: string | undefined): Promise<void> {
  if (output === undefined) await writeToPipe(Readable.from(pieces), process.stdout);
  else await writeToFile(Readable.from(pieces), resolve(output));
}

/** A reader such as `head` closes the pipe when it has enough; that is not a failure. */
async function writeToPipe(text: Readable, pipe: Writable): Promise<void> {
  await pipeline(text, pipe, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

async function writeToFile(text: Readable, path: string): Promise<void> {
  const draft = `${path}.partial`;
  try {
    await pipeline(text, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
