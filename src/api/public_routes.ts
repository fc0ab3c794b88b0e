// The routes of the public address, in the order of the OpenAPI document. The server makes its routes of these rows
// (server.ts), and the document its operations (src/protocol/openapi/document.ts). Dialects have a table of their own
// (src/protocol/dialects/table.ts).

import type { DialectName } from '../config/dialects.ts';
import { HEALTH, READY } from '../protocol/openapi/health_operations.ts';
import { LOOKUP, STATUS } from '../protocol/openapi/lookup_operations.ts';
import * as operations from '../protocol/openapi/operations.ts';
import { insteadOf } from './dialects.ts';
import type { Answer, Exchange, RouteContext, RouteName } from './exchange.ts';
import { FRONT_PAGE, isOpenedInBrowser, PAGE_TYPE } from './front_page.ts';
import { answerAlive, readyRoute } from './health.ts';
import * as places from './places.ts';
import { answerCompact, answerPosition, COMPACT_WORDING } from './position.ts';
import { BATCH_PATH, servePositionBatch } from './position_batch.ts';
import { type FastifyHandler, partsRouteOf, type Route, routeOf } from './routes.ts';
import { submissionRoute } from './submission.ts';
import { TRAIL } from './trail.ts';

const position = logged('position', answerPosition);
const stored = { status: 200, body: '{}' };
const alive = () => answerAlive;
const ready = ({ readiness }: RouteContext) => readyRoute(readiness);
const country = logged('country', places.answerCountry);

/** All routes. */
export const ROUTES: readonly Route[] = [
  row('GET /', 'position', operations.COMPACT, serveRoot),
  row('POST /', 'position', operations.POSITION, position),
  row('POST /v1/geolocate', 'position', { ...operations.POSITION, name: 'positionAsMozilla' }, position),
  row(`POST ${BATCH_PATH}`, 'positions', operations.POSITION_BATCH, servePositionBatch),
  row('POST /geolocation/v1/geolocate', 'position', { ...operations.POSITION, name: 'positionAsGoogle' }, position),
  TRAIL,
  row('GET /reverse', 'places', operations.REVERSE, serveReverse),
  row('POST /reverse', 'places', operations.REVERSE_BATCH, context =>
    partsRouteOf(context, 'reverse', places.answerPlaceBatch),
  ),
  row('GET /search', 'places', operations.SEARCH, logged('search', places.answerSearch)),
  row('GET /lookup', 'places', LOOKUP, logged('lookup', places.answerLookup)),
  row('GET /status', 'places', STATUS, logged('status', places.answerStatus)),
  row('GET /v1/country', 'places', operations.COUNTRY_WITHOUT_BODY, country),
  row('POST /v1/country', 'places', operations.COUNTRY, country),
  row('POST /v2/geosubmit', 'submission', operations.GEOSUBMIT, logged('submit', submissionRoute(stored))),
  row('POST /v1/geosubmit', 'submission', operations.GEOSUBMIT_V1, logged('submit', submissionRoute(stored))),
  row(
    'POST /v1/submit',
    'submission',
    operations.SUBMIT_V1,
    logged('submit', submissionRoute({ status: 204, body: '' })),
  ),
  row('GET /health', 'none', HEALTH, alive),
  row('GET /ready', 'none', READY, ready),
  // What balancers of Mozilla's services ask.
  row('GET /__lbheartbeat__', 'none', { ...HEALTH, name: 'healthOfBalancers' }, alive),
  row('GET /__heartbeat__', 'none', { ...READY, name: 'readyOfBalancers' }, ready),
];

/** Methods by path, as in the header `Allow`. */
export const METHODS: ReadonlyMap<string, string> = new Map(
  [...Map.groupBy(ROUTES, ({ path }) => path)].map(([path, rows]) => {
    const methods = [...rows.map(({ method }) => method), ...(rows[0].body === 'none' ? [] : ['OPTIONS'])];
    return [path, methods.sort().join(', ')];
  }),
);

function row(
  line: `${Route['method']} /${string}`,
  body: Route['body'],
  operation: operations.Operation,
  serve: Route['serve'],
): Route {
  const [method, path] = line.split(' ');
  return { method: method as Route['method'], path, body, operation, serve };
}

/** @param name of the route in the log */
function logged(
  name: RouteName,
  answer: (context: RouteContext, exchange: Exchange, body: unknown) => Promise<Answer>,
): Route['serve'] {
  return context => routeOf(context, name, answer);
}

/** A position in the compact form, or what a person sees who opens the address in a browser. */
function serveRoot(context: RouteContext): FastifyHandler {
  const compact = routeOf(context, 'compact', answerCompact, COMPACT_WORDING);
  return (request, reply) => {
    if (!isOpenedInBrowser(request)) compact(request, reply);
    else if (context.tileWorker !== undefined) reply.redirect('/console/');
    else reply.type(PAGE_TYPE).send(FRONT_PAGE);
  };
}

/** A point, unless the request is meant for a dialect. */
function serveReverse(context: RouteContext, dialects: readonly DialectName[]): FastifyHandler {
  const reverse = routeOf(context, 'reverse', places.answerReverse);
  const instead = insteadOf(context, dialects, '/reverse');
  return (request, reply) => (instead(request) ?? reverse)(request, reply);
}
