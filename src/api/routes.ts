// Makes routes of Fastify from the functions that answer requests.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyHold } from './body_memory.ts';
import type { RouteContext } from './context.ts';
import { type Answer, Exchange, type RouteName, respond, type Wording } from './exchange.ts';
import { FastifyTransport } from './transport/fastify_transport.ts';
import { type AnswerParts, streamParts } from './transport/parts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as received and inflated; null without one. */
    bytes: Buffer | null;
    /** Counts the memory of the body; null without one. */
    hold: BodyHold | null;
  }
}

/**
 * Answers a request. @param body parsed JSON, or the bytes of a large body @throws ApiError, or Error for a fault of
 * ours
 */
type Handler<A> = (context: RouteContext, exchange: Exchange, body: unknown) => Promise<A>;

/** The exchange of a request that Fastify has read. */
export function exchangeOf(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  name: RouteName,
  wording?: Wording,
): Exchange {
  const exchange = new Exchange(
    context,
    new FastifyTransport(request, reply, name !== 'other'),
    name,
    request.bytes ?? undefined,
    wording,
  );
  exchange.hold = request.hold ?? undefined;
  return exchange;
}

/** Makes a route of its handler. Fastify is given no promise: the answer leaves by `replies`. */
export function routeOf(context: RouteContext, name: RouteName, answer: Handler<Answer>, wording?: Wording) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = exchangeOf(context, request, reply, name, wording);
    void respond(exchange, answer(context, exchange, request.body ?? {}));
  };
}

/** The same for a handler that may answer in parts. They are not kept, so the log holds their summary. */
export function partsRouteOf(context: RouteContext, name: RouteName, answer: Handler<Answer | AnswerParts>) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = exchangeOf(context, request, reply, name);
    const withParts = async (): Promise<void> => {
      try {
        const answered = await answer(context, exchange, request.body ?? {});
        if (typeof answered === 'string' || 'reason' in answered) exchange.answer(answered);
        else sendParts(exchange, reply, answered);
      } catch (error) {
        exchange.failBy(error);
      }
    };
    void withParts();
  };
}

function sendParts(exchange: Exchange, reply: FastifyReply, parts: AnswerParts): void {
  exchange.nameInHeader();
  streamParts(reply, exchange.contentType, parts, summary => {
    exchange.body = summary;
    exchange.sent();
  });
}
