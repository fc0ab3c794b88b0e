// GET /tiles/KIND/Z/X/Y: tiles of maps. They are drawn in a worker of low priority, one at a time, and whoever asks for
// too many at once is refused, so neither the other routes nor the queries of devices wait for them.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BackgroundWorker } from '../../pool/background.ts';
import { RADIO_TYPES, type RadioType } from '../../radio/kind.ts';
import type { BackgroundTasks } from '../../tasks/background.ts';
import type { StationSummary } from '../../tasks/draw_stations.ts';
import { STATION_GROUPS, type StationGroup } from '../../tiles/stations/station_index.ts';
import type { StationQuery } from '../../tiles/stations/station_tile.ts';
import { Refused } from '../console/refused.ts';
import { orRefuse, sendMapTile, sendTile, tileNumbersOf } from '../console/tiles.ts';
import type { AdminRequest } from './operation.ts';

/** Pieces of the making of an index for which a tile waits. */
const PIECES_MAX = 100;
const DAY_MS = 86_400_000;

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
    return name === 'tile' ? sendMapTile(this.worker, request, reply) : this.answerStations(request, reply);
  }

  /** A tile of stations. Whoever asks first has their index made. */
  private async answerStations(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const question = {
      folder: this.folder,
      numbers: tileNumbersOf(request.params as Record<string, string>),
      query: stationQueryOf(request.query as AdminRequest['query']),
      etag: request.headers['if-none-match'],
    };
    for (let pieces = 0; pieces < PIECES_MAX; pieces++) {
      const drawn = await orRefuse(this.worker.run('stationTile', question));
      if (drawn !== undefined) return sendTile(drawn, request, reply);
    }
    throw new Refused(503, 'The index of stations is being made: GET /stations says how far it is.');
  }

  close(): Promise<void> {
    return this.worker.close();
  }
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
