// What a person sees who opens the address of the service in a browser. The path is that of the compact form
// (position.ts), whose clients send a key and do not ask for HTML.

import type { FastifyRequest } from 'fastify';
import { VERSION } from '../config/version.ts';
import { keyInQuery, type Query } from './transport/transport.ts';

/** The content type of the page. */
export const PAGE_TYPE = 'text/html; charset=utf-8';

/** The page. */
export const FRONT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sextant</title>
<h1>Sextant ${VERSION}</h1>
<p>This service answers programs: they ask it for positions and places, with a key.</p>
<p>Its documents come with the program, in the folder <code>docs</code>: <code>docs/api.md</code> and
<code>docs/openapi.json</code> for authors of clients, <code>docs/tour.md</code> for the operator.</p>
<p>Whether it is ready: <a href="ready">/ready</a></p>
</html>
`;

/** True if a browser opens the address. */
export function isOpenedInBrowser({ headers, query, raw }: FastifyRequest): boolean {
  const hasKey = raw.keyInPath !== undefined || keyInQuery(query as Query) !== undefined;
  return !hasKey && (query as Query).wifi === undefined && headers.accept?.includes('text/html') === true;
}
