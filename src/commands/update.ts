// `sextant update`: brings an extract up to date. The command fetches the changes that the extract lacks from its
// publisher, and has them applied as "import osm-changes" does. A kill leaves the files for the next command.

import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { readFolderConfig, withJobOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import type { PlacesSummary } from '../jobs/import_places.ts';
import type { OsmChangesJob } from '../jobs/job.ts';
import { download } from '../transfer/web/download.ts';
import { Publisher, pathOf } from '../transfer/web/replication.ts';
import { name as sourceName } from './arguments.ts';
import { openFetchFolder } from './fetched_files.ts';
import { describePlacesSummary, ProgressBar } from './progress.ts';
import { askForJob } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

/** What is applied at once: the names must fit into a job, and the objects onto the disk. */
const FILES_MAX = 4_000;
const BYTES_MAX = 2 ** 30;
/** A day of the planet has a tenth of it. */
const FILE_BYTES_MAX = 2 ** 30;
const MEGABYTE = 1_000_000;

/** Adds the verb. */
export function addUpdate(program: Command): void {
  withJobOptions(program.command('update'))
    .description(
      'bring an imported extract up to date: fetch the changes of the map since then from its publisher, and apply ' +
        'them; the service answers on from the old places until all is done',
    )
    .option('--source <name>', 'name of the extract (default: the only one)', sourceName)
    .option('--url <url>', 'address of the changes, with a state.txt in it (default: that in the extract)')
    .addHelpText(
      'after',
      '\nExamples:\n  sextant update\n  sextant update --source austria-latest --url ' +
        'https://download.geofabrik.de/europe/austria-updates',
    )
    .action(async ({ source, url }: { source?: string; url?: string }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      await update(command, dataFolder, source, url);
    });
}

async function update(command: Command, dataFolder: string, source?: string, url?: string): Promise<void> {
  const { reachedBySource } = await import('../geocoding/import/change_extract.ts');
  const reached = await reachedBySource(dataFolder, source);
  const { name, updates } = reached;
  const address = url ?? updates;
  if (address === undefined)
    throw new Error(`The extract "${name}" does not say where changes of it are; name their address with --url.`);
  const publisher = new Publisher(address);
  const last = await publisher.last();
  const first = await publisher.reachedBy(reached, last);
  if (first >= last.sequence) {
    const upTo = new Date(last.upToMs).toISOString();
    process.stdout.write(escapeMarks(`"${name}" has all changes of ${publisher.url}, up to ${upTo}.`) + '\n');
    return;
  }
  process.stderr.write(
    `${escapeMarks(`Fetching the changes ${first + 1} to ${last.sequence} of "${name}" from ${publisher.url}.`)}\n`,
  );
  const folder = openFetchFolder(dataFolder, publisher.url, false);
  try {
    for (let at = first; at < last.sequence; ) {
      const files = await fetchSome(publisher, folder.path, at, last.sequence);
      const state = at + files.length === last.sequence ? last : await publisher.stateOf(at + files.length);
      const job: OsmChangesJob = {
        ...{ verb: 'import', kind: 'osm-changes', source: name, files },
        ...(at === first && first !== reached.sequence && { after: first }),
        ...(state !== undefined && { upTo: new Date(state.upToMs).toISOString() }),
      };
      // A file that cannot be read is fetched again by the next command.
      const summary = await askForJob(command, job).finally(() => {
        for (const file of files) rmSync(file);
      });
      process.stdout.write(describePlacesSummary(summary as PlacesSummary));
      at += files.length;
    }
    folder.remove();
  } finally {
    folder.release();
  }
}

/** Fetches files, as many as are applied at once. @returns their paths, which tell their numbers */
async function fetchSome(publisher: Publisher, folder: string, after: number, last: number): Promise<string[]> {
  const bar = new ProgressBar(process.stderr);
  const files: string[] = [];
  let bytes = 0;
  try {
    for (let sequence = after + 1; sequence <= last && files.length < FILES_MAX && bytes < BYTES_MAX; sequence++) {
      const path = join(folder, `${pathOf(sequence)}.osc.gz`);
      const show = (bytesOfFile: number) =>
        bar.show({
          ...{ phase: 'downloading', rows: Math.floor((bytes + bytesOfFile) / MEGABYTE) },
          ...{ bytesDone: files.length, bytesTotal: last - after },
        });
      mkdirSync(dirname(path), { recursive: true });
      // What has its name is whole, and a number never names another file.
      if (!existsSync(path))
        await download({
          ...{ url: publisher.fileOf(sequence), folder: dirname(path), bytesMax: FILE_BYTES_MAX, isHashed: false },
          onProgress: show,
        });
      files.push(path);
      bytes += statSync(path).size;
    }
  } finally {
    bar.end();
  }
  return files;
}
