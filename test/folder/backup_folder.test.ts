import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { BackupDraft, lastBackupMs, noteBackup, readBackup, restoreBackup } from '../../src/folder/backup_folder.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const FORMAT = '{"application":"sextant","format":1}\n';

let base: string;
let data: string;
let target: string;

beforeEach(() => {
  base = temporaryFolder();
  data = join(base, 'var');
  target = join(base, 'backup');
  mkdirSync(join(data, 'accounts'), { recursive: true });
  writeFileSync(join(data, 'accounts', 'data.mdb'), 'keys');
  writeFileSync(join(data, 'secret'), 'secret');
});

/** Backs both files up. @returns which of them were taken over */
async function backUp(): Promise<string[]> {
  const draft = new BackupDraft(target, data);
  const taken = ['accounts/data.mdb', 'secret'].filter(name => {
    if (draft.takeOver(name, join(data, name))) return true;
    writeFileSync(join(draft.path, name), readFileSync(join(data, name)));
    return false;
  });
  await draft.finish(FORMAT);
  return taken;
}

function restore(to = join(base, 'new')) {
  return restoreBackup(target, to, () => {});
}

test('a backup appears whole, and the next one in its place takes over what has not changed', async () => {
  expect(await backUp()).toEqual([]);
  expect(readdirSync(base).sort()).toEqual(['backup', 'var']);
  expect(Object.keys(readBackup(target).files)).toEqual(['accounts/data.mdb', 'secret']);
  expect(await backUp()).toEqual(['accounts/data.mdb', 'secret']);
  writeFileSync(join(data, 'secret'), 'other!');
  expect(await backUp()).toEqual(['accounts/data.mdb']);
  expect(readFileSync(join(target, 'secret'), 'utf8')).toBe('other!');
  expect(readdirSync(base).sort()).toEqual(['backup', 'var']);
  expect(statSync(join(target, 'secret')).nlink).toBe(1);
});

test('a file of the backup that somebody has changed is copied again', async () => {
  await backUp();
  const { atime } = statSync(join(target, 'secret'));
  writeFileSync(join(target, 'secret'), 'SECRET');
  utimesSync(join(target, 'secret'), atime, new Date(0));
  expect(await backUp()).toEqual(['accounts/data.mdb']);
  expect(readFileSync(join(target, 'secret'), 'utf8')).toBe('secret');
});

test('a backup that is broken off is none, and the one before stays', async () => {
  const draft = new BackupDraft(target, data);
  writeFileSync(join(draft.path, 'secret'), 'secret');
  expect(() => readBackup(draft.path)).toThrow('is no complete backup of Sextant');
  expect(existsSync(target)).toBe(false);
  await backUp();
  expect(readdirSync(base).sort()).toEqual(['backup', 'var']);
  new BackupDraft(target, data).discard();
  expect(Object.keys(readBackup(target).files)).toHaveLength(2);
});

test('a kill between the two renames loses nothing', async () => {
  await backUp();
  renameSync(target, `${target}.replaced`);
  expect(await backUp()).toEqual(['accounts/data.mdb', 'secret']);
  expect(readdirSync(base).sort()).toEqual(['backup', 'var']);
});

test('nothing but a backup is replaced, and no backup lies in what it copies', async () => {
  mkdirSync(target);
  await backUp();
  rmSync(join(target, 'BACKUP'));
  expect(() => new BackupDraft(target, data)).toThrow(`${target} is neither empty nor a backup of Sextant`);
  expect(existsSync(join(target, 'secret'))).toBe(true);
  expect(() => new BackupDraft(join(data, 'backup'), data)).toThrow('would lie in the data folder');
  expect(() => new BackupDraft(data, data)).toThrow('would lie in the data folder');
  expect(() => new BackupDraft(join(base, 'missing', 'backup'), data)).toThrow(
    `There is no folder ${join(base, 'missing')}`,
  );
});

test.skipIf(process.platform !== 'linux')('who writes a backup is said where he may not write', () => {
  // Not even root may make a folder there.
  expect(() => new BackupDraft('/sys/backup', data)).toThrow(
    new RegExp(
      `^The backup is written by user \\S+ \\(process ${process.pid}\\), who may not write into /sys\\. .+\\.$`,
    ),
  );
});

test('when the last backup was complete is noted, and nothing else is taken for it', () => {
  expect(lastBackupMs(data)).toBeUndefined();
  noteBackup(data, 1_764_000_000_000);
  expect(lastBackupMs(data)).toBe(1_764_000_000_000);
});

test('a restored folder has the files of the backup, readable only by its user', async () => {
  await backUp();
  const restored = await restore();
  restored.release();
  const folder = join(base, 'new');
  expect(readdirSync(folder).sort()).toEqual(['FORMAT', 'accounts', 'owner.lock', 'secret']);
  expect(readFileSync(join(folder, 'FORMAT'), 'utf8')).toBe(FORMAT);
  expect(readFileSync(join(folder, 'accounts', 'data.mdb'), 'utf8')).toBe('keys');
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await expect(restore()).rejects.toThrow('is not empty');
});

test('a restore that was broken off may be repeated', async () => {
  await backUp();
  const folder = join(base, 'new');
  mkdirSync(join(folder, 'accounts'), { recursive: true });
  writeFileSync(join(folder, 'RESTORING'), '');
  writeFileSync(join(folder, 'accounts', 'data.mdb'), 'ke');
  (await restore()).release();
  expect(readFileSync(join(folder, 'accounts', 'data.mdb'), 'utf8')).toBe('keys');
});

test('a backup that lacks something is refused before anything is written', async () => {
  await backUp();
  writeFileSync(join(target, 'accounts', 'data.mdb'), 'ke');
  await expect(restore()).rejects.toThrow(
    `The backup ${target} is damaged: accounts/data.mdb has 2 bytes instead of 4.`,
  );
  expect(existsSync(join(base, 'new'))).toBe(false);
  rmSync(join(target, 'FORMAT'));
  await expect(restore()).rejects.toThrow('is no complete backup of Sextant');
  await expect(restoreBackup(data, join(base, 'new'), () => {})).rejects.toThrow('is no complete backup of Sextant');
});

test('a list that leads out of the backup is refused', async () => {
  await backUp();
  const list = readBackup(target);
  list.files['../var/secret'] = list.files.secret;
  writeFileSync(join(target, 'BACKUP'), JSON.stringify(list));
  await expect(restore()).rejects.toThrow('it lists ../var/secret, which is no file of it');
});
