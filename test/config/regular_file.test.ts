// Files that are no files: links to devices, pipes and folders, in every place where the service reads a file of its
// data folder or one that the operator names.

import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tokenHash } from '../../src/api/admin/token.ts';
import { readCertificate } from '../../src/commands/service/certificate.ts';
import { readMembers } from '../../src/config/file.ts';
import { readRegularFile } from '../../src/config/regular_file.ts';
import { readBackup } from '../../src/folder/backup_folder.ts';
import { requireFolder, takeFolder } from '../../src/folder/data_folder.ts';
import { readOptedOut } from '../../src/folder/opted_out.ts';
import { readOwnerPid, tryOwnerLock } from '../../src/folder/owner_lock.ts';
import { folderSecrets } from '../../src/folder/secret.ts';
import { findSocketAddress } from '../../src/jobs/socket_messages.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { checkPages } from '../../src/tables/environment/check_pages.ts';
import { SectionFile } from '../../src/tables/environment/section_file.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { RequestLog } from '../../src/tables/requests/request_log.ts';
import { RecordFile } from '../../src/tables/sources/record_file.ts';
import { currentGeneration } from '../../src/tables/stations/generation.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** The path of a file in the folder, whose own folder is there. */
function pathOf(name: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

test('a regular file is read up to its limit, also through a link', () => {
  const file = pathOf('file');
  writeFileSync(file, '12345');
  symlinkSync(file, pathOf('link'));
  for (const name of ['file', 'link']) expect(readRegularFile(pathOf(name), 5).toString()).toBe('12345');
  expect(() => readRegularFile(file, 4)).toThrow('it has more than 4 bytes');
  writeFileSync(file, '');
  expect(readRegularFile(file, 4)).toHaveLength(0);
  expect(() => readRegularFile(pathOf('none'), 4)).toThrow('ENOENT');
});

const NO_FILES: [string, (path: string) => unknown][] = [
  ['a link to a device without an end', path => symlinkSync('/dev/zero', path)],
  ['a link to a device without a byte', path => symlinkSync('/dev/null', path)],
  ['a pipe', path => spawnSync('mkfifo', [path])],
  ['a folder', path => mkdirSync(path)],
];
/** Each file, and what reads it. */
const READERS: [string, (path: string) => unknown][] = [
  ['secret', () => folderSecrets(folder, 0)],
  ['admin.token', () => tokenHash(folder, 'admin.token')],
  ['FORMAT', () => requireFolder(folder)],
  ['FORMAT', () => takeFolder(folder, true)],
  ['owner.lock', () => tryOwnerLock(folder)],
  ['owner.lock', () => readOwnerPid(folder)],
  ['opted_out', () => readOptedOut(folder)],
  ['stations/CURRENT', () => currentGeneration(folder)],
  ['accounts/data.mdb', () => new AccountTable(folder)],
  ['accounts/data.mdb', path => checkPages(dirname(path))],
  ['requests/data.mdb', () => RequestLog.open(folder, 1, () => {})],
  ['observations/data.mdb', () => new ObservationLog(folder, 'commit')],
  ['sources/1', path => new RecordFile(path, 8)],
  ['places/index/data.mdb', path => new SectionFile(dirname(path))],
  ['sextant.json', readMembers],
  ['cert.pem', path => readCertificate({ tlsCertificateFile: path, tlsKeyFile: path })],
];
const CASES = READERS.flatMap(([name, read]) => NO_FILES.map(([kind, make]) => [name, kind, read, make] as const));

test.runIf(process.platform === 'linux').each(CASES)('%s that is %s is refused', (name, _, read, make) => {
  const path = pathOf(name);
  make(path);
  expect(() => read(path)).toThrow(/is no file|EISDIR|it is a folder/);
});

test.runIf(process.platform === 'linux').each(NO_FILES)('a list of a backup that is %s makes no backup', (_, make) => {
  writeFileSync(pathOf('FORMAT'), '{}');
  make(pathOf('BACKUP'));
  expect(() => readBackup(folder)).toThrow('is no complete backup of Sextant');
});

test.runIf(process.platform === 'linux').each(NO_FILES)('a pointer to the socket that is %s is refused', (_, make) => {
  // The path of the folder is too long for the address of a socket itself.
  const pointer = pathOf(`${'x'.repeat(120)}/owner.sock.path`);
  make(pointer);
  expect(() => findSocketAddress(dirname(pointer))).toThrow(/is no file|EISDIR/);
});

test.each(['secret', 'admin.token', 'FORMAT', 'stations/CURRENT', 'cert.pem', 'sextant.json'])(
  '%s that is too large is refused',
  name => {
    const path = pathOf(name);
    writeFileSync(path, Buffer.alloc(2_000_000, 0x31), { mode: 0o600 });
    const read = READERS.find(([each]) => each === name)![1];
    expect(() => read(path)).toThrow('it has more than');
  },
);
