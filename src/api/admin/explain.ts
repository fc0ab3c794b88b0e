// How an answer comes about: of a position (`POST /explain`), with the positions of stations, of a search, of a point
// and of a logged request. It is the explanation of the command of that name. It is computed in the main thread, whose
// answerer is opened with the first question: by the shared cache, so it knows which stations are left out of look-ups
// now, as the threads that answer do.

import type { Answerer } from '../../answer/answerer.ts';
import { askOwner } from '../../jobs/submit_job.ts';
import { ApiError } from '../../protocol/errors.ts';
import { checkStructure, type PositionBody } from '../../protocol/requests/schema.ts';
import type { LoggedRequest } from '../../tables/requests/record.ts';
import { type Explained, Unexplainable } from '../explain/explained.ts';
import { explainLogged } from '../explain/logged.ts';
import { explainBody } from '../explain/position.ts';
import { explainReverse } from '../explain/reverse.ts';
import { explainSearch } from '../explain/search.ts';
import { Refused } from '../transport/refused.ts';

/** Explains answers for the operator. All its functions refuse what cannot be explained, with the reason. */
export class Explainer {
  private readonly folder: string;
  private readonly open: () => Promise<Answerer>;
  private readonly loneBeacons: number;
  private opened: Promise<Answerer> | undefined;

  /** @param folder data folder @param loneBeacons LONE_BEACONS_* bit */
  constructor(folder: string, open: () => Promise<Answerer>, loneBeacons: number) {
    this.folder = folder;
    this.open = open;
    this.loneBeacons = loneBeacons;
  }

  /** @throws Refused when the body is none of a position; Error when a table cannot be used */
  position(body: unknown): Promise<object> {
    return this.explain(answerer => {
      checkStructure(body);
      return explainBody(answerer, this.folder, body as PositionBody, this.loneBeacons);
    });
  }

  /** @param query parameters of `/search` @throws Refused when one cannot be used */
  search(query: string): Promise<object> {
    return this.explain(answerer => explainSearch(answerer, query));
  }

  /** @param query parameters of `/reverse` @throws Refused when one cannot be used */
  reverse(query: string): Promise<object> {
    return this.explain(answerer => explainReverse(answerer, query));
  }

  /** A logged position, search or point, with what was asked. @throws Refused when it is not there, or is none */
  async logged(id: number): Promise<object> {
    const logged = (await askOwner(this.folder, { verb: 'log', id }, () => {})) as LoggedRequest | null;
    if (logged === null) throw new Refused(404, `There is no logged request ${id}; requests are kept at most 7 days.`);
    const explained = await this.explain(answerer => explainLogged(answerer, this.folder, logged));
    const { route, query, request } = logged;
    const body = request === undefined ? {} : { body: request };
    return { ...explained, asked: { route, ...(query !== undefined && { query }), ...body } };
  }

  async close(): Promise<void> {
    await (await this.opened)?.close();
  }

  private async explain(work: (answerer: Answerer) => Promise<Explained>): Promise<object> {
    this.opened ??= this.open();
    const answerer = await this.opened.catch(error => {
      this.opened = undefined;
      throw error;
    });
    try {
      const { object, sections, response, circles } = await work(answerer);
      return { ...object, sections, ...(response !== undefined && { response }), ...(circles && { circles }) };
    } catch (error) {
      if (error instanceof ApiError) throw new Refused(400, error.message);
      throw error instanceof Unexplainable ? new Refused(409, error.message) : error;
    } finally {
      answerer.release();
    }
  }
}
