// What do the town and the address of a position cost? A service has the places of Liechtenstein and access points in
// all of its houses. It locates the same devices, all over the country, with three requests: the position alone, with
// the town, with the address. A fourth request asks GET /reverse for the address of the device's position. A second
// service has the same access points but no extract, and answers positions alone: texts that are not requested should
// cost nothing. All types of requests take turns.

import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesFolder } from '../src/tables/places/generations.ts';
import { shuffled, uniform } from '../test/kits/random.ts';
import { LIECHTENSTEIN, makeHouseFolder } from './house_folder.ts';
import { type HouseWorld, houseWorldScan } from './house_world.ts';
import { compileGenerator, runSlice } from './load/generator.ts';
import { probeStealTime } from './machine.ts';
import type { MicroMeasured } from './micro/harness.ts';
import { type Asked, renderBody, renderRequest, type Scan, writeRequests } from './requests.ts';
import { type Promised, printTable, type Table } from './result.ts';
import {
  freePorts,
  processorSeconds,
  type Server,
  startSextant,
  stopServers,
  waitUntilAnswering,
  waitUntilQuiet,
} from './server.ts';
import { median, medianRatio } from './statistics.ts';

const REQUESTS = 10_000;
const CONNECTIONS = 64;
const WARM_MILLISECONDS = 200;
/** Length of a slice, as a part of those of `path`: processor time per request varies less than requests a second. */
const SLICE_PART = 0.4;
const EXTRACTS = ['none', 'Liechtenstein'] as const;
/** Answers of each type that are checked, and the share that must have what was requested. */
const CHECKED = 200;
const DESCRIBED_AT_LEAST = 0.9;

/** Most that an address may add to a position. */
const ADDRESS_MICROSECONDS = 60;
/** How far positions without texts may differ: two processes of the same program differ by some percent. */
const SAME = 0.1;

type Extract = (typeof EXTRACTS)[number];

/** One type of request to one service. */
interface Case {
  extract: Extract;
  asks: string;
  /** Target and body of a device's request; a GET if there is no body. */
  ask(device: Scan): { target: string; body: string | undefined };
  /** Member that a good answer has. */
  member: 'location' | 'geoname' | 'address';
  /** Processor time of the service for a request in microseconds, one value for each round. */
  serverMicroseconds: number[];
}

/**
 * Measures both services in rounds.
 * @returns undefined, after a message, if the extract is missing
 * @throws Error when answers lack what was requested
 */
export async function benchAddresses(
  seed: number,
  rounds: number,
  sliceMilliseconds: number,
): Promise<MicroMeasured | undefined> {
  if (!existsSync(LIECHTENSTEIN)) {
    console.log(`\nWhat names and addresses cost is left out: there is no ${LIECHTENSTEIN}.`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sextant-described-'));
  try {
    const { houseWorld, key } = await fillFolders(folder, seed);
    const devices = Array.from({ length: REQUESTS }, (_, number) => houseWorldScan(houseWorld, number));
    const cases = openCases(key);
    cases.forEach((each, i) => {
      const requests = devices.map(device => each.ask(device)).map(({ target, body }) => renderRequest(target, body));
      writeRequests(requestFile(folder, i), requests);
    });
    const loss = await probeStealTime();
    await alternateServices(folder, devices, cases, seed, rounds, Math.round(sliceMilliseconds * SLICE_PART));
    const table = { ...tabulate(cases, houseWorld, rounds), loss };
    printTable(table);
    return { table, promises: checkPromises(cases), rounds: cases.map(rawRound) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes both data folders. The one without the extract is a copy without its places. */
async function fillFolders(folder: string, seed: number): Promise<{ houseWorld: HouseWorld; key: string }> {
  const [without, full] = EXTRACTS.map(extract => join(folder, extract));
  const filled = await makeHouseFolder(full, seed);
  const places = placesFolder(full);
  cpSync(full, without, { recursive: true, filter: path => path !== places });
  return filled;
}

/** The cases. The first two, positions without and with the extract, are the base of the others. */
function openCases(key: string): Case[] {
  const position = (extract: Extract, asks: string, member: Case['member'], asked: Asked = {}): Case => ({
    extract,
    asks,
    ask: device => ({ target: `/?key=${key}`, body: renderBody(device, 'access points', asked) }),
    member,
    serverMicroseconds: [],
  });
  return [
    position('none', 'position', 'location'),
    position('Liechtenstein', 'position', 'location'),
    position('Liechtenstein', 'position, geoname', 'geoname', { geoname: 1 }),
    position('Liechtenstein', 'position, address', 'address', { address: 1 }),
    {
      extract: 'Liechtenstein',
      asks: 'GET /reverse',
      ask: ({ latitude, longitude }) => ({
        target: `/reverse?key=${key}&lat=${latitude.toFixed(7)}&lon=${longitude.toFixed(7)}`,
        body: undefined,
      }),
      member: 'address',
      serverMicroseconds: [],
    },
  ];
}

function requestFile(folder: string, number: number): string {
  return join(folder, `requests-${number}.bin`);
}

/**
 * Asks both services in turns, in a new order every round. The first round does not count: both services work equally
 * long and compile the same functions.
 */
async function alternateServices(
  folder: string,
  devices: readonly Scan[],
  cases: readonly Case[],
  seed: number,
  rounds: number,
  measureMilliseconds: number,
): Promise<void> {
  const random = uniform(seed);
  const generator = compileGenerator();
  const ports = await freePorts(EXTRACTS.length);
  const servers = new Map(EXTRACTS.map((extract, i) => [extract, startService(extract, ports[i], folder)]));
  try {
    const { target, body } = cases[0].ask(devices[0]);
    for (const server of servers.values()) await waitUntilAnswering(server, target, body!);
    await waitUntilQuiet([...servers.values()]);
    for (const each of cases) await checkDescribed(servers.get(each.extract)!, each, devices);
    for (let round = -1; round < rounds; round++) {
      for (const each of shuffled(cases, random)) {
        const server = servers.get(each.extract)!;
        const share = cases.filter(({ extract }) => extract === each.extract).length / cases.length;
        const before = processorSeconds(server);
        const { answered } = await runSlice(generator, {
          port: server.port,
          requestFile: requestFile(folder, cases.indexOf(each)),
          connections: CONNECTIONS,
          warmMilliseconds: WARM_MILLISECONDS,
          measureMilliseconds: round < 0 ? Math.round(measureMilliseconds / share) : measureMilliseconds,
          seed: seed + round + 1,
        });
        if (round >= 0) each.serverMicroseconds.push(((processorSeconds(server) - before) * 1e6) / answered);
      }
    }
  } finally {
    await stopServers([...servers.values()]);
  }
}

function startService(extract: Extract, port: number, folder: string): Server {
  return startSextant(extract, port, {
    SEXTANT_DATA: join(folder, extract),
    SEXTANT_HTTP_THREADS: '1',
    SEXTANT_COMPUTE: 'inline',
  });
}

/**
 * Checks the first answers: a text that is left out would cost nothing. An address must have a house number or a road.
 * @throws Error when too few have what was requested
 */
async function checkDescribed(server: Server, { asks, ask, member }: Case, devices: readonly Scan[]): Promise<void> {
  let described = 0;
  for (const device of devices.slice(0, CHECKED)) {
    const { target, body } = ask(device);
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const answer = (await (await fetch(`http://127.0.0.1:${server.port}${target}`, init)).json()) as Record<
      string,
      Record<string, string>
    >;
    const says = answer[member];
    if (says !== undefined && (member !== 'address' || says.house_number !== undefined || says.road !== undefined))
      described++;
  }
  if (described < DESCRIBED_AT_LEAST * CHECKED)
    throw new Error(`Of ${CHECKED} answers to "${asks}" only ${described} have the ${member}.`);
}

function tabulate(cases: readonly Case[], houseWorld: HouseWorld, rounds: number): Omit<Table, 'loss'> {
  const [, position] = cases;
  return {
    title:
      `Names and addresses, closed loop, 1 HTTP thread, ${CONNECTIONS} connections, ${rounds} rounds, ` +
      `${REQUESTS} devices among ${houseWorld.houses} houses`,
    columns: ['request', 'extract', 'server us/request', 'more than position us', 'to position'],
    rows: cases.map(each => [
      each.asks,
      each.extract,
      median(each.serverMicroseconds).toFixed(1),
      moreThan(each, position).toFixed(1),
      medianRatio(each.serverMicroseconds, position.serverMicroseconds).toFixed(2),
    ]),
  };
}

function checkPromises([without, position, , address]: readonly Case[]): Promised[] {
  const more = moreThan(address, position);
  const unasked = medianRatio(position.serverMicroseconds, without.serverMicroseconds);
  return [
    {
      promise: `an address adds at most ${ADDRESS_MICROSECONDS} us to a position`,
      figure: more.toFixed(1),
      met: more <= ADDRESS_MICROSECONDS,
    },
    {
      promise: `where nobody asks for names an imported extract costs nothing, within ${SAME}`,
      figure: unasked.toFixed(2),
      met: unasked <= 1 + SAME,
    },
  ];
}

/** Extra microseconds of one case over another: the median of the differences of all rounds. */
function moreThan(one: Case, base: Case): number {
  return median(one.serverMicroseconds.map((value, round) => value - base.serverMicroseconds[round]));
}

function rawRound({ extract, asks, serverMicroseconds }: Case): unknown {
  return { extract, asks, serverMicroseconds: serverMicroseconds.map(value => Number(value.toFixed(2))) };
}
