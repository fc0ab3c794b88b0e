// `sextant sources`: what was imported, by name, and taking one import out again.

import type { Command } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { FEATURE_TABLES } from '../features.ts';
import { requireFolder } from '../folder/data_folder.ts';
import type { LoadResult } from '../tables/stations/merge.ts';
import { count } from './progress.ts';
import { asJson, runCommandJob } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

type ListedSource = Awaited<ReturnType<typeof import('../jobs/sources.ts').listSources>>[number];

const OF_FEATURES = FEATURE_TABLES.flatMap(({ sources }) => (sources === undefined ? [] : [sources.unit]));
const HELD = ['cells', 'access points', 'measurements', ...OF_FEATURES, 'extracts', 'addresses', 'importance'];

/** Adds the verb and its subcommands. */
export function addSources(program: Command): void {
  const verb = program.command('sources').description(`what was imported: ${HELD.join(', ')}`);
  withFolderOptions(verb.command('list'))
    .description('all sources in the order of their import; of stations that several have, the last counts')
    .option('--json', 'print one JSON list')
    .addHelpText('after', '\nExample:\n  sextant sources list')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const { listSources } = await import('../jobs/sources.ts');
      const sources = await listSources(dataFolder);
      process.stdout.write(json ? asJson(sources) : describeSources(sources));
    });
  withFolderOptions(verb.command('remove'))
    .description('take a source out, as if it had never been imported')
    .argument('<name>', 'name of the source, as "sources list" shows it')
    .addHelpText('after', '\nExample:\n  sextant sources remove cell_towers')
    .action((name: string, _flags, command: Command) =>
      runCommandJob(command, { verb: 'sources', action: 'remove', name }, showRemoval),
    );
}

function describeSources(sources: readonly ListedSource[]): string {
  if (sources.length === 0) return 'Nothing was imported.\n';
  const rows = sources.map(({ kind, rows, importedAt, registers = [], pointsOnly, ...source }) => [
    kind,
    rows.toLocaleString('en'),
    importedAt.slice(0, 16),
    escapeMarks(withLicence(source) + registers.map(each => `, with ${withLicence(each)}`).join('')) +
      (pointsOnly ? ' (answers points only, no searches)' : ''),
  ]);
  const widths = [0, 1, 2].map(c => Math.max(...rows.map(row => row[c].length)));
  const lines = rows.map(
    ([kind, number, date, name]) => `${kind.padEnd(widths[0])}  ${number.padStart(widths[1])}  ${date}  ${name}\n`,
  );
  return lines.join('');
}

function withLicence({ name, licence }: Pick<ListedSource, 'name' | 'licence'>): string {
  return licence === undefined ? name : `${name} (${licence})`;
}

async function showRemoval(result: unknown): Promise<string> {
  const summary = result as LoadResult | { reports: number; stations: number } | { places: number };
  for (const { sources } of FEATURE_TABLES) {
    const text = await sources?.describeRemoval(summary);
    if (text !== undefined) return text;
  }
  if ('places' in summary) return `Removed the source. The tables hold ${count(summary.places, 'place')} of others.\n`;
  if ('reports' in summary)
    return (
      `Removed ${count(summary.reports, 'report')}, and learned again from the others. The tables hold ` +
      `${count(summary.stations, 'station')}.\n`
    );
  const { removed, replaced, stations } = summary;
  return (
    `Removed ${count(removed, 'station')}; ${count(replaced, 'station')} of other sources count again. The ` +
    `tables hold ${count(stations, 'station')}.\n`
  );
}
