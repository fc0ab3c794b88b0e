// Tiles over HTTP: their numbers, and how they are sent. Whoever asks for too many at once is refused.

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BackgroundWorker } from '../../pool/background.ts';
import type { BackgroundTasks } from '../../tasks/background.ts';
import type { DrawnTile } from '../../tasks/draw_tile.ts';
import { type TileNumbers, ZOOM_MAX } from '../../tiles/tile_plane.ts';
import { Refused } from '../transport/refused.ts';

/** Browsers keep a tile, and ask with its tag whether it is still the same. */
const CACHING = 'private, no-cache';
/** In a thread of libuv: a flood of tiles for clients without compression does not keep the HTTP thread. */
const unpack = promisify(gunzip);
const WHOLE = /^\d{1,6}$/;

/** Media type of a tile. */
export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

/**
 * Answers with a tile of the map. @param caching field `Cache-Control` @throws Refused when there is no such tile, or
 * too many are under way; Error when a record is damaged
 */
export async function sendMapTile(
  worker: BackgroundWorker<BackgroundTasks>,
  request: FastifyRequest,
  reply: FastifyReply,
  caching = CACHING,
): Promise<FastifyReply> {
  const numbers = tileNumbersOf(request.params as Record<string, string>);
  const etag = request.headers['if-none-match'];
  return sendTile(await orRefuse(worker.run('tile', { kind: 'map', numbers, etag })), request, reply, caching);
}

/** @throws Refused when the queue is full */
export function orRefuse<T>(task: Promise<T> | undefined): Promise<T> {
  if (task === undefined) throw new Refused(429, 'Too many tiles are under way; ask again in a moment.');
  return task;
}

/** @throws Refused when no tile has these numbers */
export function tileNumbersOf({ z, x, y }: Record<string, string>): TileNumbers {
  const numbers = { z: Number(z), x: Number(x), y: Number(y) };
  const side = 2 ** numbers.z;
  const isTile =
    [z, x, y].every(each => WHOLE.test(each)) && numbers.z <= ZOOM_MAX && numbers.x < side && numbers.y < side;
  if (!isTile)
    throw new Refused(
      400,
      `A tile has a zoom from 0 to ${ZOOM_MAX}, and x and y from 0 to 2 to the power of it, less 1.`,
    );
  return numbers;
}

/** Sends a tile, or that the client has it. @param caching field `Cache-Control` */
export async function sendTile(
  { etag, bytes }: DrawnTile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  caching = CACHING,
): Promise<FastifyReply> {
  reply.headers({ etag, 'cache-control': caching, vary: 'accept-encoding' });
  if (bytes === undefined) return reply.code(304).send();
  reply.type(TILE_TYPE);
  const acceptsGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  if (!acceptsGzip) return reply.send(await unpack(bytes));
  return reply.header('content-encoding', 'gzip').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
