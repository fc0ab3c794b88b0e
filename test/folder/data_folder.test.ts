import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderInUse, type OwnedFolder, requireFolder, spoolFolder, takeFolder } from '../../src/folder/data_folder.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let base: string;
let path: string;
const owned: OwnedFolder[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  base = temporaryFolder();
  path = join(base, 'var');
});

afterEach(async () => {
  for (const folder of owned.splice(0)) folder.release();
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

const fail = (sentence: string): never => {
  throw new Error(sentence);
};

function take(create = true): OwnedFolder | undefined {
  const folder = takeFolder(path, create);
  if (folder !== undefined) owned.push(folder);
  return folder;
}

/** A process that owns the folder until it is killed. */
async function ownerProcess(): Promise<ChildProcess> {
  const source = `
    import { takeFolder } from ${JSON.stringify(resolve('src/folder/data_folder.ts'))};
    const folder = takeFolder(${JSON.stringify(path)}, true);
    process.stdout.write(folder === undefined ? 'refused' : 'owned');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = await once(child.stdout!, 'data');
  expect(String(said)).toBe('owned');
  return child;
}

/** All files below the folder with their contents. */
function contents(): Record<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.map(name => [name, statSync(join(path, name)).isFile() ? readFileSync(join(path, name), 'utf8') : '/']),
  );
}

test('a missing folder is made, private, and is new only once', () => {
  path = join(base, 'deep', 'var');
  const first = take();
  expect(first).toMatchObject({ path, isNew: true });
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(JSON.parse(readFileSync(join(path, 'FORMAT'), 'utf8'))).toEqual({ application: 'sextant', format: 1 });
  first!.release();
  expect(take()).toMatchObject({ isNew: false });
});

test('an empty folder that stood open is taken over and closed to others', () => {
  mkdirSync(join(path, 'lost+found'), { recursive: true });
  chmodSync(path, 0o755);
  expect(take()).toMatchObject({ isNew: true });
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test.runIf(process.platform !== 'win32').each(['770', '702', '777', '1777'])(
  'a folder of mode %s, to which others may write, is closed with a sentence',
  mode => {
    take()!.release();
    chmodSync(path, mode);
    const said: string[] = [];
    takeFolder(path, false, sentence => said.push(sentence))!.release();
    expect(said).toEqual([
      `Other users of the machine could write to the data folder ${path}; now only its user may enter it.`,
    ]);
    expect(statSync(path).mode & 0o7777).toBe(0o700);
    takeFolder(path, false, sentence => said.push(sentence))!.release();
    expect(said).toHaveLength(1);
  },
);

test.runIf(process.platform !== 'win32')('a folder that others may only read stays as it is', () => {
  take()!.release();
  chmodSync(path, 0o750);
  takeFolder(path, false, fail)!.release();
  expect(statSync(path).mode & 0o777).toBe(0o750);
});

const IS_ROOT = process.getuid?.() === 0;
if (!IS_ROOT) console.log('Skipped: folders of other users need root.');

test.runIf(IS_ROOT)(
  'a folder of somebody else to which others may write is refused, unless a group of this user lends it',
  () => {
    take()!.release();
    chmodSync(base, 0o755);
    const program = resolve('src/folder/data_folder.ts');
    const source =
      `import(${JSON.stringify(program)}).then(({ takeFolder }) => takeFolder(${JSON.stringify(path)}, ` +
      `false)).then(() => console.log('taken'), error => console.log(error.message))`;
    const taken = (uid: number, gid: number) => {
      const { stdout } = spawnSync(process.execPath, ['-e', source], { uid, gid, encoding: 'utf8' });
      return stdout.trim();
    };
    for (const name of ['.', 'FORMAT', 'owner.lock']) chownSync(join(path, name), 4711, 4712);
    for (const name of ['FORMAT', 'owner.lock']) chmodSync(join(path, name), 0o666);
    chmodSync(path, 0o777);
    const refusal =
      `Other users of the machine may write to the data folder ${path}, which belongs to user 4711; have that ` +
      `user chmod 700 it, or name a new folder in it with --data.`;
    expect(taken(4713, 4712)).toBe(refusal);
    chmodSync(path, 0o2775);
    expect(taken(4713, 4714)).toBe(refusal);
    expect(taken(4713, 4712)).toBe('taken');
    expect(statSync(path).mode & 0o7777).toBe(0o2775);
  },
);

test('reading commands do not make a folder', () => {
  expect(() => take(false)).toThrow(
    `There is no data folder ${path}; name another with --data, or make one with npm start.`,
  );
  expect(existsSync(path)).toBe(false);
  mkdirSync(path);
  expect(() => take(false)).toThrow('There is no data folder');
  expect(readdirSync(path)).toEqual([]);
});

test('there is one owner, also within a process', () => {
  const first = take();
  expect(take()).toBeUndefined();
  expect(folderInUse(path).message).toBe(`The data folder ${path} is in use by process ${process.pid}.`);
  first!.release();
  expect(take()).toBeDefined();
});

test('another process is named, and its kill frees the folder', async () => {
  const child = await ownerProcess();
  expect(take()).toBeUndefined();
  expect(folderInUse(path).message).toBe(`The data folder ${path} is in use by process ${child.pid}.`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(take()).toMatchObject({ isNew: false });
});

test('an owner that has not written its number yet is another process', () => {
  take();
  writeFileSync(join(path, 'owner.lock'), '');
  expect(folderInUse(path).message).toBe(`The data folder ${path} is in use by another process.`);
});

test('a folder left half made by a kill is made whole', () => {
  mkdirSync(path);
  writeFileSync(join(path, 'owner.lock'), '4711\n');
  writeFileSync(join(path, 'FORMAT.new'), '{"appl');
  expect(take()).toMatchObject({ isNew: true });
  expect(readdirSync(path).sort()).toEqual(['FORMAT', 'owner.lock']);
});

test('input that a killed command left behind is cleared', () => {
  take()!.release();
  writeFileSync(join(spoolFolder(path), '1-2'), 'radio,mcc');
  take();
  expect(readdirSync(path).sort()).toEqual(['FORMAT', 'owner.lock']);
});

test.each([
  [
    'a foreign folder',
    { 'notes.txt': 'mine' },
    'is not a data folder of Sextant: it holds "notes.txt" but no FORMAT file; choose an empty or a new folder ' +
      'with --data.',
  ],
  [
    'a folder of another format',
    { FORMAT: '{"application":"sextant","format":2}' },
    'has format 2, and this version reads format 1; run the version that wrote it, or export with that version and ' +
      'import with this one.',
  ],
  ['an empty FORMAT', { FORMAT: '' }, 'is damaged or not Sextant'],
  ['a cut FORMAT', { FORMAT: '{"application":"sext' }, 'is damaged or not Sextant'],
  ['a FORMAT of something else', { FORMAT: '{"application":"other","format":1}' }, 'is damaged or not Sextant'],
  ['a FORMAT without a version', { FORMAT: '{"application":"sextant"}' }, 'is damaged or not Sextant'],
  ['a FORMAT that is no object', { FORMAT: 'null' }, 'is damaged or not Sextant'],
])('%s is refused and left as it is', (_, files, sentence) => {
  mkdirSync(path);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const before = contents();
  expect(() => take()).toThrow(sentence);
  expect(() => take(false)).toThrow(sentence);
  expect(contents()).toEqual(before);
});

test('a file in the place of the folder is refused', () => {
  writeFileSync(path, 'mine');
  expect(() => take()).toThrow(`The data folder ${path} cannot be used: it is a file.`);
  expect(() => take(false)).toThrow(`${path} is a file, not a data folder.`);
  path = join(path, 'below');
  expect(() => take()).toThrow(`The data folder ${path} cannot be used: a part of the path is a file.`);
});

const isRoot = process.getuid?.() === 0;
if (isRoot) console.log('Skipped: root may write everywhere, so a refusal of the file system cannot be had.');

test.skipIf(isRoot)('a folder that this user may not write is refused', () => {
  chmodSync(base, 0o500);
  expect(() => take()).toThrow(`The data folder ${path} cannot be used: permission denied.`);
  chmodSync(base, 0o700);
});

test('a folder may be read whoever owns it, but not one that is missing or foreign', () => {
  expect(() => requireFolder(path)).toThrow(`There is no data folder ${path};`);
  mkdirSync(path);
  expect(() => requireFolder(path)).toThrow(`There is no data folder ${path};`);
  take();
  expect(() => requireFolder(path)).not.toThrow();
  writeFileSync(join(base, 'photo.jpg'), '');
  expect(() => requireFolder(base)).toThrow(`${base} is not a data folder of Sextant`);
});
