// What of the console is on the public address, with `--console public`: a page with the views Try and Map, which asks
// the public routes with a key as every client does, and the tiles of the map. Page, files and tiles hold nothing
// secret and need no key; they cost no credits and are not logged. No route of the admin interface is here.
//
// Tiles are drawn by a worker of low priority. What is drawn in a second has a limit over all threads, and what waits
// in a thread another, so a flood of tiles costs others tiles and nobody a position.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { VERSION } from '../config/version.ts';
import { BackgroundWorker } from '../pool/background.ts';
import type { BackgroundTasks } from '../tasks/background.ts';
import { BACKGROUND_FILE } from '../tasks/worker_files.ts';
import { describeMap } from '../tiles/map/map_tile.ts';
import { consoleFile } from './console/console_files.ts';
import { sendMapTile } from './console/tiles.ts';
import type { RouteContext, TileWorker } from './exchange.ts';
import { Refused } from './transport/refused.ts';

/** Tiles in a second; a screen has twelve. */
const TILES_A_SECOND = 100;
/** Tiles that are drawn or wait, in each thread. */
const TILES_WAITING_MAX = 16;
/** An import shows after this at the latest. */
const TILE_CACHING = 'public, max-age=600';
const RETRY_SECONDS = 1;

/** Starts the worker of an HTTP thread, once there is a tile to draw. */
export function startTileWorker(
  parts: Omit<ConstructorParameters<typeof BackgroundWorker<BackgroundTasks>>[0], 'workerFile'>,
): TileWorker {
  return new BackgroundWorker({ ...parts, workerFile: BACKGROUND_FILE }, TILES_WAITING_MAX);
}

/** Adds the routes to a Fastify scope of their own. @param worker draws the tiles */
export function addPublicConsole(scope: FastifyInstance, context: RouteContext, worker: TileWorker): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
  scope.setErrorHandler((error: FastifyError | Refused, _request, reply) => {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 429) reply.header('retry-after', RETRY_SECONDS);
    return reply.code(error.status).send({ error: error.message });
  });
  scope.get('/console', (request, reply) => sendFile(request, reply, undefined));
  scope.get<{ Params: { name: string } }>('/console/assets/:name', (request, reply) =>
    sendFile(request, reply, request.params.name),
  );
  scope.get('/console/map', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({
      ...describeMap(context.compute.geocoder.layers),
      version: VERSION,
      needsKey: context.anonymousKey === undefined,
    }),
  );
  scope.get('/console/tiles/:z/:x/:y', (request, reply) => {
    if (context.counters.admitHere(TILES_A_SECOND, Date.now()) > 0)
      throw new Refused(429, 'Too many tiles are asked for; ask again in a moment.');
    return sendMapTile(worker, request, reply, TILE_CACHING);
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, name: string | undefined): FastifyReply {
  const file = consoleFile('public', name, request.headers['accept-encoding']);
  if (file === undefined) throw new Refused(404, 'The console has no such file. Load the page again.');
  return reply.headers(file.headers).send(file.body);
}
