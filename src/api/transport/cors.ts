// What lets web pages of any origin use the service. A page cannot be kept from a key that it knows, so its origin
// decides nothing.
//
// Answers of the geocoder and to contributions always allow it, as those of the services whose clients they serve.
// Answers to positions only where the request names an origin, as browsers do: trackers pay for every byte.

import type { FastifyInstance, FastifyReply } from 'fastify';

/** Header with the number of a request in the log, for an answer whose text does not have it. */
export const LOG_ID_HEADER = 'x-log-id';

/** How long browsers may cache the answer to a preflight request. */
const PREFLIGHT_SECONDS = 86_400;

/** Headers that let a page of any origin read an answer. */
const FOR_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `retry-after, ${LOG_ID_HEADER}`,
};
/** The same as lines of a head. */
export const LINES_FOR_PAGES = Object.entries(FOR_PAGES)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Lets pages of any origin read the answers of a scope. @param onlyWithOrigin only those to requests that name one */
export function letPagesRead(scope: FastifyInstance, onlyWithOrigin = false): void {
  scope.addHook('onRequest', async ({ headers }, reply) => {
    if (!onlyWithOrigin || headers.origin !== undefined) reply.headers(FOR_PAGES);
  });
}

/**
 * Answers the question that a browser asks before a request from another page. It carries no key. @param methods of the
 * path, as in the header
 */
export function addPreflight(scope: FastifyInstance, path: string, methods: string): void {
  scope.options(path, (request, reply: FastifyReply) => {
    // `OPTIONS *` names no route; the router takes the asterisk for the root.
    if (request.raw.url === '*') {
      reply.callNotFound();
      return;
    }
    reply
      .code(204)
      .headers({
        ...FOR_PAGES,
        'access-control-allow-methods': methods,
        // The star does not cover `authorization`: Fetch standard, section 3.3.5.
        'access-control-allow-headers': '*, authorization',
        'access-control-max-age': PREFLIGHT_SECONDS,
      })
      .send();
  });
}
