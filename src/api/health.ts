// Whether the service lives, and whether it can do all of its work: what balancers and supervisors ask, without a key.
// These requests are neither logged nor charged. However many ask, the writer and the disk are asked once a second.

import type { FastifyReply } from 'fastify';
import { freeBytes, READY_BYTES } from '../tables/environment/commit.ts';
import type { WriterClient } from '../writer/messages.ts';

const MEGABYTE = 1_048_576;
/** A writer that has not answered by then is stuck: its longest work in one piece takes a fraction of this. */
const WRITER_MILLISECONDS = 2_000;
const KEPT_MILLISECONDS = 1_000;

/** What readiness depends on. */
export interface HealthSources {
  /** The data folder. */
  folder: string;
  writer: Pick<WriterClient, 'ask'>;
  /** Whether all addresses of the service listen. */
  listens: () => boolean;
}

/** What keeps the service from doing its work. */
interface Hindrance {
  /** `diskFull` is also one of `findProblems`. */
  id: 'diskFull' | 'folderUnreadable' | 'writerStuck' | 'writerFailed' | 'notJoined' | 'starting';
  /** A sentence. */
  what: string;
}

const STARTING: Hindrance = {
  id: 'starting',
  what: 'The service is starting: not all of its addresses listen yet.',
};

/** Finds out what keeps this service from doing its work. */
export class Readiness {
  private readonly sources: HealthSources;
  private answer: Promise<Hindrance[]> | undefined;
  /** What a node of a cluster says beside that, as of the last answer. */
  note: string | undefined;

  constructor(sources: HealthSources) {
    this.sources = sources;
  }

  /** Sentences for the operator; none if the service is ready. An answer is at most a second old. */
  async problems(): Promise<string[]> {
    return (await this.hindrances()).map(({ what }) => what);
  }

  /** The same with what each is. */
  hindrances(): Promise<Hindrance[]> {
    if (!this.sources.listens()) return Promise.resolve([STARTING]);
    if (this.answer === undefined) {
      const keep = () => setTimeout(() => (this.answer = undefined), KEPT_MILLISECONDS).unref();
      this.answer = this.find();
      void this.answer.then(keep, keep);
    }
    return this.answer;
  }

  private async find(): Promise<Hindrance[]> {
    const problems = await Promise.all([this.diskProblem(), this.writerProblem()]);
    return problems.filter(problem => problem !== undefined);
  }

  private diskProblem(): Hindrance | undefined {
    try {
      const left = Math.floor(freeBytes(this.sources.folder) / MEGABYTE);
      const needed = READY_BYTES / MEGABYTE;
      if (left >= needed) return undefined;
      return { id: 'diskFull', what: `The disk of the data folder has ${left} MB left, of ${needed} needed.` };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { id: 'folderUnreadable', what: `The data folder cannot be read (${code}).` };
    }
  }

  private async writerProblem(): Promise<Hindrance | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const what = `The writer has not answered for ${WRITER_MILLISECONDS / 1000} s.`;
    const late = new Promise<Hindrance>(resolve => {
      timer = setTimeout(() => resolve({ id: 'writerStuck', what }), WRITER_MILLISECONDS);
    });
    const answered = this.sources.writer.ask('ping', {}).then(
      ({ problem, note }): Hindrance | undefined => {
        this.note = note;
        return problem === undefined ? undefined : { id: 'notJoined', what: problem };
      },
      (error: Error): Hindrance => ({ id: 'writerFailed', what: `The writer failed: ${error.message}` }),
    );
    try {
      return await Promise.race([answered, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Answers that the service lives. */
export function answerAlive(_request: unknown, reply: FastifyReply): FastifyReply {
  return answer(reply, 200, { status: 'alive' });
}

/** Makes the handler that answers whether the service can do its work. */
export function readyRoute(readiness: Readiness) {
  return async (_request: unknown, reply: FastifyReply): Promise<FastifyReply> => {
    const problems = await readiness.problems();
    return problems.length === 0
      ? answer(reply, 200, { status: 'ready', note: readiness.note })
      : answer(reply, 503, { status: 'notReady', problems });
  };
}

function answer(reply: FastifyReply, code: number, body: object): FastifyReply {
  return reply
    .code(code)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(body));
}
