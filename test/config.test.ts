import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, type Option } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bodyRoom } from '../src/api/body_memory.ts';
import { requireSafeBinding } from '../src/commands/service/prepare_service.ts';
import { DIALECTS } from '../src/config/dialects.ts';
import { ConfigError } from '../src/config/setting.ts';
import type { Config } from '../src/config.ts';
import * as configuration from '../src/config.ts';
import { temporaryFolder } from './kits/temporary_folder.ts';

/** Flags of `serve` in camel case, and variables. */
type Flags = Readonly<Record<string, string>>;
type Variables = Readonly<Record<string, string>>;

afterEach(() => void vi.unstubAllEnvs());

/** The command as it is when `sextant serve` was called with these. */
function serve(flags: Flags, variables: Variables): Command {
  for (const name of Object.keys(process.env)) if (name.startsWith('SEXTANT_')) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const words = Object.entries(flags).map(
    ([name, value]) => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}=${value}`,
  );
  return configuration.withServiceOptions(new Command()).parse(words, { from: 'user' });
}

function readConfig(flags: Flags, variables: Variables): Config {
  return configuration.readConfig(serve(flags, variables));
}

function describeConfig(flags: Flags, variables: Variables): string[] {
  return configuration.describeConfig(serve(flags, variables));
}

/** Options as the help shows them. */
function describeFlags(command: Command): { flags: string; help: string }[] {
  const help = command.createHelp();
  return command.options.map((option: Option) => ({
    flags: help.optionTerm(option),
    help: help.optionDescription(option),
  }));
}

test('without flags and variables the defaults hold', () => {
  const threads = Math.max(1, Math.min(8, availableParallelism() - 1));
  expect(readConfig({}, {})).toEqual({
    configFile: undefined,
    host: '127.0.0.1',
    port: 8080,
    dataFolder: resolve('var'),
    small: false,
    httpThreads: threads,
    workers: threads,
    compute: 'auto',
    cacheMegabytes: 64,
    logMegabytes: 1024,
    logRequests: 'all',
    maxMemoryMegabytes: undefined,
    maxConnections: 10_000,
    sync: 'commit',
    keepObservations: 'forever',
    agreement: 2,
    loneBeacons: 'trusted',
    calibrate: 'on',
    contributionCredits: 1,
    maxContributionCredits: 1000,
    maxBodyMegabytes: 8,
    dialects: DIALECTS,
    fastLane: true,
    tlsCertificateFile: undefined,
    tlsKeyFile: undefined,
    trustProxy: undefined,
    anonymousKey: undefined,
    role: 'all',
    traceShare: 1,
    logFormat: 'json',
    accessLog: 'off',
    admin: 'auto',
    console: 'private',
    adminReadToken: false,
    logLevel: 'info',
  });
});

test('a flag goes before its variable, and a variable before the default', () => {
  expect(readConfig({}, { SEXTANT_PORT: '9001' }).port).toBe(9001);
  expect(readConfig({ port: '9002' }, { SEXTANT_PORT: '9001' }).port).toBe(9002);
  expect(readConfig({ maxBodyMb: '16' }, { SEXTANT_MAX_BODY_MB: '32' }).maxBodyMegabytes).toBe(16);
});

test('observations are kept for ever, for days, or until they are aggregated', () => {
  expect(readConfig({ keepObservations: 'forever' }, {}).keepObservations).toBe('forever');
  expect(readConfig({ keepObservations: '1' }, {}).keepObservations).toBe(1);
  expect(readConfig({ keepObservations: 'aggregated' }, {}).keepObservations).toBe('aggregated');
});

test('dialects are all, none, or some', () => {
  expect(readConfig({ dialects: 'all' }, {}).dialects).toEqual(DIALECTS);
  expect(readConfig({ dialects: 'none' }, {}).dialects).toEqual([]);
  expect(readConfig({ dialects: ' photon ' }, {}).dialects).toEqual(['photon']);
  for (const text of ['', 'photon,', 'Photon', 'all,photon'])
    expect(() => readConfig({ dialects: text }, {})).toThrow('--dialects must be all, none, or some of photon, ');
});

test('an empty variable counts as not set, an empty flag is a mistake', () => {
  expect(readConfig({}, { SEXTANT_PORT: '', SEXTANT_TLS_CERT: '', SEXTANT_ANONYMOUS_KEY: '' })).toEqual(
    readConfig({}, {}),
  );
  expect(() => readConfig({ port: '' }, {})).toThrow('--port must be a whole number from 0 to 65535, not "".');
});

test('every variable is read', () => {
  const environment = {
    SEXTANT_HOST: '::1',
    SEXTANT_PORT: '0',
    SEXTANT_DATA: '/srv/sextant',
    SEXTANT_IMPORT: ' osm=https://a.example/li.osm.pbf?x=1 cells:own=/srv/cells.csv ',
    SEXTANT_IMPORT_EVERY: '7d',
    SEXTANT_SMALL: 'true',
    SEXTANT_HTTP_THREADS: '3',
    SEXTANT_WORKERS: '5',
    SEXTANT_COMPUTE: 'pool',
    SEXTANT_CACHE_MB: '65536',
    SEXTANT_LOG_MB: '1',
    SEXTANT_LOG_REQUESTS: 'none',
    SEXTANT_MAX_MEMORY: '1048576',
    SEXTANT_MAX_CONNECTIONS: '1',
    SEXTANT_SYNC: 'flush',
    SEXTANT_KEEP_OBSERVATIONS: '36500',
    SEXTANT_AGREEMENT: '1',
    SEXTANT_LONE_BEACONS: 'none',
    SEXTANT_CALIBRATE: 'off',
    SEXTANT_CONTRIBUTION_CREDITS: '1000',
    SEXTANT_MAX_CONTRIBUTION_CREDITS: '20000',
    SEXTANT_MAX_BODY_MB: '1024',
    SEXTANT_DIALECTS: 'photon',
    SEXTANT_NO_FAST_LANE: 'true',
    SEXTANT_TLS_CERT: '/srv/cert.pem',
    SEXTANT_TLS_KEY: '/srv/key.pem',
    SEXTANT_TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::/32,192.168.1.5',
    SEXTANT_ANONYMOUS_KEY: 'abc',
    SEXTANT_METRICS: '[::1]:9090',
    SEXTANT_OTLP: 'http://127.0.0.1:4318',
    SEXTANT_TRACE_SHARE: '0.25',
    SEXTANT_LOG_FORMAT: 'text',
    SEXTANT_LOG_FILE: '/srv/log',
    SEXTANT_ACCESS_LOG: 'json',
    SEXTANT_ACCESS_LOG_FILE: '/srv/access',
    SEXTANT_ADMIN_READ_TOKEN: 'true',
    SEXTANT_ADMIN: '[::1]:8081',
    SEXTANT_CONSOLE: 'public',
    SEXTANT_LOG_LEVEL: 'silent',
  };
  expect(readConfig({}, environment)).toEqual({
    configFile: undefined,
    host: '::1',
    port: 0,
    dataFolder: resolve('/srv/sextant'),
    imports: [
      { kind: 'osm', file: 'https://a.example/li.osm.pbf?x=1' },
      { kind: 'cells', name: 'own', file: resolve('/srv/cells.csv') },
    ],
    importEvery: 604_800_000,
    small: true,
    httpThreads: 3,
    workers: 5,
    compute: 'pool',
    cacheMegabytes: 65_536,
    logMegabytes: 1,
    logRequests: 'none',
    maxMemoryMegabytes: 1_048_576,
    maxConnections: 1,
    sync: 'flush',
    keepObservations: 36_500,
    agreement: 1,
    loneBeacons: 'none',
    calibrate: 'off',
    contributionCredits: 1000,
    maxContributionCredits: 20_000,
    maxBodyMegabytes: 1024,
    dialects: ['photon'],
    fastLane: false,
    tlsCertificateFile: resolve('/srv/cert.pem'),
    tlsKeyFile: resolve('/srv/key.pem'),
    trustProxy: ['loopback', '10.0.0.0/8', '2001:db8::/32', '192.168.1.5'],
    anonymousKey: 'abc',
    metrics: { host: '::1', port: 9090 },
    otlp: 'http://127.0.0.1:4318',
    traceShare: 0.25,
    logFormat: 'text',
    logFile: '/srv/log',
    accessLog: 'json',
    accessLogFile: '/srv/access',
    admin: { host: '::1', port: 8081 },
    console: 'public',
    adminReadToken: true,
    role: 'all',
    logLevel: 'silent',
  });
});

test('the servers of a cluster are named without a secret in the clear, and settings that do not go with it refused', () => {
  const servers = 'nats://127.0.0.1:4222, tls://u:p@nats.example:4223,nats://nats-1,nats://10.1.2.3:4222,nats://[::1]';
  const { cluster, role, clusterAloneSeconds } = readConfig({ cluster: servers }, { SEXTANT_CLUSTER_ALONE: '60' });
  expect([cluster, role, clusterAloneSeconds]).toEqual([servers.split(',').map(server => server.trim()), 'all', 60]);
  expect(describeConfig({ cluster: servers }, {})).toContain('SEXTANT_CLUSTER=(secret) (flag)');
  expect(readConfig({ cluster: servers, role: 'serve' }, {}).role).toBe('serve');
  for (const text of ['127.0.0.1:4222', 'http://127.0.0.1', 'nats://', '', Array(17).fill('nats://a').join(',')])
    expect(() => readConfig({ cluster: text }, {})).toThrow(/^--cluster must be (addresses of NATS|at most 16)/);
  expect(() => readConfig({ cluster: 'nats://nats.example:4222' }, {})).toThrow(
    '--cluster must be addresses with tls://',
  );
  expect(() => readConfig({ role: 'learn' }, {})).toThrow('--role learn is for nodes of a cluster');
  expect(() => readConfig({ cluster: servers, keepObservations: '30' }, {})).toThrow(
    'A cluster keeps observations forever',
  );
});

test('a switch is a flag without a value, and a variable that says true or false', () => {
  const command = configuration.withServiceOptions(new Command()).parse(['--no-fast-lane'], { from: 'user' });
  expect(configuration.readConfig(command).fastLane).toBe(false);
  expect(configuration.describeConfig(command)).toContain('SEXTANT_NO_FAST_LANE=true (flag)');
  expect(describeConfig({}, {})).toContain('SEXTANT_NO_FAST_LANE=false (default)');
  for (const text of ['', '0', 'false']) expect(readConfig({}, { SEXTANT_NO_FAST_LANE: text }).fastLane).toBe(true);
  for (const text of ['1', 'true']) expect(readConfig({}, { SEXTANT_NO_FAST_LANE: text }).fastLane).toBe(false);
  expect(() => readConfig({}, { SEXTANT_NO_FAST_LANE: 'yes' })).toThrow(
    'SEXTANT_NO_FAST_LANE must be true or false, not "yes".',
  );
});

test('workers default to one an HTTP thread, and fewer are refused', () => {
  expect(readConfig({ httpThreads: '4' }, {}).workers).toBe(4);
  expect(() => readConfig({ httpThreads: '4' }, { SEXTANT_WORKERS: '2' })).toThrow(
    'SEXTANT_WORKERS must be at least the number of HTTP threads, 4, not 2.',
  );
});

test('a small service has one thread, which computes everything, a small cache and a ceiling, unless told otherwise', () => {
  const { httpThreads, workers, compute, cacheMegabytes, maxMemoryMegabytes } = readConfig({}, { SEXTANT_SMALL: '1' });
  expect([httpThreads, workers, compute, cacheMegabytes, maxMemoryMegabytes]).toEqual([1, 1, 'inline', 16, 512]);
  expect(readConfig({ cacheMb: '64' }, { SEXTANT_SMALL: '1', SEXTANT_COMPUTE: 'auto' })).toMatchObject({
    httpThreads: 1,
    compute: 'auto',
    cacheMegabytes: 64,
  });
  expect(describeConfig({}, { SEXTANT_SMALL: '1' })).toContain('SEXTANT_CACHE_MB=16 (default)');
});

test('the ceiling of a small service leaves room for the largest body', () => {
  expect(bodyRoom(readConfig({}, { SEXTANT_SMALL: '1' }))).toBeGreaterThan(0);
});

test.each<[Flags, string]>([
  [{ port: '65536' }, '--port must be a whole number from 0 to 65535, not "65536".'],
  [{ port: '80a' }, '--port must be a whole number from 0 to 65535, not "80a".'],
  [{ port: '-1' }, '--port must be a whole number from 0 to 65535, not "-1".'],
  [{ httpThreads: '0' }, '--http-threads must be a whole number from 1 to 64, not "0".'],
  [{ workers: '513' }, '--workers must be a whole number from 1 to 512, not "513".'],
  [{ cacheMb: '1.5' }, '--cache-mb must be a whole number from 1 to 65536, not "1.5".'],
  [{ maxMemory: '0' }, '--max-memory must be a whole number from 1 to 1048576, not "0".'],
  [{ maxMemory: '1048577' }, '--max-memory must be a whole number from 1 to 1048576, not "1048577".'],
  [{ maxMemory: '1G' }, '--max-memory must be a whole number from 1 to 1048576, not "1G".'],
  [{ logMb: '0' }, '--log-mb must be a whole number from 1 to 1048576, not "0".'],
  [{ maxBodyMb: '1025' }, '--max-body-mb must be a whole number from 1 to 1024, not "1025".'],
  [
    { keepObservations: '0' },
    '--keep-observations must be forever, aggregated, or a number of days from 1 to 36500, not "0".',
  ],
  [
    { keepObservations: '36501' },
    '--keep-observations must be forever, aggregated, or a number of days from 1 to 36500, not "36501".',
  ],
  [
    { keepObservations: '1.5' },
    '--keep-observations must be forever, aggregated, or a number of days from 1 to 36500, not "1.5".',
  ],
  [
    { keepObservations: 'never' },
    '--keep-observations must be forever, aggregated, or a number of days from 1 to 36500, not "never".',
  ],
  [{ agreement: '3' }, '--agreement must be a whole number from 1 to 2, not "3".'],
  [{ agreement: '0' }, '--agreement must be a whole number from 1 to 2, not "0".'],
  [
    { maxContributionCredits: '1000001' },
    '--max-contribution-credits must be a whole number from 0 to 1000000, not "1000001".',
  ],
  [{ contributionCredits: '1001' }, '--contribution-credits must be a whole number from 0 to 1000, not "1001".'],
  [{ compute: 'cloud' }, '--compute must be auto, pool or inline, not "cloud".'],
  [{ sync: 'never' }, '--sync must be commit or flush, not "never".'],
  [{ logLevel: 'loud' }, '--log-level must be fatal, error, warn, info, debug, trace or silent, not "loud".'],
  [
    { admin: '0.0.0.0:8081' },
    '--admin must be auto, off, or an address of this machine with a port, such as 127.0.0.1:8081, not "0.0.0.0:8081".',
  ],
  [
    { admin: '127.0.0.1:70000' },
    '--admin must be auto, off, or an address of this machine with a port, such as 127.0.0.1:8081, not "127.0.0.1:70000".',
  ],
  [{ host: 'a b' }, '--host must be an address or a host name, not "a b".'],
  [{ metrics: '9090' }, '--metrics must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464, not "9090".'],
  [
    { metrics: '[::g]:1' },
    '--metrics must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464, not "[::g]:1".',
  ],
  [
    { metrics: 'a:65536' },
    '--metrics must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464, not "a:65536".',
  ],
  [
    { otlp: 'collector:4318' },
    '--otlp must be an address with http or https, such as http://127.0.0.1:4318, not "collector:4318".',
  ],
  [{ traceShare: '101' }, '--trace-share must be a number from 0 to 100, not "101".'],
  [{ importEvery: '90m' }, '--import-every must be hours or days, such as 24h or 7d, not "90m".'],
  [{ data: '' }, '--data must be a path, not "".'],
  [
    { trustProxy: '10.0.0.0/33' },
    '--trust-proxy must be true, false, or addresses and subnets with commas between (10.0.0.0/8,192.168.1.5), ' +
      'not "10.0.0.0/33".',
  ],
  [
    { trustProxy: 'proxy.local' },
    '--trust-proxy must be true, false, or addresses and subnets with commas between (10.0.0.0/8,192.168.1.5), ' +
      'not "proxy.local".',
  ],
  [
    { tlsCert: 'cert.pem' },
    'HTTPS needs both --tls-cert and --tls-key (SEXTANT_TLS_CERT and SEXTANT_TLS_KEY); only one of them is set.',
  ],
])('a value that cannot be right is refused by name: %o', (flags, sentence) => {
  expect(() => readConfig(flags, {})).toThrow(new ConfigError(sentence));
});

test('a refused key is not repeated in the message', () => {
  expect(() => readConfig({}, { SEXTANT_ANONYMOUS_KEY: 'se cret' })).toThrow(
    new ConfigError('SEXTANT_ANONYMOUS_KEY must be a key, without spaces.'),
  );
});

test.each(['127.0.0.1', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST'])(
  '%s is loopback and needs no certificate',
  host => {
    expect(() => requireSafeBinding(readConfig({ host }, {}))).not.toThrow();
  },
);

test.each(['0.0.0.0', '::', '192.168.1.5', '::ffff:10.0.0.1', '127.0.0.1.example.org', '2001:db8::1'])(
  '%s is refused without HTTPS',
  host => {
    expect(() => requireSafeBinding(readConfig({ host }, {}))).toThrow(
      `Listening on ${host} without HTTPS would send keys in the clear: give --tls-cert and --tls-key, or ` +
        `--trust-proxy when a proxy ends HTTPS, or listen on 127.0.0.1.`,
    );
    expect(() => requireSafeBinding(readConfig({ host, trustProxy: 'false' }, {}))).toThrow('in the clear');
    expect(() => requireSafeBinding(readConfig({ host, trustProxy: 'true' }, {}))).not.toThrow();
    expect(() => requireSafeBinding(readConfig({ host, tlsCert: 'c', tlsKey: 'k' }, {}))).not.toThrow();
  },
);

test('the printed configuration names each source and hides the anonymous key', () => {
  const lines = describeConfig({ port: '9000' }, { SEXTANT_ANONYMOUS_KEY: 'abcdef', SEXTANT_DATA: '/srv' });
  expect(lines).toContain('SEXTANT_PORT=9000 (flag)');
  expect(lines).toContain('SEXTANT_DATA=/srv (environment)');
  expect(lines).toContain('SEXTANT_HOST=127.0.0.1 (default)');
  expect(lines).toContain('SEXTANT_ANONYMOUS_KEY=(secret) (environment)');
  expect(lines.join()).not.toContain('abcdef');
  expect(lines.join()).not.toContain('TLS');
});

test('the help names each flag with its variable and default', () => {
  const flags = describeFlags(configuration.withServiceOptions(new Command()));
  expect(flags).toHaveLength(50);
  expect(flags.find(({ flags }) => flags === '--sync <when>')?.help).toContain('(default commit; SEXTANT_SYNC)');
  expect(flags.find(({ flags }) => flags === '--tls-key <file>')?.help).toContain('(SEXTANT_TLS_KEY)');
  const flagsOf = (command: Command) => describeFlags(command).map(({ flags }) => flags);
  expect(flagsOf(configuration.withFolderOptions(new Command()))).toEqual(['--config <file>', '--data <folder>']);
  expect(flagsOf(configuration.withJobOptions(new Command()))).toEqual([
    '--config <file>',
    '--data <folder>',
    '--sync <when>',
  ]);
});

describe('a configuration file', () => {
  /** Writes a file and returns its path. */
  function fileOf(content: unknown): string {
    const file = join(temporaryFolder(), 'sextant.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  test('stands behind flags and variables and before the defaults', () => {
    const config = fileOf({ port: 9001, 'http-threads': 3, 'max-body-mb': '16' });
    const read = readConfig({ config, port: '9003' }, { SEXTANT_HTTP_THREADS: '2', SEXTANT_PORT: '9002' });
    expect(read).toMatchObject({
      configFile: config,
      port: 9003,
      httpThreads: 2,
      maxBodyMegabytes: 16,
      logMegabytes: 1024,
    });
    expect(readConfig({}, { SEXTANT_CONFIG: config }).httpThreads).toBe(3);
    expect(readConfig({ config }, { SEXTANT_PORT: '' }).port).toBe(9001);
  });

  test('holds every setting: numbers, switches, lists, and paths that begin at its folder', () => {
    const config = fileOf({
      'no-fast-lane': true,
      'trust-proxy': ['10.0.0.0/8', 'loopback'],
      data: 'var',
      'tls-cert': 'tls/cert.pem',
      'tls-key': '/etc/key.pem',
      calibrate: 'off',
    });
    expect(readConfig({ config }, {})).toMatchObject({
      fastLane: false,
      trustProxy: ['10.0.0.0/8', 'loopback'],
      dataFolder: resolve(config, '../var'),
      tlsCertificateFile: resolve(config, '../tls/cert.pem'),
      tlsKeyFile: '/etc/key.pem',
      calibrate: 'off',
    });
    expect(describeConfig({ config }, {})).toContain('SEXTANT_CALIBRATE=off (file)');
    expect(readConfig({ config: fileOf({ 'trust-proxy': false, 'no-fast-lane': false }) }, {})).toMatchObject({
      fastLane: true,
      trustProxy: undefined,
    });
  });

  test('is the same for the other verbs, which find their folder by it', () => {
    const config = fileOf({ data: '/srv/sextant', sync: 'flush', port: 9001 });
    const command = configuration.withJobOptions(new Command()).parse(['--config', config], { from: 'user' });
    expect(configuration.readFolderConfig(command)).toEqual({
      configFile: config,
      dataFolder: '/srv/sextant',
      sync: 'flush',
    });
  });

  test.each<[unknown, string]>([
    [{ port: 99_999 }, '"port" in FILE must be a whole number from 0 to 65535, not "99999".'],
    [{ workers: 1, 'http-threads': 2 }, '"workers" in FILE must be at least the number of HTTP threads, 2, not 1.'],
    [{ data: '' }, '"data" in FILE must be a path, not "".'],
    [{ 'anonymous-key': 'se cret' }, '"anonymous-key" in FILE must be a key, without spaces.'],
    [
      { prot: 9001 },
      'The configuration file FILE cannot be used: it has a member "prot", which is no setting. Did you mean port?',
    ],
    [
      { 'log level': 1 },
      'The configuration file FILE cannot be used: it has a member "log level", which is no setting. Did you ' +
        'mean log-level?',
    ],
    [{ config: 'a' }, 'The configuration file FILE cannot be used: it has a member "config", which is no setting.'],
    [
      '{"__proto__":{"port":1}}',
      'The configuration file FILE cannot be used: its member "__proto__" must be a text, a number, true, ' +
        'false, or a list of texts.',
    ],
    [
      { port: null },
      'The configuration file FILE cannot be used: its member "port" must be a text, a number, true, false, or ' +
        'a list of texts.',
    ],
    [[], 'The configuration file FILE cannot be used: it must hold one JSON object.'],
    [
      '{"anonymous-key": "abcdef" x}',
      /^The configuration file FILE cannot be used: it is not JSON: (?!.*abcdef).*\.$/ as unknown as string,
    ],
    [
      '{"anonymous-key": abcdefghijk}',
      "The configuration file FILE cannot be used: it is not JSON: Unexpected token 'a'.",
    ],
  ])('that cannot be right is refused by file and member: %o', (content, sentence) => {
    const config = fileOf(content);
    let message = '';
    try {
      readConfig({ config }, {});
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message.replace(config, 'FILE');
    }
    if (typeof sentence === 'string') expect(message).toContain(sentence);
    else expect(message).toMatch(sentence);
  });

  test('that is missing, no file or too large is refused', () => {
    const folder = temporaryFolder();
    expect(() => readConfig({ config: join(folder, 'a.json') }, {})).toThrow(
      `The configuration file ${folder}/a.json cannot be used: there is none.`,
    );
    expect(() => readConfig({ config: folder }, {})).toThrow('it is no file.');
    expect(() => readConfig({ config: fileOf(' '.repeat(1_048_577)) }, {})).toThrow('it has more than 1048576 bytes.');
    expect(() => readConfig({ config: '' }, {})).toThrow('--config must be a path, not "".');
  });
});

test('a variable that is no setting is named, with the nearest setting', () => {
  for (const name of Object.keys(process.env)) if (name.startsWith('SEXTANT_')) vi.stubEnv(name, undefined);
  vi.stubEnv('SEXTANT_HTTP_THREDS', '2');
  vi.stubEnv('SEXTANT_SERVICE_HOST', '10.0.0.1');
  vi.stubEnv('SEXTANT_PORT', '1');
  expect(configuration.unknownVariables()).toEqual([
    'The variable SEXTANT_HTTP_THREDS is no setting and has no effect. Did you mean SEXTANT_HTTP_THREADS?',
    'The variable SEXTANT_SERVICE_HOST is no setting and has no effect.',
  ]);
});
