import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OwnedFolder, takeFolder } from '../../src/folder/data_folder.ts';
import type { Job, Progress } from '../../src/jobs/job.ts';
import { type JobSocket, openJobSocket } from '../../src/jobs/socket.ts';
import { findSocketAddress } from '../../src/jobs/socket_messages.ts';
import { askOwner, type JobCaller, submitJob } from '../../src/jobs/submit_job.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const LIST: Job = { verb: 'keys', action: 'list' };
const READING: Progress = { phase: 'reading', rows: 7, bytesDone: 100, bytesTotal: 200 };

let base: string;
let path: string;
let owned: OwnedFolder | undefined;
let socket: JobSocket | undefined;
const children: ChildProcess[] = [];

beforeEach(() => {
  base = temporaryFolder();
  path = join(base, 'var');
});

afterEach(async () => {
  socket?.close();
  owned?.release();
  socket = owned = undefined;
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** Owns the folder and answers jobs by `run`. */
async function own(run: Parameters<typeof openJobSocket>[1]): Promise<void> {
  owned = takeFolder(path, true);
  socket = await openJobSocket(path, run);
}

/** Asks for a job that this process must not run itself. */
function submit(job: Job, caller: Partial<JobCaller> = {}): Promise<unknown> {
  const run = () => Promise.reject(new Error('The job was run by the command.'));
  return submitJob({ dataFolder: path, sync: 'commit' }, job, run, {
    onProgress: () => {},
    stdin: Readable.from([]),
    ...caller,
  });
}

/** Something to wait for. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>(done => {
    open = done;
  });
  return { opened, open };
}

test('where nobody owns the folder the command owns it and runs the job', async () => {
  const steps: Progress[] = [];
  const result = await submitJob(
    { dataFolder: path, sync: 'flush' },
    { verb: 'keys', action: 'create', settings: {} },
    async (job, { folder, sync, onProgress }) => {
      expect(takeFolder(folder, false)).toBeUndefined();
      onProgress(READING);
      return { job, folder, sync };
    },
    { onProgress: step => steps.push(step), stdin: Readable.from([]) },
  );
  expect(result).toEqual({ job: { verb: 'keys', action: 'create', settings: {} }, folder: path, sync: 'flush' });
  expect(steps).toEqual([READING]);
  owned = takeFolder(path, false);
  expect(owned).toBeDefined();
});

test('a failed job gives the folder back', async () => {
  await expect(
    submitJob(
      { dataFolder: path, sync: 'commit' },
      { verb: 'import', kind: 'cells', files: ['/x'] },
      () => Promise.reject(new Error('/x does not exist.')),
      { onProgress: () => {}, stdin: Readable.from([]) },
    ),
  ).rejects.toThrow('/x does not exist.');
  owned = takeFolder(path, false);
  expect(owned).toBeDefined();
});

test('only what puts something in makes a folder', async () => {
  for (const job of [
    LIST,
    { verb: 'keys', action: 'revoke', id: 1 },
    { verb: 'log', id: 1 },
    { verb: 'demo-remove' },
  ] as Job[]) {
    await expect(submit(job)).rejects.toThrow(`There is no data folder ${path}`);
  }
  expect(existsSync(path)).toBe(false);
});

test('the owner runs the job, and progress and result come back', async () => {
  await own(async (job, onProgress) => {
    onProgress(READING);
    onProgress({ ...READING, phase: 'writing' });
    return { did: job };
  });
  const steps: Progress[] = [];
  expect(await submit(LIST, { onProgress: step => steps.push(step) })).toEqual({ did: LIST });
  expect(steps).toEqual([READING, { ...READING, phase: 'writing' }]);
});

test('a result may be large, and nothing', async () => {
  const large = Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'größer' }));
  await own(async job => (job.verb === 'log' ? undefined : large));
  expect(await submit(LIST)).toEqual(large);
  expect(await submit({ verb: 'log', id: 1 })).toBeNull();
});

test('the error message of a failed job comes back, and where a fault of ours happened', async () => {
  await own(async job => {
    if (job.verb === 'log') throw new TypeError('x is not a function');
    throw new Error('There is no key 9.');
  });
  await expect(submit({ verb: 'keys', action: 'show', id: 9 })).rejects.toThrow(/^There is no key 9\.$/);
  await expect(submit({ verb: 'log', id: 1 })).rejects.toThrow(/^TypeError: x is not a function\n\s+at /);
});

test('a result that JSON cannot carry is an error, and the next job runs', async () => {
  await own(async job => (job.verb === 'log' ? 1n : 'fine'));
  await expect(submit({ verb: 'log', id: 1 })).rejects.toThrow('BigInt');
  expect(await submit(LIST)).toBe('fine');
});

test('jobs run one after the other, in the order in which they came', async () => {
  const { opened, open } = gate();
  const begun = gate();
  const steps: string[] = [];
  await own(async job => {
    const { id } = job as Extract<Job, { verb: 'log' }>;
    steps.push(`begin ${id}`);
    begun.open();
    await opened;
    steps.push(`end ${id}`);
  });
  const first = submit({ verb: 'log', id: 1 });
  await begun.opened;
  const second = submit({ verb: 'log', id: 2 });
  // By then the second job has come over too.
  for (let i = 0; i < 4; i++) await strayLine('hello\n');
  open();
  await Promise.all([first, second]);
  expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('a job that leaves its turn lets the next one begin, which it may wait for', async () => {
  const { opened, open } = gate();
  await own(async (job, _onProgress, _cancelled, _isPassed, leaveTurn) => {
    if ((job as Extract<Job, { verb: 'log' }>).id === 2) return open();
    leaveTurn();
    await opened;
  });
  await Promise.all([submit({ verb: 'log', id: 1 }), submit({ verb: 'log', id: 2 })]);
});

test('a job goes on when the command that sent it is killed', async () => {
  const { opened, open } = gate();
  const begun = gate();
  const ended = gate();
  await own(async (job, onProgress) => {
    if (job.verb !== 'import') return 'fine';
    begun.open();
    await opened;
    onProgress(READING);
    ended.open();
    return 'unread';
  });
  const child = spawnCommand(['import', 'cells', 'cells.csv', '--data', path]);
  await begun.opened;
  child.kill('SIGKILL');
  await once(child, 'exit');
  open();
  await ended.opened;
  expect(await submit(LIST)).toBe('fine');
});

test('a job that still waits when its command goes is never begun', async () => {
  const { opened, open } = gate();
  const begun = gate();
  const ran: Job[] = [];
  await own(async job => {
    ran.push(job);
    begun.open();
    await opened;
  });
  const first = submit({ verb: 'log', id: 1 });
  await begun.opened;
  const gone = connect(findSocketAddress(path)!);
  await once(gone, 'connect');
  gone.write(`${JSON.stringify({ protocol: 1, job: { verb: 'log', id: 2 } })}\n`);
  gone.destroy();
  await once(gone, 'close');
  // The owner sees the end of an earlier connection before it has answered two later ones.
  await strayLine('hello\n');
  await strayLine('hello\n');
  const third = submit({ verb: 'log', id: 3 });
  open();
  await Promise.all([first, third]);
  expect(ran).toEqual([
    { verb: 'log', id: 1 },
    { verb: 'log', id: 3 },
  ]);
});

test('a job is cancelled by the command that sent it, and one that still waits is never begun', async () => {
  const begun: Job[] = [];
  const { opened, open } = gate();
  await own(async (job, _, cancelled) => {
    begun.push(job);
    open();
    await new Promise(resolve => cancelled.addEventListener('abort', resolve));
    throw new Error('It was asked to end.');
  });
  const job = { verb: 'import', kind: 'cells', files: [] } as unknown as Job;
  const [first, second] = [new AbortController(), new AbortController()];
  const running = askOwner(path, job, () => {}, first.signal);
  await opened;
  const waiting = askOwner(path, job, () => {}, second.signal);
  second.abort();
  first.abort();
  await expect(running).rejects.toThrow('It was asked to end.');
  await expect(waiting).rejects.toThrow('The import was cancelled');
  await expect(askOwner(path, job, () => {}, AbortSignal.abort())).rejects.toThrow('The import was cancelled');
  expect(begun).toHaveLength(1);
});

test('standard input is handed over as a file that is gone afterwards', async () => {
  const files: string[] = [];
  await own(async job => {
    files.push(...(job as Extract<Job, { verb: 'import' }>).files);
    return readFileSync(files[1], 'utf8');
  });
  const result = await submit(
    { verb: 'import', kind: 'cells', files: ['/a.csv', '-'] },
    { stdin: Readable.from(['radio,mcc\n', 'LTE,262\n']) },
  );
  expect(result).toBe('radio,mcc\nLTE,262\n');
  expect(files[0]).toBe('/a.csv');
  expect(readdirSync(join(path, 'spool'))).toEqual([]);
});

test('an owner that takes no jobs is named', async () => {
  owned = takeFolder(path, true);
  await expect(submit(LIST)).rejects.toThrow(
    `The data folder ${path} is in use by process ${process.pid}, which takes no jobs: it is starting, ` +
      `stopping, or a command itself; try again when it is done.`,
  );
});

test('the socket of a killed owner is replaced', async () => {
  takeFolder(path, true)!.release();
  const source =
    `require('node:net').createServer().listen(${JSON.stringify(findSocketAddress(path))}, () => ` +
    `process.stdout.write('listening'));`;
  const killed = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(killed);
  await once(killed.stdout!, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(existsSync(findSocketAddress(path)!)).toBe(true);
  owned = takeFolder(path, true);
  await expect(submit(LIST)).rejects.toThrow('which takes no jobs');
  socket = await openJobSocket(path, async () => 'fine');
  expect(await submit(LIST)).toBe('fine');
});

test('the socket is for its user only and goes with its owner', async () => {
  await own(async () => 'fine');
  const address = join(path, 'owner.sock');
  expect(statSync(address).mode & 0o777).toBe(0o600);
  socket!.close();
  socket = undefined;
  expect(existsSync(address)).toBe(false);
});

test('a stopping owner says that a job was not finished', async () => {
  const begun = gate();
  await own(() => {
    begun.open();
    return new Promise(() => {});
  });
  const running = submit(LIST);
  const waiting = submit({ verb: 'log', id: 1 });
  await begun.opened;
  const refused = Promise.all([
    expect(running).rejects.toThrow('The service is stopping; the job was not finished.'),
    expect(waiting).rejects.toThrow(/The service is stopping|takes no jobs/),
  ]);
  socket!.close();
  socket = undefined;
  await refused;
});

test('an owner that ends without a word is told of', async () => {
  takeFolder(path, true)!.release();
  const server = createServer(connection => connection.once('data', () => connection.destroy()));
  await new Promise<void>(done => server.listen(findSocketAddress(path), done));
  owned = takeFolder(path, false);
  await expect(submit(LIST)).rejects.toThrow(
    'The owner of the data folder ended before the job did; start the job again.',
  );
  await new Promise(done => server.close(done));
});

test('a folder with a long path has its socket elsewhere', async () => {
  path = join(base, 'x'.repeat(60), 'y'.repeat(60), 'var');
  mkdirSync(path, { recursive: true });
  await own(async () => 'fine');
  const address = readFileSync(join(path, 'owner.sock.path'), 'utf8').trim();
  expect(address.startsWith(tmpdir())).toBe(true);
  expect(statSync(join(address, '..')).mode & 0o777).toBe(0o700);
  expect(await submit(LIST)).toBe('fine');
  // A killed owner leaves all of it behind; the next one clears it.
  const next = await openJobSocket(path, async () => 'next');
  expect(existsSync(address)).toBe(false);
  expect(await submit(LIST)).toBe('next');
  const nextAddress = readFileSync(join(path, 'owner.sock.path'), 'utf8').trim();
  next.close();
  expect(existsSync(join(nextAddress, '..'))).toBe(false);
  expect(existsSync(join(path, 'owner.sock.path'))).toBe(false);
  await expect(submit(LIST)).rejects.toThrow('which takes no jobs');
});

test.each([
  ['no JSON', 'hello\n'],
  ['no object', '7\n'],
  ['a line without end', 'x'.repeat(2_000_000)],
])('%s ends the connection and harms nothing', async (_, text) => {
  await own(async () => 'fine');
  await strayLine(text);
  expect(await submit(LIST)).toBe('fine');
});

test.each([
  ['another version', { protocol: 2, job: LIST }, 'another version of Sextant'],
  ['an unknown verb', { protocol: 1, job: { verb: 'fly' } }, 'does not know the job {"verb":"fly"}'],
  ['an unknown action', { protocol: 1, job: { verb: 'keys', action: 'eat' } }, 'does not know the job'],
  ['no job', { protocol: 1 }, 'does not know the job'],
])('%s is refused with an error message', async (_, message, sentence) => {
  await own(() => Promise.reject(new Error('It was run.')));
  const client = connect(findSocketAddress(path)!);
  client.write(`${JSON.stringify(message)}\n`);
  const reply = JSON.parse(await client.setEncoding('utf8').reduce((text, chunk) => text + chunk, ''));
  expect(reply.error).toContain(sentence);
});

/** Sends what no command sends, and waits until the owner has hung up. */
function strayLine(text: string): Promise<void> {
  return new Promise(done => {
    const stray = connect(findSocketAddress(path)!);
    stray.on('error', () => {}); // the owner may hang up before all is sent
    stray.on('close', () => done());
    stray.write(text);
  });
}

function spawnCommand(words: string[]): ChildProcess {
  const source =
    `const { main } = await import(${JSON.stringify(resolve('src/cli.ts'))}); process.exitCode = await ` +
    `main(process.argv.slice(1));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, '--', ...words], { stdio: 'ignore' });
  children.push(child);
  return child;
}

test('keys do not wait for an import, and a second import does', async () => {
  const importing = gate();
  const order: string[] = [];
  await own(async job => {
    order.push(job.verb);
    if (job.verb === 'import') await importing.opened;
    return job.verb;
  });
  const first = submit({ verb: 'import', kind: 'cells', files: ['/a.csv'] });
  const second = submit({ verb: 'import', kind: 'wifi', files: ['/b.csv'] });
  expect(await submit(LIST)).toBe('keys');
  expect(order.filter(verb => verb === 'import').length).toBeLessThanOrEqual(1);
  importing.open();
  expect(await Promise.all([first, second])).toEqual(['import', 'import']);
});
