// Checks the account table: records, the index by key hash in both directions, and the devices of each month.

import { join } from 'node:path';
import {
  type Check,
  openRows,
  RESTORE,
  type Root,
  type Rows,
  reasonOf,
  type TableCheck,
  walkRows,
} from '../environment/check_walk.ts';
import { openEnvironment } from '../environment/open_environment.ts';
import { numberKey } from '../environment/row.ts';
import { ACCOUNT, type Account } from './account_record.ts';
import { AccountTable } from './accounts.ts';
import { readNumber } from './rows.ts';

const ID_BYTES = 4;
const HASH_BYTES = 32;
const MONTH_ROW_BYTES = 6;
const DEVICE_ROW_BYTES = 14;
const NEXT_KEY = Buffer.from('next');

type Tables = Record<'meta' | 'byId' | 'byHash' | 'devices', Rows>;

/**
 * Walks through the account table of a data folder.
 * @throws Error when it cannot be opened
 */
export async function checkAccounts(folder: string, check: Check): Promise<void> {
  // Its own opening knows file and format.
  await new AccountTable(folder, { readOnly: true }).close();
  const root = openEnvironment(join(folder, 'accounts'), { maxDbs: 8, readOnly: true });
  const rows = (name: string): Rows => openRows(root, name);
  const tables: Tables = { meta: rows('meta'), byId: rows('byId'), byHash: rows('byHash'), devices: rows('devices') };
  check.begin('accounts', [tables.byId, tables.byHash, tables.devices]);
  await walkAccounts(root, tables, check.table('accounts', RESTORE));
  await walkHashes(root, tables, check.table('account keys', RESTORE));
  await walkDevices(root, tables, check.table('devices', RESTORE));
  await root.close();
}

function walkAccounts(root: Root, { byId, byHash, meta }: Tables, check: TableCheck): Promise<void> {
  return walkRows(root, byId, check, (key, value) => {
    if (key.length !== ID_BYTES) {
      check.find('key', `key ${key.toString('hex')}`, 'it is no number of an account');
      return;
    }
    const id = key.readUInt32BE(0);
    const name = `account ${id}`;
    const account = decode(value);
    if (typeof account === 'string') {
      check.find('record', name, account);
      return;
    }
    if (account.id !== id) check.find('record', name, `its record is that of account ${account.id}`);
    const next = readNumber(meta, NEXT_KEY);
    if (next === undefined || next <= id)
      check.find('counter', name, `its number will be given again: the next one is ${next}`);
    for (const hash of hashesOf(account)) {
      const indexed = byHash.getBinary(Buffer.from(hash, 'hex'));
      if (indexed === undefined) check.find('index', name, 'its key is missing in the index, so the key is refused');
      else if (!indexed.equals(key))
        check.find('index', name, `the index has its key for another account (${indexed.toString('hex')})`);
    }
  });
}

/** Of its key, and of the one before a rotation. */
function hashesOf({ keyHash, previous }: Account): string[] {
  return previous === undefined ? [keyHash] : [keyHash, previous.keyHash];
}

function decode(record: Buffer): Account | string {
  try {
    return ACCOUNT.decode(record);
  } catch (error) {
    return `its record is damaged: ${reasonOf(error)}`;
  }
}

/** Each key leads to the account that has it. */
function walkHashes(root: Root, { byId, byHash }: Tables, check: TableCheck): Promise<void> {
  return walkRows(root, byHash, check, (key, value) => {
    const name = `key hash ${key.toString('hex')}`;
    if (key.length !== HASH_BYTES) check.find('key', name, `it has ${key.length} bytes instead of ${HASH_BYTES}`);
    else if (value.length !== ID_BYTES)
      check.find('record', name, `its row has ${value.length} bytes instead of ${ID_BYTES}`);
    else check.findSome('index', name, problemWithHash(key, value, byId));
  });
}

function problemWithHash(hash: Buffer, id: Buffer, byId: Rows): string | undefined {
  const record = byId.getBinary(id);
  if (record === undefined) return `it leads to account ${id.readUInt32BE(0)}, which does not exist`;
  const account = decode(record);
  // A damaged record is told where the accounts are walked through.
  if (typeof account === 'string' || hashesOf(account).includes(hash.toString('hex'))) return undefined;
  return `it leads to account ${account.id}, which has another key`;
}

/** Each month's number of devices is that of its rows. A past month is removed piece by piece, its number first. */
function walkDevices(root: Root, { byId, devices }: Tables, check: TableCheck): Promise<void> {
  return walkRows(root, devices, check, (key, value) => {
    if (key.length !== MONTH_ROW_BYTES && key.length !== DEVICE_ROW_BYTES) {
      check.find('key', `key ${key.toString('hex')}`, 'it is neither a month nor a device');
      return;
    }
    const id = key.readUInt32BE(0);
    const name = `account ${id}, month ${key.readUInt16BE(4)}`;
    if (key.length === DEVICE_ROW_BYTES) {
      if (value.length > 0) check.find('record', name, 'a device has a value, and none belongs there');
      return;
    }
    if (!byId.doesExist(numberKey(id))) check.find('index', name, 'there is no such account');
    const behind = Buffer.concat([key, Buffer.alloc(DEVICE_ROW_BYTES, 0xff)]);
    const counted = devices.getKeysCount({ start: key, end: behind }) - 1;
    const stored = value.length === 4 ? value.readUInt32BE(0) : undefined;
    if (stored !== counted)
      check.find('counter', name, `${stored ?? 'no number'} devices are counted, and ${counted} are there`);
  });
}
