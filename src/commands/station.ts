// `sextant station`: what is known of a station, and where it was heard on each day. It reads the tables itself, also
// beside a running service.

import { type Command, InvalidArgumentError } from 'commander';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import type { readDaysOfStations, StationOfTables } from '../jobs/known_stations.ts';
import type { DayOfStation, KnownStation } from '../learning/known_station.ts';
import { formatStation, parseStation } from '../radio/station_name.ts';
import { count, ProgressBar } from './progress.ts';
import { asJson } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

/** What is shown of one key. */
type ShownStation = StationOfTables & { days: DayOfStation[] };

/** Adds the verb. */
export function addStation(program: Command): void {
  withFolderOptions(program.command('station'))
    .description('what is known of a station, which sources list it, and where it was heard on each day')
    .argument('<name>', 'MAC address, UUID/MAJOR/MINOR, or RADIO-COUNTRY-NETWORK-AREA-CELL', stationKeys)
    .option('--json', 'print one JSON list')
    .addHelpText('after', '\nExample:\n  sextant station 02:00:5e:00:00:d3')
    .action(async (keys: Buffer[], { json }: { json?: boolean }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const { membersOfStation, readDaysOfStations, readStations } = await import('../jobs/known_stations.ts');
      const days = await readDays(dataFolder, keys, readDaysOfStations);
      const found = (await readStations(dataFolder, keys))
        .map((station, k) => ({ ...station, days: days[k] }))
        .filter(({ known, days, isOptedOut }) => known || days.length > 0 || isOptedOut);
      if (found.length === 0) throw new Error(`Nothing is known of the station ${formatStation(keys[0])}.`);
      process.stdout.write(
        json
          ? asJson(found.map(each => ({ ...membersOfStation(each), days: each.days })))
          : found.map(describe).join('\n'),
      );
    });
}

function stationKeys(name: string): Buffer[] {
  try {
    return parseStation(name);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Reads all reports of the log, with progress. */
async function readDays(folder: string, keys: readonly Buffer[], read: typeof readDaysOfStations) {
  const bar = new ProgressBar(process.stderr);
  try {
    return await read(folder, keys, (done, total) =>
      bar.show({ phase: 'reading', rows: done, bytesDone: done, bytesTotal: total }),
    );
  } finally {
    bar.end();
  }
}

function describe(shown: ShownStation): string {
  const { station, isOptedOut, known, days } = shown;
  const rows: [string, string][] = [
    ['station', known === undefined ? station : `${known.kind} ${station}`],
    ...(isOptedOut
      ? [['opted out', 'it is kept out; "forget station --may-return" ends that'] as [string, string]]
      : []),
    ...(known === undefined ? [] : describeKnown(known)),
    ...days.map((day, i): [string, string] => [i === 0 ? 'heard' : '', describeDay(day)]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${escapeMarks(`${name.padEnd(width)}  ${text}`)}\n`).join('');
}

function describeKnown({ state, isUsed, blocks, record, sources, places }: KnownStation): [string, string][] {
  const states: Record<KnownStation['state'], string> = {
    new: 'new: one account alone has seen it',
    known: 'known',
    blocked: 'blocked: it has moved, and counts again when it stays',
    imported: 'imported: nothing was learned of it',
  };
  const moved = blocks > 0 ? `; it was blocked ${count(blocks, 'time')} so far` : '';
  return [
    ['state', `${states[state]}${moved}; lookups ${isUsed ? 'use' : 'do not use'} it`],
    ...(record === undefined ? [] : describeRecord(record)),
    ['sources', sources.length === 0 ? 'none' : sources.join(', ')],
    ...places.map((place, i): [string, string] => [
      i === 0 ? 'places' : '',
      `${at(place)}, ${count(place.reports, 'report')}, ${place.firstSeen} to ${place.lastSeen}`,
    ]),
  ];
}

function describeRecord(record: NonNullable<KnownStation['record']>): [string, string][] {
  const { r50Metres, r95Metres, samples, firstSeen, lastSeen, referenceDbm, exponent, code } = record;
  const levels = [
    ...(referenceDbm === undefined ? [] : [`${referenceDbm} dBm at 1 m, exponent ${exponent!.toFixed(1)}`]),
    ...(code === undefined ? [] : [`code ${code}`]),
  ];
  return [
    [
      'position',
      `${at(record)}, half of its observations within ${Math.round(r50Metres)} m, 95 % within ` +
        `${Math.round(r95Metres)} m`,
    ],
    ['samples', `${samples.toLocaleString('en')}${firstSeen === undefined ? '' : `, ${firstSeen} to ${lastSeen}`}`],
    ...(levels.length === 0 ? [] : [['radio', levels.join(', ')] as [string, string]]),
  ];
}

function describeDay({ day, reports, contributors, spreadMetres, strongestDbm, ...position }: DayOfStation): string {
  const level = strongestDbm === undefined ? '' : `, at most ${strongestDbm} dBm`;
  return (
    `${day}  ${count(reports, 'report')} of ${count(contributors, 'account')} at ${at(position)}, up to ` +
    `${spreadMetres} m away${level}`
  );
}

function at({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return `${latitude.toFixed(7)}, ${longitude.toFixed(7)}`;
}
