// node bench/station_tiles.ts [--stations 10000000] [--rounds 5] [--requests 2000]: what tiles of stations cost. The first
// table shows the processor time of the background thread for tiles from the whole world to a street, plain and filtered,
// and of the index that they need. The second shows how long positions take, in turns without tiles and beside a client
// that always has four of them under way. Exits with 1 when a tile takes more than 50 ms.

import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../lab/evaluation/quantile.ts';
import type { Answerer } from '../src/answer/answerer.ts';
import { drawStationTile } from '../src/tasks/draw_stations.ts';
import { IndexKeeper } from '../src/tiles/stations/index_keeper.ts';
import { worldPointOf } from '../src/tiles/stations/place_order.ts';
import { readArguments } from './command_line.ts';
import { prepareFolder, prepareWorld, removeFolder } from './data_folders.ts';
import { renderBody, scanAt } from './requests.ts';
import { freePorts, startSextant, stopServers, waitUntilAnswering } from './server.ts';
import { accessPointPosition, createWorld, degreesOf, type World } from './world.ts';

const TILE_MILLISECONDS_MAX = 50;
const REPEATS = 20;
const TOKEN_MILLISECONDS = 50;
const UNDER_WAY = 4;
const NO_ANSWERER = undefined as unknown as Answerer;

const HELP = `node bench/station_tiles.ts [options]: what tiles of stations cost, and what they do to positions

  --stations N  access points of the seeded world (10000000)
  --rounds N    rounds of positions, each without tiles and beside them (5)
  --requests N  positions in each half of a round (2000)`;
const { values } = readArguments(HELP, {
  options: {
    stations: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '2000' },
  },
});

const world = createWorld(Number(values.stations), 1);
const data = await prepareWorld(world);
const folder = prepareFolder(data, 'tiles');
try {
  const isFast = measureTiles(world, folder);
  await measurePositions(world, folder, data.key);
  if (!isFast) process.exitCode = 1;
} finally {
  removeFolder(data, 'tiles');
}

/** Draws tiles in this thread. @returns whether each is within its limit */
function measureTiles(of: World, dataFolder: string): boolean {
  const begun = threadMilliseconds();
  const keeper = new IndexKeeper(dataFolder);
  let longest = 0;
  for (let kept = keeper.work(0); kept === undefined; ) {
    const stepBegun = threadMilliseconds();
    kept = keeper.work(0);
    longest = Math.max(longest, threadMilliseconds() - stepBegun);
  }
  const { index } = keeper.work(0)!;
  const count = Object.values(index.groups).reduce((sum, group) => sum + group.count, 0);
  const bytes = (index.bytes / count).toFixed(1);
  print(
    `index of ${count} stations`,
    `${(threadMilliseconds() - begun).toFixed(0)} ms, longest step ${longest.toFixed(1)} ms, ${bytes} bytes a station`,
  );
  while (
    drawStationTile(NO_ANSWERER, { folder: dataFolder, numbers: { z: 0, x: 0, y: 0 }, query: {}, etag: undefined }) ===
    undefined
  );
  const { latitude, longitude } = degreesOf(of, accessPointPosition(of, 0));
  const { x, y } = worldPointOf(latitude, longitude);
  const queries = {
    plain: {},
    wifi: { kind: 'wifi' },
    filtered: { kind: 'wifi', seenAfterDay: 1, isLearned: true },
  } as const;
  let isFast = true;
  for (const z of [0, 3, 6, 9, 12, 14, 16, 18]) {
    const numbers = { z, x: Math.floor(x / 2 ** (32 - z)), y: Math.floor(y / 2 ** (32 - z)) };
    for (const [name, query] of Object.entries(queries)) {
      const times = Array.from({ length: REPEATS }, () => {
        const drawBegun = threadMilliseconds();
        drawStationTile(NO_ANSWERER, { folder: dataFolder, numbers, query, etag: undefined });
        return threadMilliseconds() - drawBegun;
      });
      const worst = Math.max(...times);
      if (worst > TILE_MILLISECONDS_MAX) isFast = false;
      print(
        `tile of zoom ${z}, ${name}`,
        `${(times.reduce((sum, time) => sum + time) / REPEATS).toFixed(1)} ms, at most ${worst.toFixed(1)} ms`,
      );
    }
  }
  return isFast;
}

/** Positions in turns without tiles and beside them. */
async function measurePositions(of: World, dataFolder: string, key: string): Promise<void> {
  const [port, admin] = await freePorts(2);
  const server = startSextant('tiles', port, {
    SEXTANT_DATA: dataFolder,
    SEXTANT_ADMIN: `127.0.0.1:${admin}`,
    SEXTANT_HTTP_THREADS: '1',
  });
  const bodies = Array.from({ length: 256 }, (_, i) => renderBody(scanAt(of, i)));
  const path = `/?key=${key}`;
  await waitUntilAnswering(server, path, bodies[0]);
  const tokenFile = join(dataFolder, 'admin.token');
  // The admin interface listens a moment after the service.
  const isListening = () =>
    existsSync(tokenFile) &&
    send(new Agent(), admin, '/').then(
      () => true,
      () => false,
    );
  while (!(await isListening())) await wait(TOKEN_MILLISECONDS);
  const token = readFileSync(tokenFile, 'utf8').trim();
  const agent = new Agent({ keepAlive: true });
  const tile = (number: number) => {
    const z = number % 15;
    return send(agent, admin, `/tiles/stations/${z}/${(number * 7) % 2 ** z}/${(number * 3) % 2 ** z}`, token);
  };
  while ((await tile(0)).status === 503);
  const halves: Record<'alone' | 'beside tiles', number[]> = { alone: [], 'beside tiles': [] };
  let tiles = 0;
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const half of ['alone', 'beside tiles'] as const) {
      let isOn = half === 'beside tiles';
      const clients = Array.from({ length: isOn ? UNDER_WAY : 0 }, async () => {
        while (isOn) await tile(tiles++);
      });
      for (let i = 0; i < Number(values.requests); i++) {
        const begun = performance.now();
        await send(agent, port, path, undefined, bodies[i % bodies.length]);
        halves[half].push(performance.now() - begun);
      }
      isOn = false;
      await Promise.all(clients);
    }
  }
  for (const [half, times] of Object.entries(halves)) {
    times.sort((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map(share => quantile(times, share).toFixed(2));
    print(`positions ${half}`, `p50 ${p50} ms, p99 ${p99} ms`);
  }
  print('tiles drawn meanwhile', String(tiles));
  agent.destroy();
  await stopServers([server]);
}

function send(agent: Agent, port: number, path: string, token?: string, body?: string): Promise<{ status: number }> {
  return new Promise((done, fail) => {
    const sent = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      },
      answer => answer.resume().on('end', () => done({ status: answer.statusCode! })),
    );
    sent.on('error', fail).end(body);
  });
}

function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(32)}${value}\n`);
}
