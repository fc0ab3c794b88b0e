// What of the console is on the public address, with `--console public`: a page with the views Try, Map and Coverage,
// which asks the public routes with a key as every client does, the tiles of the map, and how many stations there are.
// Page, files, tiles and statistics hold nothing secret and need no key; they cost no credits and are not logged. No
// route of the admin interface is here. `--map` puts its map below, as on the operator's page.
//
// Tiles are drawn by a worker of low priority. What is drawn in a second has a limit over all threads, and what waits
// in a thread another, so a flood of tiles costs others tiles and nobody a position.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MapSetting } from '../config/map_setting.ts';
import { VERSION } from '../config/version.ts';
import { BackgroundWorker } from '../pool/background.ts';
import type { BackgroundTasks } from '../tasks/background.ts';
import { BACKGROUND_FILE } from '../tasks/worker_files.ts';
import { describeMap } from '../tiles/map/map_tile.ts';
import { consoleFile } from './console/console_files.ts';
import { groundOrigin, groundUrl, MAP_FILE_PATHS, sendMapFile } from './console/map_ground.ts';
import { orRefuse, sendMapTile } from './console/tiles.ts';
import type { RouteContext, TileWorker } from './exchange.ts';
import { Refused } from './transport/refused.ts';

/** Tiles in a second; a screen has twelve. */
const TILES_A_SECOND = 100;
/** Tiles that are drawn or wait, in each thread. */
const TILES_WAITING_MAX = 16;
/** An import shows after this at the latest. */
const TILE_CACHING = 'public, max-age=600';
/** Statistics are those of a day. */
const STATISTICS_CACHING = 'public, max-age=3600';
const RETRY_SECONDS = 1;

/** Starts the worker of an HTTP thread, once there is a tile to draw. */
export function startTileWorker(
  parts: Omit<ConstructorParameters<typeof BackgroundWorker<BackgroundTasks>>[0], 'workerFile'>,
): TileWorker {
  return new BackgroundWorker({ ...parts, workerFile: BACKGROUND_FILE }, TILES_WAITING_MAX);
}

/** Adds the routes to a Fastify scope of their own. @param worker draws the tiles @param map what `--map` names */
export function addPublicConsole(
  scope: FastifyInstance,
  context: RouteContext,
  worker: TileWorker,
  map: MapSetting | undefined,
): void {
  const [ground, elsewhere] = [groundUrl(map, 'public'), groundOrigin(map)];
  const admitTile = () => {
    if (context.counters.admitHere(TILES_A_SECOND, Date.now()) > 0)
      throw new Refused(429, 'Too many tiles are asked for; ask again in a moment.');
  };
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
  scope.setErrorHandler((error: FastifyError | Refused, _request, reply) => {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 429) reply.header('retry-after', RETRY_SECONDS);
    return reply.code(error.status).send({ error: error.message });
  });
  scope.get('/console', (request, reply) => sendFile(request, reply, undefined, elsewhere));
  scope.get<{ Params: { name: string } }>('/console/assets/:name', (request, reply) =>
    sendFile(request, reply, request.params.name, elsewhere),
  );
  scope.get('/console/map', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({
      ...describeMap(context.compute.geocoder.layers),
      version: VERSION,
      needsKey: context.anonymousKey === undefined,
      ...(ground !== undefined && { ground }),
    }),
  );
  scope.get('/console/statistics', async (_request, reply) => {
    admitTile();
    const statistics = await orRefuse(worker.run('statistics', { folder: context.compute.folder }));
    return reply.header('cache-control', statistics.isReady ? STATISTICS_CACHING : 'no-store').send(statistics);
  });
  scope.get('/console/examples', async (_request, reply) => {
    admitTile();
    return reply
      .header('cache-control', 'no-store')
      .send(await orRefuse(worker.run('examples', { folder: undefined })));
  });
  scope.get(MAP_FILE_PATHS.public, (request, reply) => {
    admitTile();
    return sendMapFile(map, request, reply, 'public');
  });
  scope.get('/console/tiles/:z/:x/:y', (request, reply) => {
    admitTile();
    return sendMapTile(worker, request, reply, TILE_CACHING);
  });
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string | undefined,
  elsewhere: string | undefined,
): FastifyReply {
  const file = consoleFile('public', name, request.headers['accept-encoding'], elsewhere);
  if (file === undefined) throw new Refused(404, 'The console has no such file. Load the page again.');
  return reply.headers(file.headers).send(file.body);
}
