// GET /tiles/KIND/Z/X/Y: tiles of maps. They are drawn in a worker of low priority, one at a time, and whoever asks for
// too many at once is refused, so neither the other routes nor the queries of devices wait for them.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BackgroundWorker } from '../../pool/background.ts';
import { RADIO_TYPES, type RadioType } from '../../radio/kind.ts';
import type { BackgroundTasks } from '../../tasks/background.ts';
import type { StationSummary } from '../../tasks/draw_stations.ts';
import { STATION_GROUPS, type StationGroup } from '../../tiles/stations/station_index.ts';
import type { StationQuery } from '../../tiles/stations/station_tile.ts';
import { orRefuse, sendMapTile, sendTile, tileNumbersOf } from '../console/tiles.ts';
import { Refused } from '../transport/refused.ts';

/** Pieces of the making of an index for which a tile waits. */
const PIECES_MAX = 100;
const DAY_MS = 86_400_000;

/** The parameters of a tile of stations. */
interface TileQuery {
  kind?: RadioType | StationGroup;
  source?: string;
  learned?: 'true';
  /** YYYY-MM-DD. */
  seenAfter?: string;
}

/** Answers with tiles. */
export class Tiles {
  private readonly worker: BackgroundWorker<BackgroundTasks>;
  private readonly folder: string;

  /** @param folder data folder */
  constructor(worker: BackgroundWorker<BackgroundTasks>, folder: string) {
    this.worker = worker;
    this.folder = folder;
  }

  /** What the index of stations holds, or how far its making has come. @throws Refused when too many are under way */
  describeStations(): Promise<StationSummary> {
    return orRefuse(this.worker.run('stations', { folder: this.folder }));
  }

  /** @throws Refused when there is no such tile, or too many are under way; Error when a record is damaged */
  sendMap(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return sendMapTile(this.worker, request, reply);
  }

  /** The same with stations. Whoever asks first has their index made. @throws as `sendMap` */
  async sendStations(query: TileQuery, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const question = {
      folder: this.folder,
      numbers: tileNumbersOf(request.params as Record<string, string>),
      query: stationQueryOf(query),
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

function stationQueryOf({ kind, source, learned, seenAfter }: TileQuery): StationQuery {
  return {
    kind: kind === undefined ? undefined : kindNamed(kind),
    source,
    isLearned: learned !== undefined,
    seenAfterDay: seenAfter === undefined ? undefined : Math.floor(Date.parse(seenAfter) / DAY_MS),
  };
}

/** @param name of a group, or radio type of cells */
function kindNamed(name: RadioType | StationGroup): StationQuery['kind'] {
  const radio = RADIO_TYPES.indexOf(name as RadioType);
  return radio < 0 ? (name as StationGroup) : STATION_GROUPS.cell[0] + radio;
}
