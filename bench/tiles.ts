// node bench/tiles.ts EXTRACT.osm.pbf [--rounds 3] [--seconds 5] [--positions 100]: what does the map cost? Imports an
// extract into a new service and asks for tiles of it over the admin interface, each once, so that none is kept: how
// long they take by zoom, the first one apart, and their bytes. Then positions come at a fixed rate and are measured
// from their scheduled send time, in turns alone and while four tiles are under way all the time. At last, where there
// is chromium, how long it takes from the address of the map until all of it is drawn.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { quantile } from '../lab/evaluation/quantile.ts';
import { unitsOf } from '../src/geo/units.ts';
import { EXTENT, type TileNumbers, TilePlane } from '../src/tiles/tile_plane.ts';
import { uniform } from '../test/kits/random.ts';
import { ServiceProcess, send } from '../test/kits/service_process.ts';
import { headerOf, readArguments } from './command_line.ts';

const BROWSER = '/usr/bin/chromium';
const CONSOLE = /^The console is at (\S+)$/m;
const ZOOMS = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18];
const TILES_A_ZOOM = 60;
const AT_ONCE = 4;
const BODY = {
  wifiAccessPoints: ['d3', 'd4', 'e7', 'd5'].map((octet, i) => ({
    macAddress: `02:00:5e:00:00:${octet}`,
    signalStrength: -50 - 3 * i,
  })),
};

const { values, positionals } = readArguments(headerOf(import.meta.url), {
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    positions: { type: 'string', default: '100' },
  },
});
const [extract] = positionals;
if (extract === undefined) {
  console.error('Which extract? node bench/tiles.ts EXTRACT.osm.pbf');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'bench-tiles-'));
const service = await ServiceProcess.start(join(folder, 'var'), '--admin', '127.0.0.1:0', '--http-threads', '1');
const agent = new Agent({ keepAlive: true });
const random = uniform(1);
/** Tiles that were asked for. */
const asked = new Set<string>();
/** A tile that was not asked for is looked for so often. */
const TRIES = 100;
try {
  await service.job({ verb: 'import', kind: 'osm', files: [resolve(extract)] });
  const url = CONSOLE.exec(service.printed)![1];
  const headers = { authorization: `Bearer ${readFileSync(join(service.folder, 'admin.token'), 'utf8').trim()}` };
  const ask = (path: string) => send(new URL(url).origin, { method: 'GET', path, headers, agent });
  const { bounds } = (await ask('/map')).json;
  const tileMs = async (z: number): Promise<[number, number]> => {
    const { x, y } = freshTile(bounds, z);
    const start = performance.now();
    const { status, headers: sent } = await ask(`/tiles/map/${z}/${x}/${y}`);
    if (status !== 200) throw new Error(`A tile was answered ${status}.`);
    return [performance.now() - start, Number(sent['content-length'] ?? 0)];
  };
  console.log(`the first tile, which reads the map of the world: ${(await tileMs(5))[0].toFixed(0)} ms`);
  for (const z of ZOOMS) {
    const all = await inTurn(Math.min(TILES_A_ZOOM, countOf(bounds, z)), () => tileMs(z));
    const of = (i: 0 | 1, share: number) =>
      quantile(
        all.map(each => each[i]).sort((a, b) => a - b),
        share,
      );
    console.log(
      `zoom ${z}: median ${of(0, 0.5).toFixed(1)} ms, p99 ${of(0, 0.99).toFixed(1)} ms, ` +
        `${(of(1, 0.5) / 1_000).toFixed(1)} KB (median), ${(of(1, 1) / 1_000).toFixed(1)} KB (largest)`,
    );
  }
  await measurePositions(tileMs);
  if (existsSync(BROWSER)) await measureFirstMap(url);
} finally {
  agent.destroy();
  await service.stop();
  rmSync(folder, { recursive: true });
}

/** Positions alone and beside tiles, in turns. */
async function measurePositions(tileMs: (z: number) => Promise<unknown>): Promise<void> {
  const [alone, beside]: [number[], number[]] = [[], []];
  await positionMs(2);
  for (let round = 0; round < Number(values.rounds); round++) {
    alone.push(...(await positionMs(Number(values.seconds))));
    let goesOn = true;
    let tiles = 0;
    const askers = Array.from({ length: AT_ONCE }, async () => {
      for (; goesOn; tiles++) await tileMs(8 + Math.floor(random() * 11));
    });
    const measured = await positionMs(Number(values.seconds));
    goesOn = false;
    await Promise.all(askers);
    beside.push(...measured);
    console.log(
      `round ${round + 1}: ${(tiles / Number(values.seconds)).toFixed(0)} tiles a second beside the positions`,
    );
  }
  for (const [name, all] of [
    ['alone', alone],
    ['beside tiles', beside],
  ] as const) {
    const sorted = all.sort((a, b) => a - b);
    const at = [0.5, 0.99, 1].map(share => quantile(sorted, share).toFixed(2));
    console.log(`positions ${name}: p50 ${at[0]} ms, p99 ${at[1]} ms, longest ${at[2]} ms (${all.length})`);
  }
}

/** Sends positions at the rate; milliseconds of each from its scheduled time. */
async function positionMs(seconds: number): Promise<number[]> {
  const rate = Number(values.positions);
  const start = performance.now();
  const all = Array.from({ length: seconds * rate }, async (_, i) => {
    const due = start + (1_000 * i) / rate;
    await wait(Math.max(0, due - performance.now()));
    await send(service.url, { path: `/?key=${service.demoKey}`, body: BODY, agent });
    return performance.now() - due;
  });
  return Promise.all(all);
}

async function measureFirstMap(url: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  const times: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const start = performance.now();
    await page.goto(`${url}#/map`);
    await page.locator('.map-pane[aria-busy=false] canvas').waitFor({ timeout: 120_000 });
    times.push(performance.now() - start);
    await page.close();
  }
  await browser.close();
  console.log(`the first map, drawn by software: ${times.map(each => each.toFixed(0)).join(', ')} ms`);
}

/** A tile of the extract that was not asked for before, if there is one. */
function freshTile(bounds: readonly number[], z: number): TileNumbers {
  let tile = someTile(bounds, z);
  for (let i = 0; i < TRIES && asked.has(JSON.stringify(tile)); i++) tile = someTile(bounds, z);
  asked.add(JSON.stringify(tile));
  return tile;
}

/** How many tiles the extract has, about. */
function countOf([west, south, east, north]: readonly number[], z: number): number {
  const side = 360 / 2 ** z;
  return Math.ceil((east - west) / side) * Math.ceil((north - south) / side);
}

/** A tile of the extract. */
function someTile([west, south, east, north]: readonly number[], z: number): TileNumbers {
  const world = new TilePlane({ z: 0, x: 0, y: 0 });
  const [longitude, latitude] = [west + random() * (east - west), south + random() * (north - south)];
  const [x, y] = [world.x(unitsOf(longitude)), world.y(unitsOf(latitude))];
  return { z, x: Math.floor((x / EXTENT) * 2 ** z), y: Math.floor((y / EXTENT) * 2 ** z) };
}

async function inTurn<T>(count: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < count; i++) results.push(await run());
  return results;
}
