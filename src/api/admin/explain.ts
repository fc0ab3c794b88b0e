// POST /explain: how the answer to a request for a position comes about, with the positions of stations. It is computed
// in the main thread, whose answerer is opened with the first question: by the shared cache, so it knows which stations
// are left out of look-ups now, as the threads that answer do.

import type { Answerer } from '../../answer/answerer.ts';
import { withSources } from '../../answer/explain/sources.ts';
import { wantsOf } from '../../protocol/answers/position.ts';
import { ApiError } from '../../protocol/errors.ts';
import { checkStructure } from '../../protocol/requests/schema.ts';
import { explainPosition } from '../../tasks/explain_position.ts';
import { Refused } from './jobs.ts';

/** What a body wants by default is a matter of its key, and here is none. */
const TERMS = { byDefault: {}, isCovered: true };

/** Explains positions for the operator. */
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
  async explain(body: unknown): Promise<object> {
    try {
      checkStructure(body);
    } catch (error) {
      throw error instanceof ApiError ? new Refused(400, error.message) : error;
    }
    this.opened ??= this.open();
    const answerer = await this.opened.catch(error => {
      this.opened = undefined;
      throw error;
    });
    try {
      const wants = wantsOf(body, TERMS) | this.loneBeacons;
      const { explanation } = explainPosition(answerer, { body, arrivalMs: Date.now(), wants, state: undefined });
      return await withSources(this.folder, explanation);
    } finally {
      answerer.release();
    }
  }

  async close(): Promise<void> {
    await (await this.opened)?.close();
  }
}
