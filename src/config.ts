// The configuration: one table of settings, read once at start and passed on as a value. Each setting is a flag (`--http-threads`) and a variable of the
// environment whose name follows from the flag (`SEXTANT_HTTP_THREADS`); the flag goes before the variable, the variable before the default, and an
// empty variable counts as not set. Checks, the help of the command line and the printed configuration all come from the table.

import { isIP, isIPv4, isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

/** When a write counts as done: after its commit, or also after its flush to the disk. */
export type Durability = 'commit' | 'flush';

/** How long raw observations are kept: that many days, or until they are aggregated. */
export type Retention = 'forever' | 'aggregated' | number;

/** A mistake in a flag or a variable; the message is one sentence that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

interface Setting<T> {
  /** Without the leading dashes; the variable is `SEXTANT_` and the same in capitals. */
  flag: string;
  /** What stands for the value in the help. */
  shape: string;
  help: string;
  /** Text to read where nothing is given, from the texts of the rows above; `undefined` = not set. */
  fallback(earlier: Readonly<Record<string, string | undefined>>): string | undefined;
  /** Throws an Error whose message continues the name of the flag or variable. */
  parse(text: string): T;
  /** Needed by every verb, not by `serve` alone. */
  everyVerb?: true;
  /** Never printed. */
  secret?: true;
}

const HTTP_THREADS_DEFAULT_MAX = 8; // a guess at where sharing one port stops to pay; more can be asked for
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const SUBNET_NAMES = ['loopback', 'linklocal', 'uniquelocal']; // known to Fastify's trustProxy

// In the order in which they are printed.
const SETTINGS = {
  host: setting('host', '<address>', 'address to listen on; all but loopback need a certificate or --trust-proxy', '127.0.0.1', hostName),
  port: setting('port', '<number>', 'port to listen on, 0..65535; 0 takes any free one', '8080', wholeNumber(0, 65_535)),
  dataFolder: everyVerb(setting('data', '<folder>', 'data folder, made when missing', 'var', path)),
  httpThreads: setting('http-threads', '<number>', 'threads that answer HTTP, 1..64', coresBeside, wholeNumber(1, 64)),
  workers: setting(
    'workers',
    '<number>',
    'compute workers over all pools, at least one an HTTP thread, up to 512',
    sameAsThreads,
    wholeNumber(1, 512),
  ),
  compute: setting('compute', '<where>', 'where positions are computed: auto, pool or inline', 'auto', oneOf('auto', 'pool', 'inline')),
  cacheMegabytes: setting('cache-mb', '<MB>', 'station cache, 1..65536; 64 hold 1.5 million stations', '64', wholeNumber(1, 65_536)),
  logMegabytes: setting(
    'log-mb',
    '<MB>',
    'request log on disk, 1..1048576; the oldest are dropped first',
    '1024',
    wholeNumber(1, 1_048_576),
  ),
  sync: everyVerb(setting('sync', '<when>', 'what acknowledges a write: commit, or flush to the disk', 'commit', oneOf('commit', 'flush'))),
  keepObservations: setting(
    'keep-observations',
    '<time>',
    'how long raw observations are kept: forever, days (1..36500), or aggregated',
    'forever',
    retention,
  ),
  agreement: setting('agreement', '<keys>', 'keys that must agree on a new station before lookups use it, 1 or 2', '2', wholeNumber(1, 2)),
  contributionCredits: setting(
    'contribution-credits',
    '<number>',
    'credits that a prepaid contributor earns for each new report, 0..1000',
    '1',
    wholeNumber(0, 1000),
  ),
  maxBodyMegabytes: setting('max-body-mb', '<MB>', 'largest request body once inflated, 1..1024', '8', wholeNumber(1, 1024)),
  tlsCertificateFile: optional('tls-cert', '<file>', 'certificate chain for HTTPS, PEM', path),
  tlsKeyFile: optional('tls-key', '<file>', 'private key of the certificate, PEM', path),
  trustProxy: optional('trust-proxy', '<addresses>', 'proxies that end HTTPS: addresses, subnets, or true for any', proxies),
  anonymousKey: {
    ...optional('anonymous-key', '<key>', 'key that requests without one act under; they are refused without', key),
    secret: true as const,
  },
  logLevel: setting('log-level', '<level>', LOG_LEVELS.join(', '), 'info', oneOf(...LOG_LEVELS)),
};

type Settings = typeof SETTINGS;

/**
 * The effective configuration. Megabytes are 2^20 bytes and paths absolute. `trustProxy` is `true` for any proxy, or a list of addresses, subnets in
 * CIDR notation and the names `loopback`, `linklocal`, `uniquelocal`.
 */
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> };

/** Values of flags as the command line has them: by the flag in camel case, all texts. */
export type Flags = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from flags, environment and defaults.
 * @throws ConfigError naming the flag or variable that cannot be right
 */
export function readConfig(flags: Flags, environment: Environment = process.env): Config {
  const config: Record<string, unknown> = {};
  const named: Record<string, string> = {};
  for (const [member, row, { text, name }] of resolved(flags, environment)) {
    named[member] = name;
    try {
      config[member] = text === undefined ? undefined : row.parse(text);
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}${row.secret ? '' : `, not "${text}"`}.`);
    }
  }
  const read = config as Config;
  if (read.workers < read.httpThreads) {
    throw new ConfigError(`${named.workers} must be at least the number of HTTP threads, ${read.httpThreads}, not ${read.workers}.`);
  }
  if ((read.tlsCertificateFile === undefined) !== (read.tlsKeyFile === undefined)) {
    throw new ConfigError('HTTPS needs both --tls-cert and --tls-key (SEXTANT_TLS_CERT and SEXTANT_TLS_KEY); only one of them is set.');
  }
  return read;
}

/** Refuses to carry keys and surroundings in the clear over a network. @throws Error with the ways out */
export function requireSafeBinding(config: Config): void {
  if (isLoopback(config.host) || config.tlsKeyFile !== undefined || config.trustProxy !== undefined) return;
  throw new Error(
    `Listening on ${config.host} without HTTPS would send keys in the clear: give --tls-cert and --tls-key, or --trust-proxy when a proxy ends HTTPS, or listen on 127.0.0.1.`,
  );
}

/** One flag in the form that the command line declares it, with its help. */
export interface FlagDescription {
  /** For example `--port <number>`. */
  flags: string;
  help: string;
}

/** The flags of `serve`, or of all other verbs. */
export function describeFlags(verb: 'serve' | 'other'): FlagDescription[] {
  return [...resolved({}, {})]
    .filter(([, row]) => verb === 'serve' || row.everyVerb)
    .map(([, row, { text }]) => ({
      flags: `--${row.flag} ${row.shape}`,
      help: `${row.help} (${text === undefined ? '' : `default ${text}; `}${variableOf(row)})`,
    }));
}

/** The effective configuration as lines `SEXTANT_PORT=8080 (default)`; secrets are told only to be set. */
export function describeConfig(flags: Flags, environment: Environment = process.env): string[] {
  return [...resolved(flags, environment)]
    .filter(([, , { text }]) => text !== undefined)
    .map(([, row, { text, source }]) => `${variableOf(row)}=${row.secret ? '(secret)' : text} (${source})`);
}

type Resolved = { text: string | undefined; name: string; source: 'flag' | 'environment' | 'default' };

function* resolved(flags: Flags, environment: Environment): Generator<[string, Setting<unknown>, Resolved]> {
  const earlier: Record<string, string | undefined> = {};
  for (const [member, row] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const flag = flags[row.flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    const variable = environment[variableOf(row)];
    let found: Resolved;
    if (flag !== undefined) found = { text: String(flag), name: `--${row.flag}`, source: 'flag' };
    else if (variable) found = { text: variable, name: variableOf(row), source: 'environment' };
    else found = { text: row.fallback(earlier), name: variableOf(row), source: 'default' };
    earlier[member] = found.text;
    yield [member, row, found];
  }
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

function everyVerb<T>(row: Setting<T>): Setting<T> {
  return { ...row, everyVerb: true };
}

/** One core is left to the writer and the workers. */
function coresBeside(): string {
  return String(Math.max(1, Math.min(HTTP_THREADS_DEFAULT_MAX, availableParallelism() - 1)));
}

function sameAsThreads(earlier: Readonly<Record<string, string | undefined>>): string | undefined {
  return earlier.httpThreads;
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < least || value > most) throw new Error(`must be a whole number from ${least} to ${most}`);
    return value;
  };
}

function retention(text: string): Retention {
  const days = Number(text);
  if (/^\d{1,5}$/.test(text) && days >= 1 && days <= 36_500) return days;
  if (text === 'forever' || text === 'aggregated') return text;
  throw new Error('must be forever, aggregated, or a number of days from 1 to 36500');
}

function oneOf<const T extends string>(...values: T[]): (text: string) => T {
  return text => {
    const found = values.find(value => value === text);
    if (found === undefined) throw new Error(`must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
    return found;
  };
}

function path(text: string): string {
  if (text === '' || text.includes('\0')) throw new Error('must be a path');
  return resolve(text);
}

function hostName(text: string): string {
  if (isIP(text) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) throw new Error('must be an address or a host name');
  return text;
}

function key(text: string): string {
  if (!/^\S{1,200}$/.test(text)) throw new Error('must be a key, without spaces');
  return text;
}

function proxies(text: string): true | string[] | undefined {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return undefined;
  const entries = text.split(',').map(entry => entry.trim());
  if (!entries.every(isSubnet))
    throw new Error('must be true, false, or addresses and subnets with commas between (10.0.0.0/8,192.168.1.5)');
  return entries;
}

function isSubnet(entry: string): boolean {
  const [address, bits, more] = entry.split('/');
  if (SUBNET_NAMES.includes(entry)) return true;
  if (more !== undefined || isIP(address) === 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128));
}

function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.');
  return host.toLowerCase() === 'localhost' || (isIPv6(host) && /^(0{0,4}:){1,7}0{0,3}1$/.test(host));
}
