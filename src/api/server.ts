// The Fastify server of one HTTP thread: how bodies become values, which path is which route, and the shape of every error, also of those that no route sees.

import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError, ERRORS, type ErrorRow, errorBody } from '../protocol/errors.ts';
import { inflate, parseChecked } from '../protocol/requests/body.ts';
import { LOG_ROUTES } from '../tables/requests/record.ts';
import { answerCompact, COMPACT_WORDING } from './compact_position.ts';
import type { RouteContext } from './context.ts';
import { Exchange, logRequest, routeOf } from './exchange.ts';
import { gatherBody } from './gather_body.ts';
import { addPlaceRoutes, PLACE_METHODS, withoutKeyInPath } from './place_routes.ts';
import { answerPosition } from './position.ts';
import { SUBMISSION_PATHS, submissionRoute } from './submission.ts';

/** Paths of a position: the specification's, Mozilla's and Google's. */
const POSITION_PATHS = ['/', '/v1/geolocate', '/geolocation/v1/geolocate'];
/** Which methods each path answers; the compact form shares the root. */
const METHODS = new Map([
  ...[...POSITION_PATHS, ...SUBMISSION_PATHS.keys()].map(path => [path, path === '/' ? 'GET, POST' : 'POST'] as const),
  ...PLACE_METHODS,
]);

const MEGABYTE = 1_048_576;
/** Slow senders are cut off: a body must be there after this long. */
const REQUEST_MILLISECONDS = 60_000;
const HEADER_BYTES = 16_384;
/** Largest batch, as sent and inflated: devices come back with what they gathered in weeks. */
const SUBMISSION_BYTES = 64 * MEGABYTE;
/** Bodies of more bytes than this are parsed by a worker (large_position.ts): here they would hold the others up for milliseconds. */
const LARGE_BODY_BYTES = 262_144;

/** What no route sees, because it is no HTTP. */
const BROKEN_HTTP: ErrorRow = { ...ERRORS.parseError, message: 'The request is not valid HTTP.' };
const BROKEN_ADDRESS: ErrorRow = {
  ...ERRORS.parseError,
  message: 'The address of the request is not valid: what is not ASCII must be percent-encoded.',
};
const HEADERS_TOO_LARGE: ErrorRow = { ...ERRORS.parseError, status: 431, message: `The headers are larger than ${HEADER_BYTES} bytes.` };

/** By code of Node's parser; all others are broken HTTP. */
const BROKEN_ROWS = new Map<string | undefined, ErrorRow>([
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  ['HPE_INVALID_URL', BROKEN_ADDRESS],
]);

/** Builds the server; the caller listens. */
export function createServer(context: RouteContext, config: Config, tls: { cert: string; key: string } | undefined): FastifyInstance {
  const options = {
    bodyLimit: config.maxBodyMegabytes * MEGABYTE,
    trustProxy: config.trustProxy ?? false,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_MILLISECONDS,
    forceCloseConnections: 'idle' as const,
    // What arrives on an open connection while the service stops is still answered; Fastify's own 503 would not have our shape.
    return503OnClosing: false,
    // A key in the path that is too long is a wrong key like any other.
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true, maxParamLength: HEADER_BYTES },
    // Nothing depends on the name that a client knows us by.
    http: { maxHeaderSize: HEADER_BYTES, requireHostHeader: false },
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      void new Exchange(context, request, reply, 'other').fail(ERRORS.parseError, 'The address of the request is not valid.'),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answerBrokenHttp(context, error, socket),
  };
  const server = (tls === undefined
    ? Fastify(options)
    : Fastify({ ...options, https: { ...options.http, ...tls } })) as unknown as FastifyInstance;
  // Node would answer 417 without a body; an expectation may as well be ignored (RFC 9110, 10.1.1).
  server.server.on('checkExpectation', (request, response) => server.routing(request, response));
  server.decorateRequest('bytes', null);
  const largeBytes = context.compute.hasWorkers ? LARGE_BODY_BYTES : Number.POSITIVE_INFINITY;
  readBodies(server, config.maxBodyMegabytes * MEGABYTE, largeBytes);
  for (const path of POSITION_PATHS) server.post(path, routeOf(context, 'position', answerPosition));
  server.register(async scope => addSubmissions(scope, context, largeBytes));
  server.register(async scope => addPlaceRoutes(scope, context));
  server.get('/', routeOf(context, 'compact', answerCompact, COMPACT_WORDING));
  server.setNotFoundHandler((request, reply) => {
    const path = request.url
      .split('?', 1)[0]
      .replace(/\/+/g, '/')
      .replace(/(.)\/$/, '$1');
    const methods = METHODS.get(withoutKeyInPath(path));
    const exchange = new Exchange(context, request, reply, 'other');
    if (methods === undefined) exchange.fail(ERRORS.pathNotFound);
    else {
      reply.header('allow', methods);
      exchange.fail(ERRORS.methodNotAllowed);
    }
  });
  server.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    new Exchange(context, request, reply, 'other').failBy(asApiError(error));
  });
  return server;
}

/** Any content type is JSON here; compressed bodies are inflated under the cap. Larger ones stay bytes, for a worker to parse. */
function readBodies(server: FastifyInstance, capBytes: number, largeBytes: number): void {
  const parse = (bytes: Buffer): unknown => (bytes.length > largeBytes ? bytes : parseChecked(bytes));
  // Fastify refuses a type that is not well formed, before any parser is asked.
  server.server.prependListener('request', request => {
    request.headers['content-type'] = 'application/json';
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || body.length === 0) {
      request.bytes = body;
      try {
        done(null, parse(body));
      } catch (error) {
        done(error as Error);
      }
      return;
    }
    inflate(body, encoding, capBytes)
      .then(bytes => {
        request.bytes = bytes;
        return parse(bytes);
      })
      .then(
        value => done(null, value),
        error => done(error),
      );
  });
}

/** The routes of submissions read their bodies in their own way. Browsers may send them from any page, as to Mozilla's. */
function addSubmissions(scope: FastifyInstance, context: RouteContext, largeBytes: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await gatherBody(payload, request.headers['content-encoding'], SUBMISSION_BYTES, largeBytes);
    request.bytes = bytes;
    return bytes.length > largeBytes ? bytes : parseChecked(bytes);
  });
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*');
  });
  for (const [path, stored] of SUBMISSION_PATHS) scope.post(path, routeOf(context, 'submit', submissionRoute(stored)));
}

/** What Fastify itself refuses, in our words; everything else is a fault of ours. */
function asApiError(error: FastifyError | ApiError): Error {
  if (error instanceof ApiError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError(ERRORS.bodyTooLarge);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ApiError(ERRORS.parseError, `${error.message}.`.replace(/\.\.$/, '.'));
  }
  return error;
}

/** Bytes that are no HTTP request: there is no request object to answer, only a socket. */
function answerBrokenHttp(context: RouteContext, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const row = BROKEN_ROWS.get(error.code) ?? BROKEN_HTTP;
  const logId = context.logIds.next();
  const body = errorBody(row, logId);
  const head = [
    `HTTP/1.1 ${row.status} ${STATUS_CODES[row.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  logRequest(context, {
    logId,
    timeMs: Date.now(),
    latencyUs: 0,
    status: row.status,
    route: LOG_ROUTES.indexOf('other'),
    accountId: 0,
    nr: undefined,
    deviceId: undefined,
    query: '',
    request: undefined,
    response: body,
  });
}
