// The configuration: one table of settings, read once at start and passed on as a value. Each setting is a flag
// (`--http-threads`), an environment variable whose name follows from the flag (`SEXTANT_HTTP_THREADS`), and a member
// of the configuration file (`"http-threads"`). Checks, the help of the command line and the printed configuration all
// come from the table.

import { isDeepStrictEqual } from 'node:util';
import { type Command, Help, Option } from 'commander';
import { CLUSTER_ADDRESS, CLUSTER_SETTINGS, requireClusterSettings } from './config/cluster_settings.ts';
import { dialects } from './config/dialects.ts';
import { IMPORT_SETTINGS } from './config/import_setting.ts';
import { otherMap } from './config/map_setting.ts';
import {
  ConfigError,
  configFile,
  type Options,
  optional,
  optionalPath,
  optionalSecret,
  parsed,
  type Rows,
  resolved,
  type ShownSetting,
  setting,
  shownSettings,
  suggestion,
  switchSetting,
  VARIABLE_PREFIX,
  type Values,
  variableOf,
} from './config/setting.ts';
import { SIZE_SETTINGS } from './config/size_settings.ts';
import {
  adminAddress,
  collectorUrl,
  fastLane,
  hostName,
  key,
  listenAddress,
  oneOf,
  path,
  percent,
  proxies,
  retention,
  serviceUrl,
  switched,
  wholeNumber,
} from './config/values.ts';

/** When a write counts as done: after its commit, or also after its flush to the disk. */
export type Durability = 'commit' | 'flush';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
// Settings of every verb, and of the verbs that write; the others are only for `serve`.
const dataFolder = {
  ...setting('data', '<folder>', 'data folder, made when missing', 'var', path),
  isPath: true as const,
};
const sync = setting(
  'sync',
  '<when>',
  'what acknowledges a write: commit, or flush to the disk',
  'commit',
  oneOf('commit', 'flush'),
);
const FOLDER_SETTINGS = { configFile, dataFolder };
const JOB_SETTINGS = { ...FOLDER_SETTINGS, sync };
const ADDRESS_SETTINGS = { configFile, ...CLUSTER_ADDRESS };

// In the order in which they are printed.
const SETTINGS = {
  configFile,
  host: setting(
    'host',
    '<address>',
    'address to listen on; all but loopback need a certificate or --trust-proxy',
    '127.0.0.1',
    hostName,
  ),
  port: setting(
    'port',
    '<number>',
    'port to listen on, 0..65535; 0 takes any free one',
    '8080',
    wholeNumber(0, 65_535),
  ),
  dataFolder,
  ...IMPORT_SETTINGS,
  ...SIZE_SETTINGS,
  logMegabytes: setting(
    'log-mb',
    '<MB>',
    'request log on disk, 1..1048576; the oldest go first',
    '1024',
    wholeNumber(1, 1_048_576),
  ),
  logRequests: setting(
    'log-requests',
    '<what>',
    'what the request log keeps: all, reduced (no queries, bodies and answers, devices hashed) or none',
    'all',
    oneOf('all', 'reduced', 'none'),
  ),
  maxConnections: setting(
    'max-connections',
    '<number>',
    'connections at a time, 1..1000000',
    '10000',
    wholeNumber(1, 1_000_000),
  ),
  sync,
  keepObservations: setting(
    'keep-observations',
    '<time>',
    'how long raw observations are kept: forever, days (1..36500), or aggregated: until they are learned',
    'forever',
    retention,
  ),
  agreement: setting(
    'agreement',
    '<keys>',
    'keys that must agree on a new station before lookups use it, 1 or 2; one trusted key is enough',
    '2',
    wholeNumber(1, 2),
  ),
  loneBeacons: setting(
    'lone-beacons',
    '<which>',
    'which beacons place a device alone: trusted (imported, or reported by a trusted key), all or none',
    'trusted',
    oneOf('trusted', 'all', 'none'),
  ),
  calibrate: setting(
    'calibrate',
    '<on|off>',
    'whether reports are tested before they are learned, and radii corrected by that: on or off',
    'on',
    oneOf('on', 'off'),
  ),
  contributionCredits: setting(
    'contribution-credits',
    '<number>',
    'credits that a prepaid contributor earns for a report that is confirmed, 0..1000',
    '1',
    wholeNumber(0, 1000),
  ),
  maxContributionCredits: setting(
    'max-contribution-credits',
    '<number>',
    'credits that a contributor earns in a day (UTC), at most, 0..1000000',
    '1000',
    wholeNumber(0, 1_000_000),
  ),
  maxBodyMegabytes: setting(
    'max-body-mb',
    '<MB>',
    'largest request body once inflated, 1..1024',
    '8',
    wholeNumber(1, 1024),
  ),
  dialects: setting(
    'dialects',
    '<names>',
    'interfaces of other services to answer: all, none, or names with commas between them',
    'all',
    dialects,
  ),
  fastLane: switchSetting(
    'no-fast-lane',
    'send every request through Fastify, for example to locate a problem',
    fastLane,
  ),
  tlsCertificateFile: optionalPath('tls-cert', '<file>', 'certificate chain for HTTPS, PEM'),
  tlsKeyFile: optionalPath('tls-key', '<file>', 'private key of the certificate, PEM'),
  trustProxy: optional(
    'trust-proxy',
    '<addresses>',
    'proxies that end HTTPS: addresses, subnets, or true for any',
    proxies,
  ),
  metrics: optional(
    'metrics',
    '<address>',
    'address and port for metrics of Prometheus, such as 127.0.0.1:9464; without it there are none',
    listenAddress,
  ),
  otlp: optional('otlp', '<url>', 'collector of OpenTelemetry that gets traces and metrics over OTLP', collectorUrl),
  traceShare: setting(
    'trace-share',
    '<percent>',
    'requests of 100 that are traced with --otlp, 0..100, also parts such as 0.1',
    '1',
    percent,
  ),
  anonymousKey: optionalSecret(
    'anonymous-key',
    '<key>',
    'key for requests that send none; without it they are refused',
    key,
  ),
  backupFolder: optionalPath(
    'backup-folder',
    '<folder>',
    'where the admin interface puts backups, a folder a day; without it, it makes none',
  ),
  geoipFile: optionalPath('geoip', '<file>', 'database of where addresses are, in the form of MaxMind (.mmdb)'),
  map: otherMap,
  hookForward: optionalSecret(
    'hook-forward',
    '<url>',
    'address that gets the positions of webhooks, as JSON by POST',
    serviceUrl,
  ),
  upstream: optionalSecret(
    'upstream',
    '<url>',
    'service like Google’s geolocation, asked where nothing is found, for keys that may: its address, with its key',
    serviceUrl,
  ),
  ...CLUSTER_SETTINGS,
  admin: setting(
    'admin',
    '<address:port>',
    'console and admin interface: address:port; auto: 127.0.0.1 and the first free port after --port; or off',
    'auto',
    adminAddress,
  ),
  console: setting(
    'console',
    '<who>',
    'private: the console is at --admin alone; public: its views Try, Map and Coverage are also at --host, for all',
    'private',
    oneOf('private', 'public'),
  ),
  adminReadToken: switchSetting(
    'admin-read-token',
    'a second token for both, which only reads, in the file admin_read.token',
    switched,
  ),
  logFormat: setting(
    'log-format',
    '<form>',
    'form of the log of the service: json or text',
    'json',
    oneOf('json', 'text'),
  ),
  logFile: optional('log-file', '<file>', 'file for that log; without it, standard error', path),
  accessLog: setting(
    'access-log',
    '<form>',
    'a line for each request: off, text or json',
    'off',
    oneOf('off', 'text', 'json'),
  ),
  accessLogFile: optional('access-log-file', '<file>', 'file for those lines; without it, standard output', path),
  logLevel: setting('log-level', '<level>', LOG_LEVELS.join(', '), 'info', oneOf(...LOG_LEVELS)),
};

/**
 * The effective configuration. Megabytes are 2^20 bytes and paths absolute. `trustProxy` is `true` for any proxy, or a
 * list of addresses, subnets in CIDR notation and the names `loopback`, `linklocal`, `uniquelocal`.
 */
export type Config = Values<typeof SETTINGS>;

/** Settings that a running service takes over when it reads its configuration again; the others need a restart. */
const CHANGEABLE: ReadonlySet<string> = new Set<keyof Config>([
  'logMegabytes',
  'logRequests',
  'keepObservations',
  'contributionCredits',
  'maxContributionCredits',
  'maxBodyMegabytes',
  'anonymousKey',
  'logLevel',
]);

/** The part of the configuration that verbs other than `serve` read. */
type JobConfig = Values<typeof JOB_SETTINGS>;

/** Declares the settings of `serve`. */
export function withServiceOptions(command: Command): Command {
  return withOptions(command, SETTINGS);
}

/** Declares the settings of verbs that only read. @param asksCluster they may ask the servers of a cluster too */
export function withFolderOptions(command: Command, asksCluster = false): Command {
  return withOptions(command, asksCluster ? { ...FOLDER_SETTINGS, ...ADDRESS_SETTINGS } : FOLDER_SETTINGS);
}

/** Declares the settings of verbs that write. @param asksCluster they may ask the servers of a cluster too */
export function withJobOptions(command: Command, asksCluster = false): Command {
  return withOptions(command, asksCluster ? { ...JOB_SETTINGS, ...ADDRESS_SETTINGS } : JOB_SETTINGS);
}

/** Declares the settings of verbs that ask the servers of a cluster alone. */
export function withClusterOptions(command: Command): Command {
  return withOptions(command, ADDRESS_SETTINGS);
}

function withOptions(command: Command, rows: Rows): Command {
  // Our descriptions name the variable, and defaults that commander does not know.
  command.configureHelp({
    optionDescription: option =>
      option.envVar === undefined ? new Help().optionDescription(option) : option.description,
  });
  for (const [, row, { text }] of resolved(rows, SETTINGS)) {
    const help = `${row.help} (${text === undefined ? '' : `default ${text}; `}${variableOf(row)})`;
    command.addOption(new Option(`--${row.flag} ${row.shape}`.trim(), help).env(variableOf(row)));
  }
  return command;
}

/**
 * Reads the configuration of `serve` from flags, environment, file and defaults.
 * @throws ConfigError that names the invalid flag, variable or member
 */
export function readConfig(options: Options): Config {
  const { values, names } = parsed(SETTINGS, SETTINGS, options);
  if (values.workers < values.httpThreads) {
    throw new ConfigError(
      `${names.workers} must be at least the number of HTTP threads, ${values.httpThreads}, not ${values.workers}.`,
    );
  }
  if ((values.tlsCertificateFile === undefined) !== (values.tlsKeyFile === undefined)) {
    throw new ConfigError(
      'HTTPS needs both --tls-cert and --tls-key (SEXTANT_TLS_CERT and SEXTANT_TLS_KEY); only one of them is set.',
    );
  }
  requireClusterSettings(values);
  return values;
}

/** What a running service makes of its configuration as it is now. */
interface Takeover {
  /** What holds from here on. */
  config: Config;
  /** Flags of the settings that have changed. */
  changed: string[];
  /** Flags of those that have changed and need a restart. */
  waiting: string[];
}

/** Takes over what can change while the service runs. @param running what holds now @param next what was read again */
export function takeOver(running: Config, next: Config): Takeover {
  const rows = Object.entries(SETTINGS).filter(
    ([member]) => !isDeepStrictEqual(running[member as keyof Config], next[member as keyof Config]),
  );
  const flagsOf = (isChangeable: boolean) =>
    rows.filter(([member]) => CHANGEABLE.has(member) === isChangeable).map(([, { flag }]) => `--${flag}`);
  const taken = Object.fromEntries(Object.entries(next).filter(([member]) => CHANGEABLE.has(member)));
  return { config: { ...running, ...taken }, changed: flagsOf(true), waiting: flagsOf(false) };
}

/** Reads what the other verbs need. @throws ConfigError that names the invalid flag, variable or member */
export function readFolderConfig(options: Options): JobConfig {
  return parsed(JOB_SETTINGS, SETTINGS, options).values;
}

/** Reads where a cluster is. @throws ConfigError that names the invalid flag, variable or member */
export function readClusterConfig(options: Options): Values<typeof ADDRESS_SETTINGS> {
  return parsed(ADDRESS_SETTINGS, SETTINGS, options).values;
}

/**
 * A sentence for each variable that looks like a setting and is none. It is no mistake: Kubernetes gives every
 * container variables that are named after the services around it (`SEXTANT_SERVICE_HOST`).
 */
export function unknownVariables(): string[] {
  const known = Object.values(SETTINGS).map(variableOf);
  return Object.keys(process.env)
    .filter(name => name.startsWith(VARIABLE_PREFIX) && !known.includes(name))
    .map(name => `The variable ${name} is no setting and has no effect.${suggestion(name, known)}`);
}

/** The effective configuration of `serve` as lines `SEXTANT_PORT=8080 (default)`; a secret is shown only as set. */
export function describeConfig(options: Options): string[] {
  return [...resolved(SETTINGS, SETTINGS, options)]
    .filter(([, , { text }]) => text !== undefined)
    .map(([, row, { text, source }]) => `${variableOf(row)}=${row.secret ? '(secret)' : text} (${source})`);
}

/** The same as values, with those that nobody has set. */
export function listConfig(options: Options): ShownSetting[] {
  return shownSettings(SETTINGS, options);
}
