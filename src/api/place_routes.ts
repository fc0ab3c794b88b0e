// The routes of the geocoder, and what browsers need to use them from any page. Each also stands behind `/k/<key>`, for clients that can be given an address and
// no parameter.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { CountryExchange } from './country.ts';
import { PlaceBatchExchange } from './place_batch.ts';
import { PlaceExchange } from './places.ts';
import type { Services } from './services.ts';

/** Paths and the methods that they answer. */
export const PLACE_METHODS: ReadonlyMap<string, string> = new Map([
  ['/reverse', 'GET, OPTIONS, POST'],
  ['/search', 'GET, OPTIONS'],
  ['/v1/country', 'GET, OPTIONS, POST'],
]);

const KEY_IN_PATH = /^\/k\/[^/]+(?=\/)/;
/** Browsers ask again after this long. */
const PREFLIGHT_SECONDS = 86_400;

/** A path without the key that may stand before it. */
export function withoutKeyInPath(path: string): string {
  const behind = path.replace(KEY_IN_PATH, '');
  return PLACE_METHODS.has(behind) ? behind : path;
}

/** Adds the routes to a scope of their own. */
export function addPlaceRoutes(scope: FastifyInstance, services: Services): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'retry-after');
  });
  for (const before of ['', '/k/:key']) {
    scope.get(`${before}/reverse`, (request, reply) => void new PlaceExchange(services, request, reply, 'reverse').start());
    scope.get(`${before}/search`, (request, reply) => void new PlaceExchange(services, request, reply, 'search').start());
    scope.post(`${before}/reverse`, (request, reply) => void new PlaceBatchExchange(services, request, reply).start(request.body ?? {}));
    scope.route({
      method: ['GET', 'POST'],
      url: `${before}/v1/country`,
      handler: (request, reply) => void new CountryExchange(services, request, reply).start(request.body ?? {}),
    });
    for (const [path, methods] of PLACE_METHODS) scope.options(before + path, (_request, reply) => allow(reply, methods));
  }
}

/** Answers what a browser asks before it sends a request with a body or headers of its own; it needs no key. */
function allow(reply: FastifyReply, methods: string): void {
  reply
    .code(204)
    .headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': '*',
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    .send();
}
