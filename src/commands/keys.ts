// `sextant keys`: manages the accounts behind the keys.

import type { Command } from 'commander';
import { KEY_ROUTES, readNetwork, readOrigin, readRoute, readTag } from '../accounts/restrictions.ts';
import { withFolderOptions, withJobOptions } from '../config.ts';
import type { CapSettings, KeySettings } from '../jobs/job.ts';
import { FALLBACK_NAMES } from '../radio/fallbacks.ts';
import { CONFIDENCE } from '../radio/ranges.ts';
import { dayToCome, decimal, listOf, name, span, wholeNumber } from './arguments.ts';
import { asJson, runSharedJob } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

const CREDITS_MAX = 2_147_483_647; // balances are signed 32-bit words in shared memory
const KEYS_MAX = 1_048_575;
const STORAGE_MB_MAX = 1_048_576;

type Row<T> = [flags: string, help: string, member: keyof T, read?: (text: string) => unknown];

const SETTINGS: Row<KeySettings>[] = [
  ['--name <text>', 'your name for the holder', 'name', name],
  [
    '--credits <number>',
    'makes the key prepaid; without it, requests are only counted',
    'credits',
    wholeNumber(0, CREDITS_MAX),
  ],
  [
    '--monthly-credits <number>',
    'makes the key prepaid; the balance is filled up to this when a calendar month (UTC) begins',
    'monthlyCredits',
    wholeNumber(1, CREDITS_MAX),
  ],
  ['--expires <YYYY-MM-DD>', 'last day on which the key is valid (UTC)', 'expires', dayToCome],
  ['--indoor', 'indoor information by default, where the request does not say', 'indoor'],
  ['--address', 'an address by default, where the request does not say', 'address'],
  [
    '--confidence <percent>',
    'share of true positions in the radius by default, 50..99',
    'confidence',
    decimal(CONFIDENCE.min, CONFIDENCE.max),
  ],
  [
    '--fallbacks <names>',
    `fallbacks by default, with commas between: ${FALLBACK_NAMES.join(', ')}`,
    'fallbacks',
    listOf(text => FALLBACK_NAMES.find(name => name === text), `some of ${FALLBACK_NAMES.join(', ')}`),
  ],
  [
    '--routes <names>',
    `routes that it may be used for, with commas between: ${KEY_ROUTES.join(', ')}; others get 403`,
    'routes',
    listOf(readRoute, `some of ${KEY_ROUTES.join(', ')}`),
  ],
  [
    '--origins <origins>',
    'pages that may use it, by their origins, such as https://shop.example; others get 403',
    'origins',
    listOf(readOrigin, 'origins of pages, such as https://shop.example'),
  ],
  [
    '--networks <addresses>',
    'clients that may use it, by addresses and subnets, such as 203.0.113.0/24; others get 403',
    'networks',
    listOf(readNetwork, 'addresses and subnets, such as 203.0.113.7,2001:db8::/32'),
  ],
  [
    '--tags <tags>',
    'groups that it belongs to, with commas between; a tenant sees the keys with its tag',
    'tags',
    listOf(readTag, 'letters, digits, dots, hyphens and underscores'),
  ],
  ['--speed-filter', 'refuse positions that need more than the speed limit', 'speedFilter'],
  ['--speed-limit <m/s>', 'metres a second, 0.01..100000; 100 without it', 'speedLimit', decimal(0.01, 100_000)],
  ['--tracking', 'follow devices outdoors by their states', 'tracking'],
  [
    '--rate <number>',
    'requests a second, and as many items of submissions, 0.01..1000000',
    'ratePerSecond',
    decimal(0.01, 1_000_000),
  ],
  [
    '--devices <number>',
    'device ids in a calendar month, 1..1000000000; another one gets 403; requests without an id count as one',
    'devices',
    wholeNumber(1, 1_000_000_000),
  ],
  [
    '--storage-mb <MB>',
    'disk that its reports may take, 0..1048576; without it 1024, and no limit for a trusted key',
    'storageMegabytes',
    wholeNumber(0, STORAGE_MB_MAX),
  ],
  ['--contributor', 'earns credits for reports that are confirmed, if it is prepaid', 'contributor'],
  ['--trusted', 'its observations need no second witness', 'trusted'],
  ['--trail', 'may ask where an access point was heard', 'trail'],
  ['--explain', 'its answers carry an explanation on request', 'explain'],
  ['--upstream', 'the service of --upstream is asked for what is not found here', 'upstream'],
  ['--cells', 'may list the cells of an area', 'cells'],
];

/** What the keys of a tenant may take together. */
const CAPS: Row<CapSettings>[] = [
  ['--keys <number>', 'keys that are not revoked, at most', 'keys', wholeNumber(0, KEYS_MAX)],
  ['--credits <number>', 'credits in a calendar month (UTC), at most', 'credits', wholeNumber(0, CREDITS_MAX)],
  ['--storage-mb <MB>', 'disk that reports may take, at most', 'storageMb', wholeNumber(0, STORAGE_MB_MAX)],
];

/** Adds the verb and its actions. */
export function addKeys(program: Command): void {
  const verb = program.command('keys').description('make and change keys; prints one JSON object');
  const described = (command: Command, description: string, example: string) =>
    command.description(description).addHelpText('after', `\nExample:\n  sextant keys ${example}`);
  const question = (usage: string, ...text: [string, string]) =>
    described(withFolderOptions(verb.command(usage), true), ...text);
  const change = (usage: string, ...text: [string, string]) =>
    described(withJobOptions(verb.command(usage), true), ...text);
  const id = wholeNumber(1, KEYS_MAX);

  withSettings(
    change('create', 'a new key, shown only now', 'create --name fleet --credits 100000 --rate 50'),
    false,
  ).action((flags, command: Command) =>
    runSharedJob(command, { verb: 'keys', action: 'create', settings: settingsOf(flags) }),
  );
  question('list', 'all keys: a table on a terminal, else one JSON object', 'list')
    .option('--json', 'print one JSON object, also on a terminal')
    .option('--tag <tag>', 'only keys with this tag')
    .action(({ json, tag }: { json?: boolean; tag?: string }, command: Command) =>
      runSharedJob(command, { verb: 'keys', action: 'list', ...(tag !== undefined && { tag }) }, keys =>
        json || !process.stdout.isTTY ? asJson({ keys }) : keyTable(keys as KeyRow[]),
      ),
    );
  question('show', 'one key', 'show 7')
    .argument('<id>', 'number of the key', id)
    .action((id, _flags, command: Command) => runSharedJob(command, { verb: 'keys', action: 'show', id }));
  withSettings(change('update', 'change settings; --no-… takes one away', 'update 7 --rate 100 --no-expires'), true)
    .argument('<id>', 'number of the key', id)
    .option('--force', 'also if the key is revoked')
    .action(async (id, flags, command: Command) => {
      const settings = settingsOf(flags);
      if (Object.keys(settings).length === 0) command.error('error: name at least one setting to change');
      await runSharedJob(command, { verb: 'keys', action: 'update', id, settings, ...forced(flags) });
    });
  change('revoke', 'end a key for good', 'revoke 7')
    .argument('<id>', 'number of the key', id)
    .action((id, _flags, command: Command) => runSharedJob(command, { verb: 'keys', action: 'revoke', id }));
  change(
    'rotate',
    'give the holder another key, shown only now; the old one works on for a while',
    'rotate 7 --overlap 7d',
  )
    .argument('<id>', 'number of the key', id)
    .option('--overlap <time>', 'how long the old key works: 90m, 12h, 7d, or 0 to end it now', span, span('7d'))
    .option('--force', 'also if the key before the old one still works, which ends then')
    .action((id, { overlap, ...flags }, command: Command) =>
      runSharedJob(command, { verb: 'keys', action: 'rotate', id, overlapSeconds: overlap, ...forced(flags) }),
    );
  change('credit', 'add prepaid requests', 'credit 7 50000')
    .argument('<id>', 'number of the key', id)
    .argument('<credits>', 'how many to add', wholeNumber(1, CREDITS_MAX))
    .option('--force', 'also if the key is revoked, or has no limit of credits and would become prepaid')
    .action((id, credits, flags, command: Command) =>
      runSharedJob(command, { verb: 'keys', action: 'credit', id, credits, ...forced(flags) }),
    );
}

/** Adds the verb for tenants and its actions. */
export function addTenants(program: Command): void {
  const verb = program.command('tenants').description('tokens of the admin interface for the keys of one tag');
  const change = (action: 'create' | 'remove', description: string, example: string) =>
    withJobOptions(verb.command(action), true)
      .description(description)
      .argument('<tag>', 'tag of the tenant', (text: string) => listOf(readTag, 'a tag')(text)[0])
      .addHelpText('after', `\nExample:\n  sextant tenants ${action} ${example}`);
  const create = change(
    'create',
    'give a tenant a token, shown only now; one that it has ends',
    'acme --keys 20 --credits 100000 --storage-mb 500',
  );
  for (const [flags, help, , read] of CAPS)
    create.option(flags, help, read!).option(flags.replace(/^--(\S+).*/, '--no-$1'), 'takes it away');
  create.action((tag: string, flags, command: Command) =>
    runSharedJob(command, { verb: 'tenants', action: 'create', tag, caps: typed<CapSettings>(CAPS, flags) }),
  );
  change('remove', 'end the token of a tenant; its keys stay', 'acme').action((tag: string, _flags, command: Command) =>
    runSharedJob(command, { verb: 'tenants', action: 'remove', tag }),
  );
  withFolderOptions(verb.command('list'), true)
    .description('tags of all tenants')
    .addHelpText('after', '\nExample:\n  sextant tenants list')
    .action((_flags, command: Command) => runSharedJob(command, { verb: 'tenants', action: 'list' }));
}

function forced(flags: { force?: true }): { force?: true } {
  return flags.force ? { force: true } : {};
}

function withSettings(command: Command, removable: boolean): Command {
  for (const [flags, help, , read] of SETTINGS) {
    if (read === undefined) command.option(flags, help);
    else command.option(flags, help, read);
    if (removable) command.option(flags.replace(/^--(\S+).*/, '--no-$1'), 'takes it away');
  }
  return command;
}

function settingsOf(flags: Record<string, unknown>): KeySettings {
  return typed(SETTINGS, flags);
}

/** What was typed. `false` for what has a value comes from `--no-…`, which removes the value. */
function typed<T>(rows: readonly Row<T>[], flags: Record<string, unknown>): T {
  const settings: Record<string, unknown> = {};
  for (const [usage, , member, read] of rows) {
    const flag = /^--(\S+)/.exec(usage)![1].replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (flags[flag] !== undefined)
      settings[member as string] = read !== undefined && flags[flag] === false ? null : flags[flag];
  }
  return settings as T;
}

/** What the table shows of a key. */
interface KeyRow {
  id: number;
  name?: string;
  credits?: number;
  rate?: number;
  expires?: string;
  revoked: boolean;
}

const HEADS = ['id', 'name', 'credits', 'rate', 'expires', 'state'];
/** Columns of numbers, which are aligned to the right. */
const NUMBERS = new Set(['id', 'credits', 'rate']);

/** A line for each key, under one of heads. */
export function keyTable(keys: readonly KeyRow[]): string {
  const today = new Date().toISOString().slice(0, 10);
  const rows = [HEADS, ...keys.map(key => cellsOf(key, today))];
  const widths = HEADS.map((_, column) => Math.max(...rows.map(row => row[column].length)));
  const align = (text: string, column: number) =>
    NUMBERS.has(HEADS[column]) ? text.padStart(widths[column]) : text.padEnd(widths[column]);
  return `${rows.map(row => row.map(align).join('  ').trimEnd()).join('\n')}\n`;
}

function cellsOf({ id, name = '', credits, rate, expires, revoked }: KeyRow, today: string): string[] {
  const state = revoked ? 'revoked' : expires !== undefined && expires < today ? 'expired' : 'valid';
  return [
    `${id}`,
    escapeMarks(name),
    credits?.toLocaleString('en') ?? 'unlimited',
    rate?.toString() ?? '-',
    expires ?? '-',
    state,
  ];
}
