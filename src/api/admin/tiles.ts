// GET /tiles/KIND/Z/X/Y: tiles of maps. They are drawn in a worker of low priority, one at a time, and whoever asks for
// too many at once is refused, so neither the other routes nor the queries of devices wait for them.

import { gunzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BackgroundWorker } from '../../pool/background.ts';
import { RADIO_TYPES, type RadioType } from '../../radio/kind.ts';
import type { BackgroundTasks } from '../../tasks/background.ts';
import type { StationSummary } from '../../tasks/draw_stations.ts';
import type { DrawnTile } from '../../tasks/draw_tile.ts';
import { STATION_GROUPS, type StationGroup } from '../../tiles/stations/station_index.ts';
import type { StationQuery } from '../../tiles/stations/station_tile.ts';
import { type TileNumbers, ZOOM_MAX } from '../../tiles/tile_plane.ts';
import { Refused } from './jobs.ts';
import type { AdminRequest } from './operation.ts';

/** Pieces of the making of an index for which a tile waits. */
const PIECES_MAX = 100;
const DAY_MS = 86_400_000;
const WHOLE = /^\d{1,6}$/;

/** Media type of a tile. */
export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

/** Answers with tiles. */
export class Tiles {
  private readonly worker: BackgroundWorker<BackgroundTasks>;
  private readonly folder: string;

  /** @param folder data folder */
  constructor(worker: BackgroundWorker<BackgroundTasks>, folder: string) {
    this.worker = worker;
    this.folder = folder;
  }

  /**
   * Answers a route of tiles by the name of its operation. @throws Refused when there is no such tile, or too many are
   * under way; Error when a record is damaged
   */
  answer(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | StationSummary> {
    if (name === 'stations') return orRefuse(this.worker.run('stations', { folder: this.folder }));
    return name === 'tile' ? this.answerMap(request, reply) : this.answerStations(request, reply);
  }

  private async answerMap(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const numbers = numbersOf(request.params as Record<string, string>);
    const etag = request.headers['if-none-match'];
    return send(await orRefuse(this.worker.run('tile', { kind: 'map', numbers, etag })), request, reply);
  }

  /** A tile of stations. Whoever asks first has their index made. */
  private async answerStations(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const question = {
      folder: this.folder,
      numbers: numbersOf(request.params as Record<string, string>),
      query: stationQueryOf(request.query as AdminRequest['query']),
      etag: request.headers['if-none-match'],
    };
    for (let pieces = 0; pieces < PIECES_MAX; pieces++) {
      const drawn = await orRefuse(this.worker.run('stationTile', question));
      if (drawn !== undefined) return send(drawn, request, reply);
    }
    throw new Refused(503, 'The index of stations is being made: GET /stations says how far it is.');
  }

  close(): Promise<void> {
    return this.worker.close();
  }
}

/** @throws Refused when the queue is full */
function orRefuse<T>(task: Promise<T> | undefined): Promise<T> {
  if (task === undefined) throw new Refused(429, 'Too many tiles are under way; ask again in a moment.');
  return task;
}

function stationQueryOf({ kind, source, learned, seenAfter }: AdminRequest['query']): StationQuery {
  return {
    kind: kind === undefined ? undefined : kindNamed(kind),
    source,
    isLearned: learned !== undefined,
    seenAfterDay: seenAfter === undefined ? undefined : Math.floor(Date.parse(seenAfter) / DAY_MS),
  };
}

/** @param name of a group, or radio type of cells */
function kindNamed(name: string): StationQuery['kind'] {
  const radio = RADIO_TYPES.indexOf(name as RadioType);
  return radio < 0 ? (name as StationGroup) : STATION_GROUPS.cell[0] + radio;
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
