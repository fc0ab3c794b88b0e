// GET /reverse and GET /search. Reads top-down: authenticate and admit, read the question, answer it (here or in a worker), charge, reply; the log follows.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from '../protocol/errors.ts';
import { readReverse, readSearch } from '../protocol/requests/place_question.ts';
import type { PlaceQuestion } from '../tasks/answer_places.ts';
import { askPlaces } from './ask_places.ts';
import { Exchange } from './exchange.ts';
import type { Services } from './services.ts';

/** A question about places on its way. */
export class PlaceExchange extends Exchange {
  private readonly kind: 'reverse' | 'search';

  constructor(services: Services, request: FastifyRequest, reply: FastifyReply, kind: 'reverse' | 'search') {
    super(services, request, reply, kind);
    this.kind = kind;
  }

  /** Answers the query parameters. */
  async start(): Promise<void> {
    try {
      const account = await this.admit();
      if (account === undefined) return;
      const {
        texts: [text],
        credits,
      } = await askPlaces(this.services.compute, this.readQuestion());
      if (text === undefined) this.fail(ERRORS.notFound);
      else if (credits === 0 || (await this.services.billing.charge(account.id, credits))) this.succeed(text);
      else this.fail(ERRORS.creditsExceeded);
    } catch (error) {
      this.failBy(error);
    }
  }

  private readQuestion(): PlaceQuestion {
    const url = this.request.raw.url ?? '';
    const languages = this.request.headers['accept-language'];
    if (this.kind === 'search') {
      const { question, form } = readSearch(url, languages);
      return { search: question, form };
    }
    const { question, form } = readReverse(url, languages);
    return { reverse: question, form };
  }
}
