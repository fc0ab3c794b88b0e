// Checks the request log: chunks can be read and hold the ids of their keys, and the index by time agrees in both
// directions. Requests may be appended and dropped during a check, so a chunk and its row in the index are read in one
// snapshot.

import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import {
  type Check,
  problemIn,
  type Root,
  type Rows,
  reasonOf,
  type TableCheck,
  walkRows,
} from '../environment/check_walk.ts';
import { readSequence, sequenceKey } from '../environment/row.ts';
import { LAST_ID, RECORDS } from './chunk.ts';
import { logTable, openLogEnvironment, readClock } from './environment.ts';
import { unpackGuess } from './guess_table.ts';
import { readRecord, recordLength, recordLogId, recordTimeMs } from './record.ts';
import { LOG_BLOCK_IDS, LogBlocks } from './ring.ts';
import { usageOf } from './usage.ts';

const ID_BYTES = 8;
const TIME_KEY_BYTES = 16;
/** Chunks of one slice: each holds up to 256 KiB of requests, and takes about a millisecond. */
const SLICE = 8;
const REMEDY =
  'move the folder "requests" out of the data folder while nothing uses it: only the log of requests, the usage of ' +
  'keys and their wrong guesses of this week are lost';
const REMEDY_GUESSES =
  'restart the service, which leaves such rows out and removes them: a key may guess there again, and all else is kept';

/**
 * Walks through the request log of a data folder.
 * @throws Error when it cannot be opened
 */
export async function checkRequests(folder: string, check: Check): Promise<void> {
  const path = join(folder, 'requests');
  const root = openLogEnvironment(path);
  const [chunks, byTime] = [logTable(root, 'chunks'), logTable(root, 'by time')];
  const requests = check.table('logged requests', REMEDY);
  check.begin('request log', [chunks, byTime]);
  checkCounter(root, chunks, requests);
  checkClock(root, requests);
  await walkChunks(root, chunks, byTime, check.isQuick, requests);
  await walkTimes(root, chunks, byTime, check.table('request times', REMEDY));
  await walkUsage(root, logTable(root, 'usage'), check.table('usage of keys', REMEDY));
  await walkGuesses(root, logTable(root, 'guesses'), check.table('guesses', REMEDY_GUESSES));
  await root.close();
}

/** Each row of guesses is whole. */
function walkGuesses(root: Root, guesses: Rows, check: TableCheck): Promise<void> {
  return walkRows(root, guesses, check, (key, value) => {
    const what = problemIn(() => void unpackGuess(Buffer.concat([key, value])));
    check.findSome('record', `key ${key.toString('hex')}`, what);
  });
}

/** Each row can be read. */
function walkUsage(root: Root, usage: Rows, check: TableCheck): Promise<void> {
  return walkRows(root, usage, check, (key, value) => {
    try {
      usageOf(key, value);
    } catch (error) {
      check.find('record', `key ${key.toString('hex')}`, reasonOf(error));
    }
  });
}

/** Finds ids above those handed out: they would be given to other requests again. */
function checkCounter(root: Root, chunks: Rows, check: TableCheck): void {
  try {
    new LogBlocks(root);
  } catch (error) {
    check.find('counter', 'counter of log ids', reasonOf(error));
    return;
  }
  root.resetReadTxn();
  const next = root.getBinary(Buffer.from('next block'))?.readDoubleLE(0) ?? 1;
  for (const key of chunks.getKeys({ limit: 1, reverse: true })) {
    const id = key.length === ID_BYTES ? readSequence(key) : 0;
    if (id >= next * LOG_BLOCK_IDS)
      check.find('counter', `request ${id}`, `ids are handed out only up to ${next * LOG_BLOCK_IDS - 1}`);
  }
  root.resetReadTxn();
}

function checkClock(root: Root, check: TableCheck): void {
  root.resetReadTxn();
  try {
    readClock(root);
  } catch (error) {
    check.find('counter', 'clock of retention', reasonOf(error));
  }
  root.resetReadTxn();
}

function walkChunks(root: Root, chunks: Rows, byTime: Rows, isQuick: boolean, check: TableCheck): Promise<void> {
  return walkRows(
    root,
    chunks,
    check,
    (key, value) => {
      if (key.length !== ID_BYTES || value.length < RECORDS) {
        check.find('key', `key ${key.toString('hex')}`, `it is no chunk of requests: it has ${value.length} bytes`);
        return;
      }
      const firstId = readSequence(key);
      const name = `requests from ${firstId} on`;
      const lastId = value.readDoubleLE(LAST_ID);
      if (!(lastId >= firstId && Math.floor(lastId / LOG_BLOCK_IDS) === Math.floor(firstId / LOG_BLOCK_IDS)))
        check.find('record', name, `its last id ${lastId} does not belong there`);
      if (isQuick) return;
      const oldestMs = readChunk(value, firstId, lastId);
      if (typeof oldestMs === 'string') check.find('record', name, oldestMs);
      else if (!byTime.doesExist(Buffer.concat([sequenceKey(Math.floor(oldestMs)), key])))
        check.find('index', name, 'its row in the index by time is missing, so it would be kept too long');
    },
    SLICE,
  );
}

/** @returns time of the oldest request, milliseconds since 1970; or what is wrong with the chunk */
function readChunk(value: Buffer, firstId: number, lastId: number): number | string {
  const ids = new Set<number>();
  let oldestMs = Number.POSITIVE_INFINITY;
  try {
    const records = zstdDecompressSync(value.subarray(RECORDS));
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    for (let at = 0; at < records.length; at += recordLength(view, at)) {
      recordLength(view, at); // refuses a record that is damaged
      readRecord(records, view, at);
      const id = recordLogId(view, at);
      if (ids.has(id)) return `request ${id} stands in it twice`;
      ids.add(id);
      oldestMs = Math.min(oldestMs, recordTimeMs(view, at));
    }
  } catch (error) {
    return `it cannot be read: ${reasonOf(error)}`;
  }
  const sorted = [...ids].sort((a, b) => a - b);
  if (sorted[0] !== firstId || sorted.at(-1) !== lastId)
    return `it says that it holds the ids ${firstId} to ${lastId}, and holds others`;
  return oldestMs >= 0 ? oldestMs : `its oldest request has the time ${oldestMs}`;
}

/** Each row of the index by time is that of a chunk. */
function walkTimes(root: Root, chunks: Rows, byTime: Rows, check: TableCheck): Promise<void> {
  return walkRows(root, byTime, check, (key, value) => {
    if (key.length !== TIME_KEY_BYTES || value.length !== 4) {
      check.find('key', `key ${key.toString('hex')}`, 'it is no row of the index by time');
      return;
    }
    const name = `requests from ${readSequence(key.subarray(8))} on`;
    const chunk = chunks.getBinary(key.subarray(8));
    if (chunk === undefined) check.find('index', name, 'they are in the index by time, and not in the log');
    else if (chunk.length !== value.readUInt32LE(0))
      check.find(
        'index',
        name,
        `the index says that they take ${value.readUInt32LE(0)} bytes, and they take ${chunk.length}`,
      );
  });
}
