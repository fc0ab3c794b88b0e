// The routes of the dialects (src/protocol/dialects/): a dialect reads each request as one of our own, which is
// handled like every other, and writes its answer or error in the form of the dialect.

import type { FastifyInstance } from 'fastify';
import type { DialectName } from '../config/dialects.ts';
import { VERSION } from '../config/version.ts';
import type { AnsweredPlace, Asked, Dialect, DialectRoute } from '../protocol/dialects/dialect.ts';
import { DIALECT_TABLE } from '../protocol/dialects/table.ts';
import { ApiError, ERRORS, type Wording } from '../protocol/errors.ts';
import type { AnswerForm } from '../protocol/requests/place_question.ts';
import type { PlaceQuestion } from '../tasks/answer_places.ts';
import { answerCells } from './cells.ts';
import type { Answer, Exchange, RouteContext } from './exchange.ts';
import { answerQuestion } from './places.ts';
import { answerPosition } from './position.ts';
import { type FastifyHandler, type Instead, routeOf } from './routes.ts';
import { submissionRoute } from './submission.ts';
import { addPreflight, letPagesRead } from './transport/cors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a route words errors that are found before it is called. */
    wording?: Wording;
  }
}

/** The form in which dialects read places. */
const PLACE_FORM: AnswerForm = { format: 'jsonv2', hasAddress: true, hasNames: true };
/** No body of a dialect is larger, and parsing more would delay other requests. */
const BODY_BYTES_MAX = 262_144;
const NO_BYTES = Buffer.alloc(0);

/** Methods by path. */
export function dialectMethods(names: readonly DialectName[]): Map<string, string> {
  const methods = new Map<string, string>();
  for (const { routes } of dialectsOf(names))
    for (const { method, paths } of routes)
      for (const path of paths)
        methods.set(
          path,
          [...new Set([...(methods.get(path)?.split(', ') ?? []), method, 'OPTIONS'])].sort().join(', '),
        );
  return methods;
}

/** Adds the routes to a Fastify scope of their own, whose parser leaves bodies as bytes. */
export function addDialectRoutes(scope: FastifyInstance, context: RouteContext, names: readonly DialectName[]): void {
  letPagesRead(scope);
  const methods = dialectMethods(names);
  for (const [url, allowed] of methods) addPreflight(scope, url, allowed);
  for (const { routes, wording } of dialectsOf(names)) {
    for (const route of routes) {
      const handler = handlerOf(context, route, wording);
      for (const url of route.paths) {
        scope.route({ method: route.method, url, config: { wording }, handler });
      }
    }
  }
}

/** Chooses the dialect of a request to one of our own paths. */
export function insteadOf(context: RouteContext, names: readonly DialectName[], path: string): Instead {
  const others = dialectsOf(names).flatMap(({ routes, wording }) =>
    routes
      .filter(({ instead }) => instead?.path === path)
      .map(route => ({ isMeant: route.instead!.isMeant, handler: handlerOf(context, route, wording) })),
  );
  return request => others.find(({ isMeant }) => isMeant(request.raw.url ?? ''))?.handler;
}

/** True for a request to one of our own paths that a dialect reads. */
export function isForDialect(names: readonly DialectName[], url: string): boolean {
  return names.some(name =>
    DIALECT_TABLE[name].routes.some(
      ({ instead }) => instead !== undefined && url.startsWith(`${instead.path}?`) && instead.isMeant(url),
    ),
  );
}

function dialectsOf(names: readonly DialectName[]): Dialect[] {
  return names.map(name => DIALECT_TABLE[name]);
}

function handlerOf(context: RouteContext, route: DialectRoute, wording: Wording): FastifyHandler {
  const answer = (_: RouteContext, exchange: Exchange, body: unknown) => answerDialect(context, exchange, route, body);
  return routeOf(context, route.logged, answer, wording);
}

async function answerDialect(
  context: RouteContext,
  exchange: Exchange,
  route: DialectRoute,
  body: unknown,
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body) ? body : NO_BYTES;
  if (bytes.length > BODY_BYTES_MAX) throw new ApiError(ERRORS.bodyTooLarge);
  const { url, languages } = exchange.transport;
  const asked = route.read({ url, languages, bytes });
  exchange.keyInBody = asked.key;
  const written = await answerAsked(context, exchange, asked);
  if (typeof written !== 'string') return written;
  if (asked.contentType !== undefined) exchange.contentType = asked.contentType;
  // Nobody waits for it, and what fails there is told to the operator.
  if (asked.isForwarded) void context.forward?.post(written);
  return written;
}

async function answerAsked(context: RouteContext, exchange: Exchange, asked: Asked): Promise<Answer> {
  if ('status' in asked) return asked.status(context.compute.geocoder.updatedAt(), VERSION);
  if ('reports' in asked)
    return submissionRoute({ status: 200, body: asked.stored })(context, exchange, { items: asked.reports });
  if ('position' in asked) {
    const text = await answerPosition(context, exchange, asked.position);
    return typeof text === 'string' ? asked.write(JSON.parse(text)) : text;
  }
  if ('cells' in asked) {
    const found = await answerCells(context, exchange, asked.cells);
    return 'total' in found ? asked.write(found) : found;
  }
  const text = await answerQuestion(context, exchange, () => questionOf(asked));
  return typeof text === 'string' ? asked.write(placesIn(JSON.parse(text))) : text;
}

/** What is asked of the geocoder, without the functions that a worker cannot take. */
function questionOf(
  asked: Exclude<Asked, { status: unknown } | { position: unknown } | { reports: unknown } | { cells: unknown }>,
): PlaceQuestion {
  if ('reverse' in asked) return { reverse: asked.reverse, form: PLACE_FORM };
  if ('search' in asked) return { search: asked.search, form: PLACE_FORM };
  return { objects: asked.objects, languages: asked.languages, form: PLACE_FORM };
}

/** The places of an answer: a list, or one of them, or that there is none. */
function placesIn(answer: AnsweredPlace[] | AnsweredPlace | { error: string }): AnsweredPlace[] {
  return [answer].flat().filter(place => !('error' in place)) as AnsweredPlace[];
}
