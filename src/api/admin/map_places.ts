// What the map is, and its places by words, by a point and by their objects: GET /map, /search, /reverse and /lookup.
// They are answered by the code of the public routes, in the background worker, and cost nobody credits.

import type { FastifyReply } from 'fastify';
import type { MapSetting } from '../../config/map_setting.ts';
import type { BackgroundWorker } from '../../pool/background.ts';
import { ApiError } from '../../protocol/errors.ts';
import { readLookup, readReverse, readSearch } from '../../protocol/requests/place_question.ts';
import type { PlaceQuestion } from '../../tasks/answer_places.ts';
import type { BackgroundTasks } from '../../tasks/background.ts';
import { groundUrl } from '../console/map_ground.ts';
import { Refused } from '../transport/refused.ts';

/** The form of answers: that of most clients of OpenStreetMap's geocoder, with addresses. */
const FORM = { format: 'jsonv2', addressdetails: '1' };

/** Answers what views of the map ask. */
export class MapPlaces {
  private readonly worker: BackgroundWorker<BackgroundTasks>;
  private readonly map: MapSetting | undefined;

  /** @param map other tiles for the ground of the console */
  constructor(worker: BackgroundWorker<BackgroundTasks>, map: MapSetting | undefined) {
    this.worker = worker;
    this.map = map;
  }

  /** What the map is. @throws Refused when too much is under way */
  async describe(): Promise<object> {
    const ground = groundUrl(this.map, 'admin');
    const own = await (this.worker.run('map', undefined) ?? refuseMore());
    return { ...own, ...(ground !== undefined && { ground }) };
  }

  /** Sends places by words. @throws Refused when a parameter is wrong, or too much is under way */
  search(query: object, reply: FastifyReply): Promise<FastifyReply> {
    return this.send(reply, () => {
      const { question, form } = readSearch(urlOf(query), undefined);
      return { search: question, form };
    });
  }

  /** Sends the place at a point. @throws Refused as `search`, and when there is none */
  reverse(query: object, reply: FastifyReply): Promise<FastifyReply> {
    return this.send(reply, () => {
      const { question, form } = readReverse(urlOf(query), undefined);
      return { reverse: question, form };
    });
  }

  /** Sends the places of objects. @throws Refused as `search` */
  lookup(query: object, reply: FastifyReply): Promise<FastifyReply> {
    return this.send(reply, () => readLookup(urlOf(query), undefined));
  }

  private async send(reply: FastifyReply, read: () => PlaceQuestion): Promise<FastifyReply> {
    let question: PlaceQuestion;
    try {
      question = read();
    } catch (error) {
      throw error instanceof ApiError ? new Refused(400, error.message) : error;
    }
    const { texts, credits } = await (this.worker.run('places', question) ?? refuseMore());
    if ('reverse' in question && credits === 0) throw new Refused(404, 'There is no place at this point.');
    return reply.type('application/json; charset=utf-8').send(texts[0]);
  }
}

/** The question as the readers of the public routes take it. */
function urlOf(query: object): string {
  return `?${new URLSearchParams({ ...query, ...FORM })}`;
}

function refuseMore(): never {
  throw new Refused(429, 'Too many questions are under way; ask again in a moment.');
}
