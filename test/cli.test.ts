import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OwnedFolder, takeFolder } from '../src/folder/data_folder.ts';
import type { Job } from '../src/jobs/job.ts';
import { type JobSocket, openJobSocket } from '../src/jobs/socket.ts';
import { temporaryFolder } from './kits/temporary_folder.ts';

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

const USAGE = 2;
const SUMMARY = {
  generation: 1,
  stations: 5,
  added: 2,
  replaced: 0,
  removed: 0,
  source: 'cells',
  rows: 3,
  accepted: 2,
  refused: 1,
  refusedByRule: { columns: 1 },
  refusedLines: [],
};
const PROGRAM =
  `const { main } = await import(${JSON.stringify(resolve('src/cli.ts'))}); process.exitCode = await ` +
  `main(process.argv.slice(1));`;

let base: string;
let data: string;
let owned: OwnedFolder | undefined;
let socket: JobSocket | undefined;
const children: ChildProcess[] = [];

beforeEach(() => {
  base = temporaryFolder();
  data = join(base, 'var');
});

afterEach(async () => {
  socket?.close();
  owned?.release();
  socket = owned = undefined;
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
});

/** Of the outer shell only what finds programs, and what Node has compiled before. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE, SEXTANT_DATA: data };
}

/** Runs the command line in a process of its own, in the folder `base`. */
async function sextant(
  words: string[],
  options: { stdin?: string; environment?: Record<string, string> } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, '--', ...words], {
    cwd: base,
    env: { ...environment(), ...options.environment },
  });
  children.push(child);
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', text => {
    outcome.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    outcome.stderr += text;
  });
  child.stdin.end(options.stdin ?? '');
  [outcome.code] = await once(child, 'close');
  return outcome;
}

/** Owns the data folder and keeps the jobs that come, with the text of their last file where it can be read. */
async function own(result: unknown = SUMMARY): Promise<{ jobs: Job[]; texts: string[] }> {
  const seen = { jobs: [] as Job[], texts: [] as string[] };
  owned = takeFolder(data, true);
  socket = await openJobSocket(data, async job => {
    seen.jobs.push(job);
    if (job.verb === 'import' && existsSync(job.files.at(-1)!))
      seen.texts.push(readFileSync(job.files.at(-1)!, 'utf8'));
    return result;
  });
  return seen;
}

test.each<[string, Job]>([
  ['keys list', { verb: 'keys', action: 'list' }],
  ['keys show 7', { verb: 'keys', action: 'show', id: 7 }],
  ['keys rotate 7', { verb: 'keys', action: 'rotate', id: 7, overlapSeconds: 7 * 86_400 }],
  [
    'keys rotate 7 --overlap 90m --force',
    { verb: 'keys', action: 'rotate', id: 7, overlapSeconds: 5_400, force: true },
  ],
  ['keys revoke 7', { verb: 'keys', action: 'revoke', id: 7 }],
  ['keys credit 7 500', { verb: 'keys', action: 'credit', id: 7, credits: 500 }],
  ['keys create', { verb: 'keys', action: 'create', settings: {} }],
  [
    'keys create --name fleet --credits 0 --expires 2028-02-29 --indoor --address --speed-filter --speed-limit ' +
      '41.5 --rate 0.5 --devices 20 --contributor --trusted',
    {
      verb: 'keys',
      action: 'create',
      settings: {
        name: 'fleet',
        credits: 0,
        expires: '2028-02-29',
        indoor: true,
        address: true,
        speedFilter: true,
        speedLimit: 41.5,
        ratePerSecond: 0.5,
        devices: 20,
        contributor: true,
        trusted: true,
      },
    },
  ],
  [
    'keys update 7 --rate 100 --no-expires',
    { verb: 'keys', action: 'update', id: 7, settings: { ratePerSecond: 100, expires: null } },
  ],
  [
    'keys update 7 --no-name --no-credits --no-indoor --no-address --no-speed-filter --no-speed-limit ' +
      '--no-rate --no-devices --no-contributor --no-trusted',
    {
      verb: 'keys',
      action: 'update',
      id: 7,
      settings: {
        name: null,
        credits: null,
        indoor: false,
        address: false,
        speedFilter: false,
        speedLimit: null,
        ratePerSecond: null,
        devices: null,
        contributor: false,
        trusted: false,
      },
    },
  ],
  [
    'keys create --monthly-credits 1000 --confidence 95 --fallbacks lacf,ratf,lacf',
    {
      verb: 'keys',
      action: 'create',
      settings: { monthlyCredits: 1000, confidence: 95, fallbacks: ['lacf', 'ratf'] },
    },
  ],
  [
    'keys update 7 --no-monthly-credits --no-confidence --no-fallbacks',
    { verb: 'keys', action: 'update', id: 7, settings: { monthlyCredits: null, confidence: null, fallbacks: null } },
  ],
  ['keys update 7 --name a --force', { verb: 'keys', action: 'update', id: 7, settings: { name: 'a' }, force: true }],
  ['keys credit 7 500 --force', { verb: 'keys', action: 'credit', id: 7, credits: 500, force: true }],
  ['log 9007199254740991', { verb: 'log', id: 9_007_199_254_740_991 }],
])('sextant %s', async (line, job) => {
  const { jobs } = await own([]);
  const { code, stdout } = await sextant(line.split(' '));
  expect(jobs).toEqual([job]);
  expect(JSON.parse(stdout)).toEqual(line === 'keys list' ? { keys: [] } : []);
  expect(code).toBe(0);
});

test('sextant demo remove', async () => {
  const removal = { stations: 449, keys: 1 };
  const { jobs } = await own(removal);
  const { code, stdout, stderr } = await sextant(['demo', 'remove']);
  expect(jobs).toEqual([{ verb: 'demo-remove' }]);
  expect(JSON.parse(stdout)).toEqual(removal);
  expect(stderr).toBe('Took out the demo town of 449 stations, and the demo key.\n');
  expect(code).toBe(0);
});

test('an import names its files from where it was typed, and its source after them', async () => {
  const { jobs } = await own();
  await sextant(['import', 'cells', 'a.csv', '/b.csv.gz']);
  await sextant(['import', 'wifi', '../c.csv']);
  await sextant(['import', 'observations', 'd.zip', '--format', 'neostumbler']);
  expect(jobs).toEqual([
    { verb: 'import', kind: 'cells', files: [resolve(base, 'a.csv'), '/b.csv.gz'], source: 'a b' },
    { verb: 'import', kind: 'wifi', files: [resolve(base, '../c.csv')], source: 'c' },
    { verb: 'import', kind: 'observations', files: [resolve(base, 'd.zip')], format: 'neostumbler', source: 'd' },
  ]);
});

test('an import takes standard input, once', async () => {
  const { texts } = await own();
  const { code, stdout } = await sextant(['import', 'cells', '-'], { stdin: 'radio,mcc\n' });
  expect(code).toBe(0);
  expect(stdout).toContain('Accepted 2 rows: 2 new stations, 0 stations replaced');
  expect(texts).toEqual(['radio,mcc\n']);
  expect(await sextant(['import', 'cells', '-', '-'])).toMatchObject({
    code: USAGE,
    stderr: 'error: standard input (-) can be read only once\n',
  });
});

test.each([
  [
    'keys create --credits -1',
    "option '--credits <number>' argument '-1' is invalid. It must be a whole number from 0 to 2147483647.",
  ],
  ['keys create --credits 2147483648', 'It must be a whole number from 0 to 2147483647.'],
  ['keys create --expires 2027-02-29', 'It must be a day as YYYY-MM-DD.'],
  ['keys create --expires 2020-01-01', 'It must be today (UTC) or later.'],
  ['keys update 7 --expires 2020-01-01', 'It must be today (UTC) or later.'],
  ['bakcup --help', "unknown command 'bakcup'\n(Did you mean backup?)"],
  ['backup', "missing required argument 'folder'"],
  ['restore', "missing required argument 'backup'"],
  ['keys crate --help', "unknown command 'crate'\n(Did you mean create?)"],
  ['improt cells x.csv', "unknown command 'improt'\n(Did you mean import?)"],
  ['keys create --expires tomorrow', 'It must be a day as YYYY-MM-DD.'],
  ['keys create --speed-limit 0', 'It must be a number from 0.01 to 100000.'],
  ['keys create --rate fast', 'It must be a number from 0.01 to 1000000.'],
  ['keys create --confidence 100', 'It must be a number from 50 to 99.'],
  ['keys create --fallbacks lacf,x', 'It must be some of all, w4f,'],
  ['keys create --devices 0', 'It must be a whole number from 1 to 1000000000.'],
  ['keys create --no-indoor', "unknown option '--no-indoor'"],
  ['keys update 7', 'error: name at least one setting to change'],
  ['keys show 0', 'It must be a whole number from 1 to 1048575.'],
  ['keys credit 7 0', 'It must be a whole number from 1 to 2147483647.'],
  ['keys rotate 7 --overlap 367d', 'It must be minutes, hours or days such as 90m, 12h or 7d, at most 366d, or 0.'],
  ['keys rotate 7 --overlap 1w', 'It must be minutes, hours or days'],
  ['usage export --from 2026-13-01', 'It must be a day as YYYY-MM-DD.'],
  ['usage export --from 2026-02-01 --to 2026-01-01', 'error: --from must not be later than --to'],
  ['keys eat', "unknown command 'eat'"],
  ['forget station home', '"home" names no station: write a MAC address'],
  ['forget station', "missing required argument 'name'"],
  ['forget contributor 0', 'It must be a whole number from 1 to 1048575.'],
  ['forget device a-device-with-a-long-name', 'It must have 1 to 20 characters.'],
  ['forget everything', "unknown command 'everything'"],
  ['station ff:ff:ff:ff:ff:ff', 'No station sends from the address ff:ff:ff:ff:ff:ff.'],
  ['log 9007199254740992', 'It must be a whole number from 0 to 9007199254740991.'],
  ['log 7 --limit 5', 'a logId names one request'],
  ['import cells', "missing required argument 'files'"],
  ['import cells a.csv --format mls', "unknown option '--format'"],
  ['import wifi a.csv --format stations', "unknown option '--format'"],
  [
    'import observations a --format mls',
    'Allowed choices are wigle, neostumbler, towercollector, cellmapper, gnettrack, networksurvey, kismet, geosubmit, scans.',
  ],
  ['export stations --kind towers', 'Allowed choices are cells, wifi, bluetooth.'],
  ['export stations --blur -1', 'It must be a number from 0 to 100000.'],
  ['export stations --min-samples 0', 'It must be a whole number from 1 to 65535.'],
  ['export observations --since yesterday', 'It must be a date, a date with a time, or Unix seconds.'],
  ['fly', "unknown command 'fly'"],
  ['serve --port 99999', '--port must be a whole number from 0 to 65535, not "99999".'],
])('what is not understood is exit code 2: sextant %s', async (line, sentence) => {
  const { code, stdout, stderr } = await sextant(line.split(' '));
  expect({ code, stdout }).toEqual({ code: USAGE, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(existsSync(data)).toBe(false);
});

test('a name with control characters is not understood', async () => {
  expect(await sextant(['keys', 'create', '--name', 'a\nb'])).toMatchObject({ code: USAGE });
});

test('without a verb the help is shown, as what is not understood', async () => {
  expect(await sextant([])).toMatchObject({
    code: USAGE,
    stdout: '',
    stderr: expect.stringContaining('Usage: sextant'),
  });
});

describe('the help of every verb', () => {
  /** The lines of a part of a help text, each entry with the lines that continue it. */
  function entriesOf(help: string, part: string): string[] {
    const lines = new RegExp(`^${part}:\\n((?: .*\\n)+)`, 'm').exec(help)?.[1] ?? '';
    return lines.split(/\n(?= {2}\S)/).filter(line => line.trim() !== '');
  }

  /** The help of a verb and of all verbs below it, by their words. */
  async function helpsBelow(words: string[]): Promise<Map<string, string>> {
    const { code, stdout } = await sextant([...words, '--help']);
    expect(code).toBe(0);
    const verbs = entriesOf(stdout, 'Commands')
      .map(entry => entry.trim().split(/[\s|]/)[0])
      .filter(verb => verb !== 'help');
    const below = await Promise.all(verbs.map(verb => helpsBelow([...words, verb])));
    return new Map([[words.join(' '), stdout], ...below.flatMap(helps => [...helps])]);
  }

  test('has an example, a text for each option, and only settings that act', async () => {
    const helps = await helpsBelow([]);
    const leaves = [...helps].filter(([, help]) => !help.includes('\nCommands:\n'));
    expect(leaves.map(([verb]) => verb)).toEqual(
      expect.arrayContaining(['serve', 'import cells', 'keys credit', 'demo remove', 'check']),
    );
    for (const [verb, help] of leaves) {
      expect(help, verb).toMatch(new RegExp(`\nExamples?:\n  (?:.*\\S )?sextant ${verb}`));
      if (!/^(?:cluster .*|mcp)$/.test(verb)) expect(help, verb).toContain('SEXTANT_DATA');
      expect(help.includes('SEXTANT_SYNC'), verb).toBe(
        /^(serve|update|import .*|aggregate|demo remove|forget (station|contributor|device|report)|cluster join|keys (create|update|revoke|rotate|credit)|tenants (create|remove))$/.test(
          verb,
        ),
      );
    }
    for (const [verb, help] of helps)
      for (const part of ['Options', 'Arguments', 'Commands'])
        for (const entry of entriesOf(help, part))
          expect(entry.trim(), verb).toMatch(/^\S+(?: \S+)*?(?: {2,}|\n\s+)\S/);
  });
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { stdout: commit } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  expect(await sextant(['--version'])).toMatchObject({
    code: 0,
    stdout: `${version} (commit ${commit.slice(0, 10)})\n`,
  });
});

test('a variable that cannot be right is named', async () => {
  const outcome = await sextant(['keys', 'create'], { environment: { SEXTANT_SYNC: 'never' } });
  expect(outcome).toEqual({ code: USAGE, stdout: '', stderr: 'SEXTANT_SYNC must be commit or flush, not "never".\n' });
});

test('a failure is exit code 1 and one error message', async () => {
  const outcome = await sextant(['keys', 'list']);
  expect(outcome).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no data folder ${data}; name another with --data, or make one with npm start.\n`,
  });
});

test('where nobody owns the folder commands do it themselves', async () => {
  const created = JSON.parse((await sextant(['keys', 'create', '--name', 'fleet', '--credits', '5'])).stdout);
  expect(created).toMatchObject({ id: 1, name: 'fleet', credits: 5, key: expect.stringMatching(/^\S{16,}$/) });
  const { key, ...settings } = JSON.parse((await sextant(['keys', 'credit', '1', '10'])).stdout);
  expect(key).toBeUndefined();
  expect(settings).toMatchObject({ id: 1, credits: 15 });
  const listed = await sextant(['keys', 'list']);
  expect(JSON.parse(listed.stdout)).toEqual({ keys: [settings] });
  expect(listed.stdout).not.toContain(created.key);
  const outcomes = [await sextant(['keys', 'show', '9']), await sextant(['log', '9'])];
  expect(outcomes).toEqual([
    { code: 1, stdout: '', stderr: 'There is no key with id 9.\n' },
    { code: 1, stdout: '', stderr: 'There is no logged request 9; requests are kept at most 7 days.\n' },
  ]);
});

describe('an export', () => {
  const SCANS = Array.from(
    { length: 1_500 },
    (_, i) =>
      `{"t":${1_750_000_000 + i},"lat":50.8,"lon":4.4,"acc":5,"aps":[["88:f7:c7:00:00:01",-60,1],["88:f7:c7:00:00:02",-70,6]]}\n`,
  ).join('');

  test('writes what was imported, also while another process owns the folder', async () => {
    const imported = await sextant(['import', 'observations', '-'], { stdin: SCANS });
    expect(imported.stdout).toBe(
      'Accepted 1,500 new reports; 0 reports stood in the log already. Together they hold 3,000 ' +
        'observations.\nRefused 0 reports.\n',
    );
    await own();
    const lines = await sextant(['export', 'observations', '--since', '2026-01-01']);
    expect(lines).toMatchObject({ code: 0, stderr: 'Exported 1,500 reports.\n' });
    expect(lines.stdout.split('\n')).toHaveLength(1_501);
    const stations = await sextant(['export', 'stations', '--kind', 'wifi', '-o', 'aps.csv']);
    expect(stations).toMatchObject({ code: 0, stdout: '' });
    expect(stations.stderr).toContain('Exported 2 stations.\n');
    expect(readFileSync(join(base, 'aps.csv'), 'utf8')).toMatch(
      /^bssid,.*\n88:f7:c7:00:00:01,50\.8,4\.4,[^\n]*\n88:f7:c7:00:00:02,[^\n]*\n$/,
    );
    expect(readdirSync(base).filter(name => name.includes('.partial'))).toEqual([]);
  });

  test('ends in peace when its reader has had enough', async () => {
    await sextant(['import', 'observations', '-'], { stdin: SCANS });
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, '--', 'export', 'observations'], {
      env: environment(),
    });
    children.push(child);
    let stderr = '';
    child.stderr.on('data', text => {
      stderr += text;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect(stderr).toMatch(/^Exported [\d,]+ reports\.\n$/);
    expect(code).toBe(0);
  });

  test('of a folder without observations is empty, and without a folder a failure', async () => {
    expect(await sextant(['export', 'observations'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no data folder ${data}; name another with --data, or make one with npm start.\n`,
    });
    await own();
    expect(await sextant(['export', 'observations'])).toEqual({ code: 0, stdout: '', stderr: 'Exported 0 reports.\n' });
    expect(readdirSync(data)).not.toContain('observations');
  });

  test('that fails leaves no file behind', async () => {
    await sextant(['import', 'observations', '-'], { stdin: SCANS });
    const outcome = await sextant(['export', 'observations', '-o', 'missing/out.jsonl']);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('missing/out.jsonl');
    expect(existsSync(join(base, 'missing'))).toBe(false);
  });
});

test('progress of an import goes to standard error', async () => {
  owned = takeFolder(data, true);
  socket = await openJobSocket(data, async (_, onProgress) => {
    onProgress({ phase: 'reading', rows: 7, bytesDone: 50, bytesTotal: 200 });
    return SUMMARY;
  });
  const { stdout, stderr } = await sextant(['import', 'cells', 'a.csv']);
  expect(stderr).toBe('reading 25 %, 7 rows\n');
  expect(stdout).not.toContain('reading');
});

test('the service refuses to start in the clear, and leaves no folder behind', async () => {
  const { code, stderr } = await sextant(['serve', '--host', '0.0.0.0']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Listening on 0\.0\.0\.0 without HTTPS .*\n$/);
  expect(existsSync(data)).toBe(false);
});

test('the service refuses a port in use', async () => {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await sextant(['serve', '--port', String(port)]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Port ${port} on 127.0.0.1 is in use; stop what uses it, or choose another with --port.\n`,
  });
  await new Promise(done => server.close(done));
});

test('the service refuses a folder that another process owns, and one that is not ours', async () => {
  owned = takeFolder(data, true);
  expect(await sextant(['serve', '--port', '0'])).toMatchObject({
    code: 1,
    stderr: `The data folder ${data} is in use by process ${process.pid}.\n`,
  });
  const foreign = join(base, 'photos');
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'a.jpg'), '');
  const { code, stderr } = await sextant(['serve', '--port', '0', '--data', foreign]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${foreign} is not a data folder of Sextant`);
});

test('at level debug the effective configuration is printed, without the anonymous key', async () => {
  owned = takeFolder(data, true);
  const { stderr } = await sextant(['serve', '--port', '0', '--log-level', 'debug'], {
    environment: { SEXTANT_ANONYMOUS_KEY: 'abcdef' },
  });
  expect(stderr).toContain('SEXTANT_PORT=0 (flag)\n');
  expect(stderr).toContain('SEXTANT_ANONYMOUS_KEY=(secret) (environment)\n');
  expect(stderr).not.toContain('abcdef');
});
