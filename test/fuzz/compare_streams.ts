// Sends the same bytes to a server with the fast lane and to one without, over connections in memory, and compares what
// comes back: every status line, header and body, and whether the connection was ended or destroyed. Log ids, dates and
// seconds to wait differ by nature and are masked.
//
// A client may be hasty: it sends before it is answered. If what it sends then is broken, or is its end, `node:http`
// drops the answers that are under way. How many those are depends on a millisecond; the lane always answers the
// request that it has. So a hasty stream is also sent piece by piece, with nothing to drop. The lane must give the same
// answers, and may drop some before the last where `node:http` drops as many or more.

import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { hashKey } from '../../src/accounts/key.ts';
import { Dice } from '../corpus/dice.ts';
import { importDrawnExtract } from '../kits/places/extracts.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';
import { send } from '../kits/service_process.ts';
import { type DrawnStream, StreamSource } from './draw_stream.ts';
import { MemorySocket } from './memory_socket.ts';

/** What a run found. */
export interface StreamTotals {
  streams: number;
  /** Requests that reached Fastify's routes on the server without the lane. */
  requests: number;
  /** How many of them the lane answered. */
  taken: number;
  /** Answers by their status. */
  statuses: Map<string, number>;
  /** The first differences: what was sent, and what each server did. */
  differences: string[];
}

const STREAMS_AT_ONCE = 50;
const DIFFERENCES_MAX = 5;
/**
 * Place of the limited key among the keys, and how many streams use it: they take far less than the hundred seconds of
 * its limit.
 */
const LIMITED = 1;
const LIMITED_STREAMS = 2_000;
/** Turns of the event loop in which a server has done what it does without waiting for anybody. */
const PAUSE_TURNS = 3;
const TURNS_MAX = 40;
/** For what takes another thread or the disk. */
const WAITS_MAX = 100;
const WAIT_MILLISECONDS = 5;
/** For the answer of another thread on a busy machine. */
const SLOW_WAITS_MAX = 400;
/** Behind so many pieces of a request there is no pause more: the lane has left the connection to node:http by then. */
const CALM_PIECES_MAX = 24;

/** More than a run can spend. */
const CREDITS = 1_000_000_000;
const DEMO_POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

/** A stream, and the connections over which it is sent. */
interface Trial {
  drawn: DrawnStream;
  lane: MemorySocket;
  plain: MemorySocket;
  /** Without the lane, and with a pause behind each piece: for a hasty stream that the other two answer differently. */
  calm: MemorySocket | undefined;
}

/** Compares streams drawn from a seed. */
export async function compareStreams(count: number, seed: number): Promise<StreamTotals> {
  const parts = await serveParts({ mode: 'inline', workers: 1, ringBytes: 65_536 }, importDrawnExtract);
  try {
    const keys = await makeKeys(parts);
    const plain = await parts.serveBeside(['--no-fast-lane']);
    const totals: StreamTotals = { streams: 0, requests: 0, taken: 0, statuses: new Map(), differences: [] };
    countRequests(totals, parts.server, plain);
    const source = new StreamSource(new Dice(seed), keys);
    for (let left = count; left > 0 && totals.differences.length < DIFFERENCES_MAX; left -= LIMITED_STREAMS) {
      keys[LIMITED] = await makeLimitedKey(parts, left);
      await run(totals, parts.server, plain, source, Math.min(left, LIMITED_STREAMS));
    }
    return totals;
  } finally {
    await parts.close();
  }
}

/** Keys for every way in which a key can matter, percent-encoded. */
async function makeKeys({ accountWriter, port }: ServedParts): Promise<string[]> {
  await accountWriter.create({ keyHash: hashKey('unlimited'), createdMs: 0 });
  await accountWriter.create({ keyHash: hashKey('sx_bearer'), createdMs: 0 });
  await accountWriter.create({ keyHash: hashKey('empty'), createdMs: 0, credits: 0 });
  await accountWriter.create({ keyHash: hashKey('pre paid'), createdMs: 0, credits: CREDITS });
  await accountWriter.create({ keyHash: hashKey('expired'), createdMs: 0, expires: '2020-01-01' });
  // A rate below the least: the record counts as damaged, and each request as a fault of ours.
  await accountWriter.create({ keyHash: hashKey('damaged'), createdMs: 0, ratePerSecond: 0.000_01 });
  // The first charge waits for its credits.
  await send(`http://127.0.0.1:${port}`, { path: '/?key=pre%20paid', body: DEMO_POINTS });
  return ['unlimited', 'limited', 'empty', 'expired', 'damaged', 'unknown', 'null', '', 'pre%20paid', 'pre+paid'];
}

/** Counts the requests that reach Fastify. Those of calm connections are repetitions. */
function countRequests(totals: StreamTotals, laneServer: Server, plainServer: Server): void {
  laneServer.on('request', () => totals.taken--);
  plainServer.on('request', ({ socket }) => {
    if ((socket as unknown as MemorySocket).isRepetition) return;
    totals.requests++;
    totals.taken++;
  });
}

/** A key that may ask once in a hundred seconds, and has. */
async function makeLimitedKey({ accountWriter, port }: ServedParts, number: number): Promise<string> {
  const key = `limited${number}`;
  await accountWriter.create({ keyHash: hashKey(key), createdMs: 0, ratePerSecond: 0.01 });
  await send(`http://127.0.0.1:${port}`, { path: `/?key=${key}`, body: {} });
  return key;
}

async function run(
  totals: StreamTotals,
  laneServer: Server,
  plainServer: Server,
  source: StreamSource,
  count: number,
): Promise<void> {
  for (let left = count; left > 0; left -= STREAMS_AT_ONCE) {
    const trials: Trial[] = Array.from({ length: Math.min(STREAMS_AT_ONCE, left) }, () => {
      return { drawn: source.draw(), lane: connect(laneServer), plain: connect(plainServer), calm: undefined };
    });
    await Promise.all(trials.map(({ drawn, lane, plain }) => feed([lane, plain], drawn, false)));
    await settle(trials);
    const hasty = trials.filter(trial => !isAnsweredAlike(trial) && trial.drawn.isHasty);
    for (const trial of hasty) {
      trial.calm = connect(plainServer);
      trial.calm.isRepetition = true;
    }
    await Promise.all(hasty.map(({ drawn, calm }) => feed([calm!], drawn, true)));
    await settle(hasty);
    for (const trial of trials) {
      if (!isAnsweredAlike(trial)) totals.differences.push(describe(trial));
      for (const [, status] of resultOf(trial.lane).matchAll(/HTTP\/1\.1 (\d+) /g)) {
        totals.statuses.set(status, (totals.statuses.get(status) ?? 0) + 1);
      }
      for (const socket of [trial.lane, trial.plain, trial.calm]) socket?.destroy();
    }
    totals.streams += trials.length;
  }
}

function connect(server: Server): MemorySocket {
  const socket = new MemorySocket();
  server.emit('connection', socket);
  return socket;
}

/** @param isCalm with a pause behind each piece */
async function feed(sockets: readonly MemorySocket[], { pieces, last }: DrawnStream, isCalm: boolean): Promise<void> {
  let ofRequest = 0;
  let answered = sockets.map(({ bytesWritten }) => bytesWritten);
  for (const { bytes, isPause, isLast, isSlow } of pieces) {
    for (const socket of sockets) socket.feed(bytes);
    if (isCalm ? isLast || ofRequest < CALM_PIECES_MAX : isPause) await turns(PAUSE_TURNS);
    const isAnswered = (socket: MemorySocket, i: number) =>
      socket.bytesWritten > answered[i] || socket.hasEnded || socket.destroyed;
    for (let count = 0; isSlow && count < SLOW_WAITS_MAX && !sockets.every(isAnswered); count++)
      await wait(WAIT_MILLISECONDS);
    if (isLast) answered = sockets.map(({ bytesWritten }) => bytesWritten);
    ofRequest = isLast ? 0 : ofRequest + 1;
  }
  for (const socket of sockets) {
    if (last === 'end') socket.feedEnd();
    else if (last === 'break') socket.destroy();
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/** Waits until the servers have done the same with every stream, for a bounded time. */
async function settle(trials: readonly Trial[]): Promise<void> {
  await turns(PAUSE_TURNS);
  const isSettled = (trial: Trial): boolean =>
    (trial.drawn.isHasty && trial.calm === undefined) || isAnsweredAlike(trial);
  for (let turn = 0; turn < TURNS_MAX && !trials.every(isSettled); turn++) await nextTurn();
  for (let count = 0; count < WAITS_MAX && !trials.every(isSettled); count++) await wait(WAIT_MILLISECONDS);
}

function isAnsweredAlike({ drawn, lane, plain, calm }: Trial): boolean {
  // Nobody reads the answers to a client that has gone.
  if (drawn.last === 'break' && drawn.isHasty) return lane.destroyed === plain.destroyed;
  if (resultOf(lane) === resultOf(plain)) return true;
  if (calm === undefined || ![plain, calm].some(socket => stateOf(socket) === stateOf(lane))) return false;
  const [ours, hasty, whole] = [lane, plain, calm].map(answersOf);
  if (ours.length < hasty.length || ours.length > whole.length) return false;
  const lasts = [whole[ours.length - 1], whole.at(-1), hasty.at(-1)];
  return ours.slice(0, -1).every((answer, i) => answer === whole[i]) && lasts.includes(ours.at(-1));
}

/** What a server has answered, and how it left the connection. */
function resultOf(socket: MemorySocket): string {
  return `${answersOf(socket).join('')}\n[${stateOf(socket)}]`;
}

function answersOf({ answer }: MemorySocket): string[] {
  const masked = answer
    .replace(/"(logId|credits)":\d+/g, '"$1":1')
    .replace(/^content-length: \d+\r$/gm, 'content-length: 1\r')
    .replace(/^Date: .*GMT\r$/gm, 'Date: now\r')
    .replace(/^(retry-after|x-log-id): \d+\r$/gm, '$1: 1\r');
  return masked.split(/(?=HTTP\/1\.1 \d)/).filter(text => text !== '');
}

function stateOf({ hasEnded, destroyed }: MemorySocket): string {
  return `${hasEnded ? 'ended' : 'open'}, ${destroyed ? 'destroyed' : 'alive'}`;
}

function describe({ drawn, lane, plain, calm }: Trial): string {
  const sent = drawn.pieces.map(
    ({ bytes, isPause }) => JSON.stringify(bytes.toString('latin1')) + (isPause ? ' pause\n' : ' '),
  );
  const slowly = calm === undefined ? '' : `--- without, piece by piece\n${resultOf(calm)}\n`;
  return (
    `${sent.join('')}${drawn.last}\n--- with the lane\n${resultOf(lane)}\n--- ` +
    `without\n${resultOf(plain)}\n${slowly}`
  );
}
