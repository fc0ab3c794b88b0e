// `sextant locate`, `geocode` and `reverse`: a table in, the same table with positions and places out. They read the
// tables of the data folder themselves, beside a service or without one.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { TABLE_FALLBACKS } from '../radio/fallbacks.ts';
import { LONE_BEACONS_OF } from '../radio/query/layout.ts';
import { CONFIDENCE } from '../radio/ranges.ts';
import type { TableSummary } from '../tasks/answer_table.ts';
import { type NamedColumns, type Role, rolesOf, type TableKind } from '../tasks/table_columns.ts';
import { decimal, listOf } from './arguments.ts';
import { writeText } from './export.ts';
import { count, grouped, ProgressBar } from './progress.ts';

type Flags = NamedColumns & {
  language?: string[];
  output?: string;
  encoding?: string;
  confidence?: number;
  fallbacks?: string[];
};

const VERBS: readonly { kind: TableKind; files: string; description: string; example: string }[] = [
  {
    kind: 'locate',
    files: 'a table of cells (radio, mcc, mnc, lac, cell), access points (wifi) or requests (body), or JSON lines',
    description: 'find the position of each row of a table of what devices heard',
    example: 'locate scans.csv > located.csv',
  },
  {
    kind: 'geocode',
    files: 'a table with addresses',
    description: 'find the position of each address of a table',
    example: 'geocode customers.csv --column address --output found.csv',
  },
  {
    kind: 'reverse',
    files: 'a table with columns for latitude and longitude',
    description: 'find the place at each position of a table',
    example: 'reverse positions.csv > places.csv',
  },
];
const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** Adds the three verbs. */
export function addTables(program: Command): void {
  for (const { kind, files, description, example } of VERBS) {
    const verb = withFolderOptions(program.command(kind)).description(description).argument('<file>', files);
    for (const [role, { holds, isList }] of rolesOf(kind)) addColumn(verb, role, holds, isList);
    if (kind === 'locate') addDefaults(verb);
    verb
      .option(
        '--language <codes>',
        'languages of places, best first, with commas between; local names without',
        listOf(text => (LANGUAGE.test(text) ? text : undefined), 'languages such as de or en-GB'),
      )
      .option('--encoding <name>', 'how the table is written, such as windows-1252; without, its bytes tell')
      .option(
        '--output <file>',
        'write the table there, as Parquet where the name ends in .parquet; to standard output without',
      )
      .addHelpText(
        'after',
        `\nThe table comes back with latitude, longitude, radius, place and quality.\n\nExample:\n  sextant ${example}`,
      )
      .action((file: string, flags: Flags, command: Command) => answer(kind, file, flags, command));
  }
}

/** What rows have that do not say it. */
function addDefaults(verb: Command): void {
  verb
    .option(
      '--fallbacks <names>',
      `what may stand for cells that are not known, with commas between: ${TABLE_FALLBACKS.join(', ')}`,
      listOf(text => TABLE_FALLBACKS.find(name => name === text), `some of ${TABLE_FALLBACKS.join(', ')}`),
    )
    .option(
      '--confidence <percent>',
      `share of true positions in the radius, ${CONFIDENCE.min}..${CONFIDENCE.max}; 50 without`,
      decimal(CONFIDENCE.min, CONFIDENCE.max),
    );
}

/** A flag that names a column. */
function addColumn(verb: Command, role: Role, holds: string, isList: true | undefined): void {
  const several = isList ? '; several make one, in their order' : '';
  const option = new Option(`--${role} <name>`, `the column with ${holds}${several}`);
  if (isList) option.argParser((name: string, before: string[] = []) => [...before, name]);
  verb.addOption(option);
}

async function answer(kind: TableKind, file: string, flags: Flags, command: Command): Promise<void> {
  const { language, output, encoding: told, ...named } = flags;
  const { confidence, fallbacks, ...columns } = named;
  if (kind === 'geocode' && rolesOf(kind).every(([role]) => flags[role] === undefined))
    command.error(
      'error: name the column of the address with --column, or those of its parts with --street, --city, …',
    );
  const { dataFolder: folder } = readFolderConfig(command);
  const { openTable } = await import('../transfer/files/table_file.ts');
  const { answerAsParquet, answerTable } = await import('../tasks/answer_table.ts');
  const { requireFolder } = await import('../folder/data_folder.ts');
  const { withAnswerer } = await import('./explain/with_answerer.ts');
  requireFolder(folder);
  const table = await openTable(file, told);
  if (table.encoding.isGuessed)
    process.stderr.write(`${file} is read as ${table.encoding.name}; --encoding says otherwise.\n`);
  const bar = new ProgressBar(process.stderr);
  const summary: TableSummary = { rows: 0, found: 0 };
  const show = async (): Promise<void> => {
    bar.show({ phase: 'answering', rows: summary.rows, bytesDone: table.bytesDone(), bytesTotal: table.bytesTotal });
    await nextTurn();
  };
  const question = {
    kind,
    columns,
    languages: language,
    defaults: { confidence, fallbacks },
    loneBeacons: LONE_BEACONS_OF.trusted,
  };
  try {
    await withAnswerer(folder, answerer =>
      /\.parquet$/i.test(output ?? '')
        ? writeText(answerAsParquet(answerer, table, question, summary, show), output)
        : writeText(table.encoded(answerTable(answerer, table, question, summary, show)), output),
    );
  } finally {
    bar.end();
  }
  process.stderr.write(describe(summary));
}

function describe({ rows, found }: TableSummary): string {
  return `${count(rows, 'row')}, ${grouped(found)} of them found.\n`;
}
