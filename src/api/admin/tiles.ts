// GET /tiles/KIND/Z/X/Y: tiles of maps. They are drawn in a worker of low priority, one at a time, and whoever asks for
// too many at once is refused, so neither the other routes nor the queries of devices wait for them.

import { gunzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BackgroundWorker } from '../../pool/background.ts';
import type { BackgroundTasks } from '../../tasks/background.ts';
import { type DrawnTile, TILE_KINDS, type TileKindName } from '../../tasks/draw_tile.ts';
import { type TileNumbers, ZOOM_MAX } from '../../tiles/tile_plane.ts';
import { Refused } from './jobs.ts';

const WHOLE = /^\d{1,6}$/;

/** Media type of a tile. */
export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

/** Answers with tiles. */
export class Tiles {
  private readonly worker: BackgroundWorker<BackgroundTasks>;

  constructor(worker: BackgroundWorker<BackgroundTasks>) {
    this.worker = worker;
  }

  /** @throws Refused when there is no such tile, or too many are under way; Error when a record is damaged */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { kind, ...numbers } = request.params as Record<string, string>;
    if (!Object.hasOwn(TILE_KINDS, kind)) throw new Refused(404, 'There are no tiles of this kind.');
    const drawing = this.worker.run('tile', {
      kind: kind as TileKindName,
      numbers: numbersOf(numbers),
      etag: request.headers['if-none-match'],
    });
    if (drawing === undefined) throw new Refused(429, 'Too many tiles are under way; ask again in a moment.');
    return send(await drawing, request, reply);
  }

  close(): Promise<void> {
    return this.worker.close();
  }
}

/** @throws Refused when no tile has these numbers */
function numbersOf({ z, x, y }: Record<string, string>): TileNumbers {
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

/** Browsers keep a tile, and ask with its tag whether it is still the same. */
function send({ etag, bytes }: DrawnTile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' });
  if (bytes === undefined) return reply.code(304).send();
  reply.type(TILE_TYPE);
  const acceptsGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  if (!acceptsGzip) return reply.send(gunzipSync(bytes));
  return reply.header('content-encoding', 'gzip').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
