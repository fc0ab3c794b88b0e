// `sextant keys`: manages the accounts behind the keys.

import type { Command } from 'commander';
import { withFolderOptions, withJobOptions } from '../config.ts';
import type { CapSettings, KeySettings } from '../jobs/job.ts';
import { ACCOUNT_ID_MAX } from '../tables/accounts/account_record.ts';
import { CREDITS_MAX, readTag, SETTING_ROWS, type Setting } from '../tables/accounts/key_settings.ts';
import { TENANT_CAPS } from '../tables/accounts/rows.ts';
import { dayToCome, decimal, listOf, name, span, wholeNumber } from './arguments.ts';
import { asJson, runSharedJob } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

/** A flag that sets a member. */
type Flag<T> = [flags: string, help: string, member: keyof T, read: ((text: string) => unknown) | undefined];

const SETTINGS: Flag<KeySettings>[] = SETTING_ROWS.map(([member, { shownAs = member, shape = '', help, ...row }]) => [
  flagOf(shownAs, shape),
  help,
  member,
  readerOf(row),
]);

/** What the keys of a tenant may take together. */
const CAPS = Object.entries(TENANT_CAPS).map(
  ([member, { shape, help, most }]): Flag<CapSettings> => [
    flagOf(member, shape),
    help,
    member as keyof CapSettings,
    wholeNumber(0, most),
  ],
);

/** Adds the verb and its actions. */
export function addKeys(program: Command): void {
  const verb = program.command('keys').description('make and change keys; prints one JSON object');
  const described = (command: Command, description: string, example: string) =>
    command.description(description).addHelpText('after', `\nExample:\n  sextant keys ${example}`);
  const question = (usage: string, ...text: [string, string]) =>
    described(withFolderOptions(verb.command(usage), true), ...text);
  const change = (usage: string, ...text: [string, string]) =>
    described(withJobOptions(verb.command(usage), true), ...text);
  const id = wholeNumber(1, ACCOUNT_ID_MAX);

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

/** `storageMb` as `--storage-mb <MB>`. */
function flagOf(name: string, shape: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)} ${shape}`.trim();
}

/** What reads the value of a setting; none for one that is on or off. */
function readerOf({ values, entry, must }: Pick<Setting<unknown>, 'values' | 'entry' | 'must'>): Flag<unknown>[3] {
  const { type, format, minimum, maximum } = values;
  switch (type) {
    case 'boolean':
      return undefined;
    case 'integer':
      return wholeNumber(Number(minimum), Number(maximum));
    case 'number':
      return decimal(Number(minimum), Number(maximum));
    case 'array':
      return listOf(entry!, must!);
    case 'string':
      return format === 'date' ? dayToCome : name;
  }
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
function typed<T>(rows: readonly Flag<T>[], flags: Record<string, unknown>): T {
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
