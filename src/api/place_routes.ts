// The routes of the geocoder, which web pages may use. Each route also exists under `/k/<key>`, for clients that accept
// a base address but no parameter.

import type { FastifyInstance } from 'fastify';
import type { RouteContext } from './context.ts';
import { answerCountry } from './country.ts';
import { answerPlaceBatch } from './place_batch.ts';
import { answerLookup, answerReverse, answerSearch, answerStatus } from './places.ts';
import { partsRouteOf, routeOf } from './routes.ts';
import { addPreflight, letPagesRead } from './transport/cors.ts';

/** The methods of each path. */
export const PLACE_METHODS: ReadonlyMap<string, string> = new Map([
  ['/reverse', 'GET, OPTIONS, POST'],
  ['/search', 'GET, OPTIONS'],
  ['/lookup', 'GET, OPTIONS'],
  ['/status', 'GET, OPTIONS'],
  ['/v1/country', 'GET, OPTIONS, POST'],
]);

const KEY_IN_PATH = /^\/k\/[^/]+(?=\/)/;

/** A path without its leading key, if it has one. */
export function withoutKeyInPath(path: string): string {
  const behind = path.replace(KEY_IN_PATH, '');
  return PLACE_METHODS.has(behind) ? behind : path;
}

/** Adds the routes to a Fastify scope of their own. */
export function addPlaceRoutes(scope: FastifyInstance, context: RouteContext): void {
  letPagesRead(scope);
  const country = routeOf(context, 'country', answerCountry);
  for (const before of ['', '/k/:key']) {
    scope.get(`${before}/reverse`, routeOf(context, 'reverse', answerReverse));
    scope.get(`${before}/search`, routeOf(context, 'search', answerSearch));
    scope.get(`${before}/lookup`, routeOf(context, 'lookup', answerLookup));
    scope.get(`${before}/status`, routeOf(context, 'status', answerStatus));
    scope.post(`${before}/reverse`, partsRouteOf(context, 'reverse', answerPlaceBatch));
    scope.route({ method: ['GET', 'POST'], url: `${before}/v1/country`, handler: country });
    for (const [path, methods] of PLACE_METHODS) addPreflight(scope, before + path, methods);
  }
}
