// One setting: its flag, its variable, its member of the configuration file, and how its value is found. A flag wins
// over its variable, that over the file, and that over the default. The table of settings is in config.ts.
//
// Flag and variable are one option of commander, which prefers the flag and says which of the two it took. We add four
// things that commander cannot do: an empty variable counts as not set, a file stands behind both, a default may depend
// on another setting, and an error message names the flag, the variable or the member that was wrong.

import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { nearestName, readMembers } from './file.ts';
import { path } from './values.ts';

/** What the names of all variables begin with. */
export const VARIABLE_PREFIX = 'SEXTANT_';

/** A mistake in a flag, a variable or the configuration file; the message names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A row of the table. */
interface Setting<T> {
  /** Name without the leading dashes; the variable is `SEXTANT_` and the same in capitals. */
  flag: string;
  /** Placeholder of the value in the help. */
  shape: string;
  help: string;
  /** Default text, which may depend on the texts of the rows above; `undefined` = not set. */
  fallback(earlier: Readonly<Record<string, string | undefined>>): string | undefined;
  /** Reads the text. Throws an Error whose message follows the name of the flag or variable. */
  parse(text: string): T;
  /** Never printed. */
  secret?: true;
  /** The flag takes no value: it means `true`. A variable says true or false. */
  isSwitch?: true;
  /** In the configuration file, it is relative to the folder of that file. */
  isPath?: true;
}

/** Rows of the table, by the members of the configuration. */
export type Rows = Readonly<Record<string, Setting<unknown>>>;
/** What the rows read. */
export type Values<R extends Rows> = { readonly [K in keyof R]: ReturnType<R[K]['parse']> };

/** The options that commander has read; of a command that parsed nothing, those set by hand. */
export type Options = Pick<Command, 'getOptionValue' | 'getOptionValueSource'>;

/** A row with a default. */
export function setting<T>(
  flag: string,
  shape: string,
  help: string,
  fallback: string | Setting<T>['fallback'],
  parse: (text: string) => T,
): Setting<T> {
  return { flag, shape, help, fallback: typeof fallback === 'string' ? () => fallback : fallback, parse };
}

/** A row that may be unset. */
export function optional<T>(
  flag: string,
  shape: string,
  help: string,
  parse: (text: string) => T,
): Setting<T | undefined> {
  return { flag, shape, help, fallback: () => undefined, parse };
}

/** A row that may be unset, and is never printed. */
export function optionalSecret<T>(...row: Parameters<typeof optional<T>>): Setting<T | undefined> & { secret: true } {
  return { ...optional(...row), secret: true };
}

/** A row with a path that may be unset. */
export function optionalPath(flag: string, shape: string, help: string): Setting<string | undefined> {
  return { ...optional(flag, shape, help, path), isPath: true };
}

/** A row that is off until its flag is given. */
export function switchSetting<T>(flag: string, help: string, parse: (text: string) => T) {
  return { ...setting(flag, '', help, 'false', parse), isSwitch: true as const };
}

/** The setting that names the configuration file. */
export const configFile = optionalPath(
  'config',
  '<file>',
  'JSON file with settings under the names of their flags; flags and variables go before it',
);

/**
 * The values, and what each error message calls them.
 * @param known all settings there are: a configuration file may hold those of other verbs too
 * @throws ConfigError that names the invalid flag, variable or member
 */
export function parsed<R extends Rows>(
  rows: R,
  known: Rows,
  options: Options,
): { values: Values<R>; names: Readonly<Record<string, string>> } {
  const values: Record<string, unknown> = {};
  const names: Record<string, string> = {};
  for (const [member, row, { text, name }] of resolved(rows, known, options)) {
    names[member] = name;
    try {
      values[member] = text === undefined ? undefined : row.parse(text);
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}${row.secret ? '' : `, not "${text}"`}.`);
    }
  }
  return { values: values as Values<R>, names };
}

/** A setting as it is shown: a number, a switch or a text, and `null` where there is none. */
export interface ShownSetting {
  /** As its flag without dashes. */
  name: string;
  value: string | number | boolean | null;
  /** What it is where nobody sets it. */
  default: string | number | boolean | null;
  from: 'flag' | 'environment' | 'file' | 'default';
}

/** The settings as they are. A secret is only said to be there. @throws ConfigError as `resolved` */
export function shownSettings(rows: Rows, options: Options): ShownSetting[] {
  return [...resolved(rows, rows, options)].map(([, row, { text, source, fallback }]) => {
    return { name: row.flag, value: shown(row, text), default: shown(row, fallback), from: source };
  });
}

function shown(row: Setting<unknown>, text: string | undefined): ShownSetting['value'] {
  if (text === undefined) return null;
  if (row.secret) return '(secret)';
  if (row.isSwitch) return text === 'true';
  const value = row.parse(text);
  return typeof value === 'number' || typeof value === 'string' ? value : text;
}

/** The text of a setting, and what it is where nobody sets it. */
type Resolved = Given & { fallback: string | undefined };
type Given = { text: string | undefined; source: ShownSetting['from']; name: string };

/**
 * The text of each setting, where it comes from, and what an error message calls it. @throws ConfigError when the
 * configuration file cannot be used
 */
export function* resolved(rows: Rows, known: Rows, options?: Options): Generator<[string, Setting<unknown>, Resolved]> {
  const earlier: Record<string, string | undefined> = {};
  const file = fileOf(known, options);
  for (const [member, row] of Object.entries(rows)) {
    const fallback = row.fallback(earlier);
    const found = given(row, options) ??
      inFile(row, file) ?? { text: fallback, source: 'default', name: variableOf(row) };
    earlier[member] = found.text;
    yield [member, row, { ...found, fallback }];
  }
}

/** What a flag or a variable says. */
function given(row: Setting<unknown>, options: Options | undefined): Given | undefined {
  const option = new Option(`--${row.flag}`).attributeName();
  const source = options?.getOptionValueSource(option);
  const text = row.isSwitch ? switchText(row, source) : options?.getOptionValue(option);
  if (text === undefined || (source === 'env' && text === '')) return undefined;
  return source === 'env'
    ? { text, source: 'environment', name: variableOf(row) }
    : { text, source: 'flag', name: `--${row.flag}` };
}

/** A configuration file: its path, and the text of each member. */
type SettingsFile = { path: string; members: ReadonlyMap<string, string> };

function inFile(row: Setting<unknown>, file: SettingsFile | undefined): Given | undefined {
  const text = file?.members.get(row.flag);
  if (file === undefined || text === undefined) return undefined;
  return {
    text: row.isPath && text !== '' && !/^https?:\/\//.test(text) ? resolve(dirname(file.path), text) : text,
    source: 'file',
    name: `"${row.flag}" in ${file.path}`,
  };
}

/** The configuration file that flag or variable name. */
function fileOf(known: Rows, options: Options | undefined): SettingsFile | undefined {
  const text = given(configFile, options)?.text;
  if (!text) return undefined; // an empty one is refused with the other settings
  const file = path(text);
  const names = Object.values(known).flatMap(({ flag }) => (flag === configFile.flag ? [] : [flag]));
  try {
    const members = readMembers(file);
    for (const member of members.keys())
      if (!names.includes(member))
        throw new Error(`it has a member "${member}", which is no setting.${suggestion(member, names)}`);
    return { path: file, members };
  } catch (error) {
    throw new ConfigError(`The configuration file ${file} cannot be used: ${(error as Error).message}`);
  }
}

/** The question whether another name was meant, as a sentence to append; empty if none is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** What a switch was given. commander keeps of its variable only that there is one. */
function switchText(row: Setting<unknown>, source: string | undefined): string | undefined {
  if (source === 'env') return process.env[variableOf(row)];
  return source === 'cli' ? 'true' : undefined;
}

/** The name of the variable of a setting. */
export function variableOf(row: Setting<unknown>): string {
  return `${VARIABLE_PREFIX}${row.flag.toUpperCase().replaceAll('-', '_')}`;
}
