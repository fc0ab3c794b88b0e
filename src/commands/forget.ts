// `sextant forget`: removes stations, and the reports and logged requests of a contributor, a device or a request.

import { type Command, InvalidArgumentError } from 'commander';
import { readFolderConfig, withFolderOptions, withJobOptions } from '../config.ts';
import { requireFolder } from '../folder/data_folder.ts';
import { readOptedOut } from '../folder/opted_out.ts';
import type { ForgetJob, ForgetSummary } from '../jobs/job.ts';
import { parseStation } from '../radio/station_name.ts';
import { wholeNumber } from './arguments.ts';
import { count } from './progress.ts';
import { askForSharedJob, runSharedJob } from './run_job.ts';

const KEY_ID_MAX = 1_048_575;
/** Characters of a device id, as requests may have them. */
const DEVICE_CHARACTERS_MAX = 20;

/** Adds the verb and its subcommands. */
export function addForget(program: Command): void {
  const verb = program
    .command('forget')
    .description('remove what is known of stations, or what a contributor, a device or a request has brought');
  const described = (usage: string, description: string, example: string) =>
    withJobOptions(verb.command(usage), true)
      .description(description)
      .addHelpText('after', `\nExample:\n  sextant forget ${example}`);
  const keyId = wholeNumber(1, KEY_ID_MAX);
  const run = (command: Command, job: ForgetJob) => runSharedJob(command, job, show);

  described(
    'station',
    'all that is known of stations, and keep them out from now on',
    'station 02:00:5e:00:00:d3 lte-206-1-2124-102764173',
  )
    .argument('<name...>', 'MAC address, UUID/MAJOR/MINOR, or RADIO-COUNTRY-NETWORK-AREA-CELL', stationNames)
    .option('--may-return', 'let them be learned again from what comes later; ends an earlier objection too')
    .action((names: string[], { mayReturn }: { mayReturn?: true }, command: Command) =>
      run(command, { verb: 'forget', what: 'stations', names, ...(mayReturn && { mayReturn }) }),
    );
  described(
    'contributor',
    'all reports and logged requests of a key; revoke it first, or it goes on contributing',
    'contributor 7',
  )
    .argument('<key>', 'number of the key', keyId)
    .action((id: number, _flags, command: Command) => run(command, { verb: 'forget', what: 'contributor', id }));
  described('device', 'all reports and logged requests of a device', 'device tracker-1 --key 7')
    .argument('<id>', 'id of the device, as its requests have it', deviceId)
    .option('--key <key>', 'only under this key, by its number', keyId)
    .action((device: string, { key }: { key?: number }, command: Command) =>
      run(command, { verb: 'forget', what: 'device', device, ...(key !== undefined && { account: key }) }),
    );
  described('report', 'a logged request and what it has contributed', 'report 1234567890')
    .argument('<logId>', 'the logId of its answer, at most 7 days old', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .action(async (logId: number, _flags, command: Command) => {
      const { identitiesOf } = await import('../tasks/pack_reports.ts');
      const identities = identitiesOf(logId, await askForSharedJob(command, { verb: 'log', id: logId }));
      await run(command, { verb: 'forget', what: 'report', logId, identities });
    });
  withFolderOptions(verb.command('list'))
    .description('the stations that are kept out, a line each')
    .addHelpText('after', '\nExample:\n  sextant forget list')
    .action((_flags, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      process.stdout.write(
        readOptedOut(dataFolder)
          .map(name => `${name}\n`)
          .join(''),
      );
    });
}

/** Adds a name to those before it. */
function stationNames(name: string, names: string[] | undefined): string[] {
  try {
    parseStation(name);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  return [...(names ?? []), name];
}

function deviceId(text: string): string {
  if (text === '' || text.length > DEVICE_CHARACTERS_MAX)
    throw new InvalidArgumentError(`It must have 1 to ${DEVICE_CHARACTERS_MAX} characters.`);
  return text;
}

function show(result: unknown): string {
  const { reports, changedReports, imported, requests, awaited, stations, droppedThrough } = result as ForgetSummary;
  const lines = [
    `Forgot ${count(reports, 'report')} and parts of ${count(changedReports, 'other')}, ` +
      `${count(imported, 'imported station')} and ${count(requests, 'logged request')}. The tables hold ` +
      `${count(stations, 'station')}.`,
    ...(droppedThrough > 0
      ? [
          `Reports up to ${droppedThrough.toLocaleString('en')} had been dropped from the log, so what other ` +
            `stations have learned from reports stays.`,
        ]
      : []),
    ...(awaited !== undefined ? [nodesLine(awaited)] : []),
    'Backups that were made before still hold it.',
  ];
  return `${lines.join('\n')}\n`;
}

function nodesLine(awaited: readonly string[]): string {
  if (awaited.length === 0) return 'All nodes of the cluster have removed what they had logged of it.';
  return (
    `These nodes do not answer now, and remove what they have logged of it when they are back: ` +
    `${awaited.toSorted().join(', ')}.`
  );
}
