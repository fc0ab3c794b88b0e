// The configuration: one table of settings, read once at start and passed on as a value. Each setting is a flag (`--http-threads`) and an environment variable
// whose name follows from the flag (`SEXTANT_HTTP_THREADS`). Checks, the help of the command line and the printed configuration all come from the table.
//
// Flag and variable are one option of commander, which prefers the flag and says which of the two it took. We add three things that commander cannot do: an
// empty variable counts as not set, a default may depend on another setting, and an error message names the flag or the variable that was wrong.

import { availableParallelism } from 'node:os';
import { type Command, Help, Option } from 'commander';
import { fastLane, hostName, isLoopback, key, listenAddress, oneOf, path, proxies, retention, wholeNumber } from './config/values.ts';

/** When a write counts as done: after its commit, or also after its flush to the disk. */
export type Durability = 'commit' | 'flush';

/** A mistake in a flag or a variable; the message names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

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
}

const HTTP_THREADS_DEFAULT_MAX = 8; // a guess at where more threads on one port stop to help; more can be requested
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

// Settings of every verb; the others are only for `serve`.
const dataFolder = setting('data', '<folder>', 'data folder, made when missing', 'var', path);
const sync = setting('sync', '<when>', 'what acknowledges a write: commit, or flush to the disk', 'commit', oneOf('commit', 'flush'));
const FOLDER_SETTINGS = { dataFolder, sync };

// In the order in which they are printed.
const SETTINGS = {
  host: setting('host', '<address>', 'address to listen on; all but loopback need a certificate or --trust-proxy', '127.0.0.1', hostName),
  port: setting('port', '<number>', 'port to listen on, 0..65535; 0 takes any free one', '8080', wholeNumber(0, 65_535)),
  dataFolder,
  httpThreads: setting('http-threads', '<number>', 'threads that answer HTTP, 1..64', coresBeside, wholeNumber(1, 64)),
  workers: setting(
    'workers',
    '<number>',
    'query workers, and as many workers for tasks; at least one an HTTP thread, up to 512',
    sameAsThreads,
    wholeNumber(1, 512),
  ),
  compute: setting('compute', '<where>', 'where positions are computed: auto, pool or inline', 'auto', oneOf('auto', 'pool', 'inline')),
  cacheMegabytes: setting('cache-mb', '<MB>', 'station cache, 1..65536; 64 hold 1.5 million stations', '64', wholeNumber(1, 65_536)),
  logMegabytes: setting('log-mb', '<MB>', 'request log on disk, 1..1048576; the oldest go first', '1024', wholeNumber(1, 1_048_576)),
  maxMemoryMegabytes: optional('max-memory', '<MB>', 'most memory of the process, 1..1048576; no limit without', wholeNumber(1, 1_048_576)),
  sync,
  keepObservations: setting(
    'keep-observations',
    '<time>',
    'how long raw observations are kept: forever, days (1..36500), or aggregated',
    'forever',
    retention,
  ),
  agreement: setting('agreement', '<keys>', 'keys that must agree on a new station before lookups use it, 1 or 2', '2', wholeNumber(1, 2)),
  calibrate: setting('calibrate', '<on|off>', 'test what is learned, and correct radii by it: on or off', 'off', oneOf('on', 'off')),
  contributionCredits: setting(
    'contribution-credits',
    '<number>',
    'credits that a prepaid contributor earns for each new report, 0..1000',
    '1',
    wholeNumber(0, 1000),
  ),
  maxBodyMegabytes: setting('max-body-mb', '<MB>', 'largest request body once inflated, 1..1024', '8', wholeNumber(1, 1024)),
  fastLane: {
    ...setting('no-fast-lane', '', 'leave every request to Fastify: no short way for positions', 'false', fastLane),
    isSwitch: true as const,
  },
  tlsCertificateFile: optional('tls-cert', '<file>', 'certificate chain for HTTPS, PEM', path),
  tlsKeyFile: optional('tls-key', '<file>', 'private key of the certificate, PEM', path),
  trustProxy: optional('trust-proxy', '<addresses>', 'proxies that end HTTPS: addresses, subnets, or true for any', proxies),
  metrics: optional('metrics', '<address>', 'address and port for metrics of Prometheus, as 127.0.0.1:9090; none without', listenAddress),
  anonymousKey: {
    ...optional('anonymous-key', '<key>', 'key that requests without one act under; they are refused without', key),
    secret: true as const,
  },
  logLevel: setting('log-level', '<level>', LOG_LEVELS.join(', '), 'info', oneOf(...LOG_LEVELS)),
};

type Rows = Readonly<Record<string, Setting<unknown>>>;
type Values<R extends Rows> = { readonly [K in keyof R]: ReturnType<R[K]['parse']> };

/**
 * The effective configuration. Megabytes are 2^20 bytes and paths absolute. `trustProxy` is `true` for any proxy, or a list of addresses, subnets in
 * CIDR notation and the names `loopback`, `linklocal`, `uniquelocal`.
 */
export type Config = Values<typeof SETTINGS>;

/** The part of the configuration that verbs other than `serve` read. */
type FolderConfig = Values<typeof FOLDER_SETTINGS>;

/** The options that commander has read; of a command that parsed nothing, those set by hand. */
type Options = Pick<Command, 'getOptionValue' | 'getOptionValueSource'>;

/** Declares the settings of `serve`. */
export function withServiceOptions(command: Command): Command {
  return withOptions(command, SETTINGS);
}

/** Declares the settings of the other verbs. */
export function withFolderOptions(command: Command): Command {
  return withOptions(command, FOLDER_SETTINGS);
}

function withOptions(command: Command, rows: Rows): Command {
  // Our descriptions name the variable, and defaults that commander does not know.
  command.configureHelp({
    optionDescription: option => (option.envVar === undefined ? new Help().optionDescription(option) : option.description),
  });
  for (const [, row, { text }] of resolved(rows)) {
    const help = `${row.help} (${text === undefined ? '' : `default ${text}; `}${variableOf(row)})`;
    command.addOption(new Option(`--${row.flag} ${row.shape}`.trim(), help).env(variableOf(row)));
  }
  return command;
}

/**
 * Reads the configuration of `serve` from flags, environment and defaults.
 * @throws ConfigError that names the invalid flag or variable
 */
export function readConfig(options: Options): Config {
  const { values, names } = parsed(SETTINGS, options);
  if (values.workers < values.httpThreads) {
    throw new ConfigError(`${names.workers} must be at least the number of HTTP threads, ${values.httpThreads}, not ${values.workers}.`);
  }
  if ((values.tlsCertificateFile === undefined) !== (values.tlsKeyFile === undefined)) {
    throw new ConfigError('HTTPS needs both --tls-cert and --tls-key (SEXTANT_TLS_CERT and SEXTANT_TLS_KEY); only one of them is set.');
  }
  return values;
}

/** Reads what the other verbs need. @throws ConfigError that names the invalid flag or variable */
export function readFolderConfig(options: Options): FolderConfig {
  return parsed(FOLDER_SETTINGS, options).values;
}

/** Refuses to send keys and what devices hear over a network without encryption. @throws Error whose message names the ways out */
export function requireSafeBinding(config: Config): void {
  if (isLoopback(config.host) || config.tlsKeyFile !== undefined || config.trustProxy !== undefined) return;
  throw new Error(
    `Listening on ${config.host} without HTTPS would send keys in the clear: give --tls-cert and --tls-key, or --trust-proxy when a proxy ends HTTPS, or listen on 127.0.0.1.`,
  );
}

/** True if npm or npx has started this process. */
export const isStartedByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined;

/** The effective configuration of `serve` as lines `SEXTANT_PORT=8080 (default)`; a secret is shown only as set. */
export function describeConfig(options: Options): string[] {
  return [...resolved(SETTINGS, options)]
    .filter(([, , { text }]) => text !== undefined)
    .map(([, row, { text, source }]) => `${variableOf(row)}=${row.secret ? '(secret)' : text} (${source})`);
}

/** The values, and the flag or variable of each. */
function parsed<R extends Rows>(rows: R, options: Options): { values: Values<R>; names: Readonly<Record<string, string>> } {
  const values: Record<string, unknown> = {};
  const names: Record<string, string> = {};
  for (const [member, row, { text, source }] of resolved(rows, options)) {
    const name = source === 'flag' ? `--${row.flag}` : variableOf(row);
    names[member] = name;
    try {
      values[member] = text === undefined ? undefined : row.parse(text);
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}${row.secret ? '' : `, not "${text}"`}.`);
    }
  }
  return { values: values as Values<R>, names };
}

type Resolved = { text: string | undefined; source: 'flag' | 'environment' | 'default' };

function* resolved(rows: Rows, options?: Options): Generator<[string, Setting<unknown>, Resolved]> {
  const earlier: Record<string, string | undefined> = {};
  for (const [member, row] of Object.entries(rows)) {
    const option = new Option(`--${row.flag}`).attributeName();
    const isVariable = options?.getOptionValueSource(option) === 'env';
    const given = row.isSwitch ? switchText(row, options?.getOptionValueSource(option)) : options?.getOptionValue(option);
    const isSet = given !== undefined && !(isVariable && given === '');
    const text = isSet ? given : row.fallback(earlier);
    earlier[member] = text;
    yield [member, row, { text, source: !isSet ? 'default' : isVariable ? 'environment' : 'flag' }];
  }
}

/** What a switch was given. commander keeps of its variable only that there is one. */
function switchText(row: Setting<unknown>, source: string | undefined): string | undefined {
  if (source === 'env') return process.env[variableOf(row)];
  return source === 'cli' ? 'true' : undefined;
}

function variableOf(row: Setting<unknown>): string {
  return `SEXTANT_${row.flag.toUpperCase().replaceAll('-', '_')}`;
}

function setting<T>(
  flag: string,
  shape: string,
  help: string,
  fallback: string | Setting<T>['fallback'],
  parse: (text: string) => T,
): Setting<T> {
  return { flag, shape, help, fallback: typeof fallback === 'string' ? () => fallback : fallback, parse };
}

function optional<T>(flag: string, shape: string, help: string, parse: (text: string) => T): Setting<T | undefined> {
  return { flag, shape, help, fallback: () => undefined, parse };
}

/** One core is left for the writer and the workers. */
function coresBeside(): string {
  return String(Math.max(1, Math.min(HTTP_THREADS_DEFAULT_MAX, availableParallelism() - 1)));
}

function sameAsThreads(earlier: Readonly<Record<string, string | undefined>>): string | undefined {
  return earlier.httpThreads;
}
