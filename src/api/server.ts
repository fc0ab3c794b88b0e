// The Fastify server of one HTTP thread: it reads bodies, maps paths to routes, and gives every error the same form,
// even before a route is chosen.

import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError, ERRORS, type ErrorRow, errorBody } from '../protocol/errors.ts';
import { parseChecked } from '../protocol/requests/body.ts';
import { LOG_ROUTES } from '../tables/requests/record.ts';
import { addDialectRoutes, dialectMethods, isForDialect } from './dialects.ts';
import { Exchange, logRequest, type RouteContext, respond, type TileWorker } from './exchange.ts';
import { FastLane, type FastLaneOptions } from './fast_lane/fast_lane.ts';
import { gatherBody, gatherQuery } from './gather_body.ts';
import { answerPlainPlace, PLAIN_PLACE_PATHS } from './places.ts';
import { answerPosition } from './position.ts';
import { METHODS, ROUTES } from './public_routes.ts';
import { exchangeOf, type Route } from './routes.ts';
import { clientAddressBehind } from './transport/client_address.ts';
import { connectionsOfThread, limitConnections } from './transport/connection_limit.ts';
import { addPreflight, letPagesRead } from './transport/cors.ts';
import { splitKey, takeKey } from './transport/key_in_path.ts';
import type { Transport } from './transport/transport.ts';
import { limitWrites } from './transport/write_limit.ts';

/** Paths of a position: the specification's, Mozilla's and Google's. */
const POSITION_PATHS = ROUTES.flatMap(({ method, path, body }) =>
  method === 'POST' && body === 'position' ? [path] : [],
);

/** Methods where the console is public. */
const PUBLIC_CONSOLE_METHODS = [
  ['/console', 'GET'],
  ['/console/map', 'GET'],
  ['/console/statistics', 'GET'],
  ['/console/examples', 'GET'],
  ['/console/map/file', 'GET'],
] as const;

/** Paths of large bodies. */
const BATCH_PATHS = new Set(
  ROUTES.flatMap(({ path, body }) => (body === 'submission' || body === 'positions' ? [path] : [])),
);

const MEGABYTE = 1_048_576;
/** No request may take longer. Bodies have limits of their own (gather_body.ts). */
const REQUEST_MILLISECONDS = 3_600_000;
/**
 * For how long the rest of a body is read that was refused as too large. A client that still sends would not see the
 * answer on a connection that is reset.
 */
const DRAIN_MILLISECONDS = 5_000;
const HEADER_BYTES = 16_384;
/** The head of a request must be complete after this. */
const HEAD_MILLISECONDS = 60_000;
/** Largest batch, both as sent and inflated: devices may send what they gathered over weeks. */
const SUBMISSION_BYTES = 64 * MEGABYTE;
/**
 * Bodies with more bytes are parsed by a worker (src/tasks/large_*.ts); here they would delay other requests by
 * milliseconds.
 */
const LARGE_BODY_BYTES = 262_144;

/** The same for points and countries: a list of 10,000 points takes 230 KB, and five milliseconds to parse. */
const LARGE_PLACES_BYTES = 65_536;

/**
 * How long a client that sent no HTTP may take to read its answer. A socket closed at once would take the answer with
 * it if more bytes arrive.
 */
const LINGER_MILLISECONDS = 2_000;

/** For bytes that are not HTTP, which reach no route. */
const BROKEN_HTTP: ErrorRow = { ...ERRORS.parseError, message: 'The request is not valid HTTP.' };
const BROKEN_ADDRESS: ErrorRow = {
  ...ERRORS.parseError,
  message: 'The address of the request is not valid: what is not ASCII must be percent-encoded.',
};
const HEADERS_TOO_LARGE: ErrorRow = {
  ...ERRORS.parseError,
  status: 431,
  message: `The headers are larger than ${HEADER_BYTES} bytes.`,
};

/** No route has a schema, so the compilers of Fastify, a hundred files, are not loaded. */
const NO_COMPILER = (): never => {
  throw new Error('A route has a schema, and nothing that compiles it.');
};

/** By error code of Node's parser; any other code is broken HTTP. */
const BROKEN_ROWS = new Map<string | undefined, ErrorRow>([
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  ['HPE_INVALID_URL', BROKEN_ADDRESS],
  ['ERR_HTTP_REQUEST_TIMEOUT', ERRORS.requestTimeout],
]);

/** Builds the server; the caller listens. */
export function createServer(
  context: RouteContext,
  config: Config,
  tls: { cert: string; key: string } | undefined,
): FastifyInstance {
  const broken = new WeakSet<Socket>();
  const options = serverOptions(context, config, broken);
  const server = (tls === undefined
    ? Fastify(options)
    : Fastify({ ...options, https: { ...options.http, ...tls } })) as unknown as FastifyInstance;
  limitConnections(server.server, connectionsOfThread(config.maxConnections, config.httpThreads), context.onError);
  // Node would answer 417 without a body; RFC 9110, 10.1.1, allows a server to ignore an expectation.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response));
  // A body that is too large is refused before it is sent.
  server.server.on('checkContinue', (request, response) => {
    const capBytes = BATCH_PATHS.has(pathOf(splitKey(request.url ?? '').url))
      ? SUBMISSION_BYTES
      : context.bodyLimitBytes;
    if (!(Number(request.headers['content-length']) > capBytes)) response.writeContinue();
    server.server.emit('request', request, response);
  });
  server.decorateRequest('bytes', null);
  server.decorateRequest('hold', null);
  const withWorkers = (bytes: number) => (context.compute.hasWorkers ? bytes : Number.POSITIVE_INFINITY);
  const largeBytes = withWorkers(LARGE_BODY_BYTES);
  const largePlacesBytes = withWorkers(LARGE_PLACES_BYTES);
  const timed = <T>(parse: (bytes: Buffer) => T) => context.tracer?.timed(parse) ?? parse;
  const parsePosition = timed(bytes => (bytes.length > largeBytes ? bytes : context.positions.parse(bytes)));
  const parsePlaces = timed(bytes => (bytes.length > largePlacesBytes ? bytes : parseChecked(bytes)));
  // Fastify refuses a malformed content type before it calls any parser.
  server.server.prependListener('request', request => {
    request.headers['content-type'] = 'application/json';
  });
  readBodies(server, context, largePlacesBytes, parsePlaces);
  const readers: Partial<Record<Route['body'], (scope: FastifyInstance) => void>> = {
    position: scope => readBodies(scope, context, largeBytes, parsePosition),
    positions: scope => readBatches(scope, context, bytes => bytes),
    submission: scope =>
      readBatches(scope, context, bytes => (bytes.length > LARGE_BODY_BYTES ? bytes : parseChecked(bytes))),
  };
  for (const [body, routes] of Map.groupBy(ROUTES, route => route.body))
    server.register(async scope => {
      readers[body]?.(scope);
      addRoutes(scope, context, config, routes);
    });
  server.register(async scope => {
    readBodies(scope, context, largeBytes, bytes => bytes);
    addDialectRoutes(scope, context, config.dialects);
  });
  const { tileWorker } = context;
  if (tileWorker !== undefined) server.register(scope => addConsole(scope, context, tileWorker, config.map));
  const ofConsole = tileWorker === undefined ? [] : PUBLIC_CONSOLE_METHODS;
  const methods = new Map([...METHODS, ...ofConsole, ...dialectMethods(config.dialects)]);
  answerErrors(server, context, methods, broken);
  // Whose address stands in the access log, only Fastify knows behind a proxy.
  const takesForwarded = config.accessLog === 'off' || config.trustProxy === undefined;
  const way = { isSecure: tls !== undefined, takesForwarded, clientAddress: clientAddressBehind(config.trustProxy) };
  const takes = (url: string) => !isForDialect(config.dialects, url);
  if (config.fastLane) openFastLane(server, context, { ...way, takes, parse: parsePosition });
  // Behind the lane, which keeps the listeners that it finds for itself.
  limitWrites(server.server, tls !== undefined);
  return server;
}

/** Adds the public page of the console, whose code is loaded only where it is wanted. */
async function addConsole(
  scope: FastifyInstance,
  context: RouteContext,
  worker: TileWorker,
  map: Config['map'],
): Promise<void> {
  const { addPublicConsole } = await import('./public_console.ts');
  addPublicConsole(scope, context, worker, map);
}

/**
 * Gives errors that no route answers their form.
 * @param methodsOf the methods of each path
 * @param broken connections whose bytes were no HTTP, and that are answered
 */
function answerErrors(
  server: FastifyInstance,
  context: RouteContext,
  methodsOf: ReadonlyMap<string, string>,
  broken: WeakSet<Socket>,
): void {
  server.setNotFoundHandler((request, reply) => {
    const methods = methodsOf.get(pathOf(request.url));
    const exchange = exchangeOf(context, request, reply, 'other');
    if (methods === undefined) exchange.fail(ERRORS.pathNotFound);
    else {
      reply.header('allow', methods);
      exchange.fail(ERRORS.methodNotAllowed);
    }
  });
  server.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    if (broken.has(request.raw.socket)) {
      // The body broke off, which was answered and logged: nobody would get another answer.
      request.hold?.release();
      reply.hijack();
      return;
    }
    if (error instanceof ApiError && error.row === ERRORS.bodyTooLarge) drainBody(request, reply);
    const { wording } = request.routeOptions.config;
    exchangeOf(context, request, reply, 'other', wording).failBy(asApiError(error));
  });
}

/** Settings of Fastify and of Node's server. @param broken gets the connections whose bytes are no HTTP */
function serverOptions(context: RouteContext, { trustProxy }: Config, broken: WeakSet<Socket>) {
  return {
    trustProxy: trustProxy ?? false,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_MILLISECONDS,
    forceCloseConnections: 'idle' as const,
    // Requests that arrive on an open connection during a stop are still answered. Fastify's own 503 does not have our
    // form.
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: NO_COMPILER, buildSerializer: NO_COMPILER } },
    rewriteUrl: takeKey,
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true },
    // Nothing depends on the host name that a client uses.
    http: { maxHeaderSize: HEADER_BYTES, headersTimeout: HEAD_MILLISECONDS, requireHostHeader: false },
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      void exchangeOf(context, request, reply, 'other').fail(
        ERRORS.parseError,
        'The address of the request is not valid.',
      ),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (answerBrokenHttp(context, error, socket)) broken.add(socket);
    },
  };
}

/** The path of an address as routes know it. */
function pathOf(url: string): string {
  return url
    .split('?', 1)[0]
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1');
}

/**
 * Reads on for a while after a refusal, as Node does on a connection that stays open. A client that waits for the word
 * to send has sent nothing.
 */
function drainBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.headers.expect !== undefined) return;
  reply.removeHeader('connection');
  const { socket } = raw;
  const timer = setTimeout(() => socket.destroy(), DRAIN_MILLISECONDS).unref();
  raw.once('end', () => clearTimeout(timer));
}

/** Lets positions and questions about places in the plain form of a request pass Fastify by. */
function openFastLane(
  server: FastifyInstance,
  context: RouteContext,
  way: Pick<FastLaneOptions, 'isSecure' | 'takesForwarded' | 'clientAddress' | 'takes' | 'parse'>,
): void {
  const answer = (transport: Transport, received: Buffer | undefined, body: unknown): void => {
    if (received === undefined) answerPlainPlace(context, transport);
    else {
      const exchange = new Exchange(context, transport, 'position', received);
      void respond(exchange, answerPosition(context, exchange, body));
    }
  };
  const paths = { POST: POSITION_PATHS, GET: PLAIN_PLACE_PATHS };
  const lane = new FastLane({ ...way, server: server.server, paths, answer });
  server.addHook('preClose', async () => lane.stop());
}

/**
 * Reads any content type and inflates compressed bodies up to the cap. Large bodies stay bytes, for a worker to parse.
 * @param parse makes the body of the request, or throws an ApiError
 */
function readBodies(
  scope: FastifyInstance,
  context: RouteContext,
  largeBytes: number,
  parse: (bytes: Buffer) => unknown,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const capBytes = context.bodyLimitBytes;
    const { 'content-encoding': encoding, 'content-length': length } = request.headers;
    if (Number(length) > capBytes) throw new ApiError(ERRORS.bodyTooLarge);
    request.hold = context.bodies.hold();
    request.bytes = await gatherQuery(context, payload, encoding, capBytes, largeBytes, request.hold);
    return parse(request.bytes);
  });
}

/** The same for large batches, with a cap of their own. */
function readBatches(scope: FastifyInstance, context: RouteContext, parse: (bytes: Buffer) => unknown): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { 'content-encoding': encoding, 'content-length': length } = request.headers;
    if (Number(length) > SUBMISSION_BYTES) throw new ApiError(ERRORS.bodyTooLarge);
    request.hold = context.bodies.hold();
    request.bytes = await gatherBody(payload, encoding, SUBMISSION_BYTES, LARGE_BODY_BYTES, request.hold);
    return parse(request.bytes);
  });
}

/** Adds routes whose bodies are read alike to a Fastify scope of their own. */
function addRoutes(
  scope: FastifyInstance,
  context: RouteContext,
  { dialects }: Config,
  routes: readonly Route[],
): void {
  const [{ body }] = routes;
  if (body !== 'none') {
    // Answers to positions only where a page asks: trackers pay for every byte.
    letPagesRead(scope, body === 'position' || body === 'positions');
    for (const path of new Set(routes.map(route => route.path))) addPreflight(scope, path, METHODS.get(path)!);
  }
  for (const { method, path, serve } of routes) scope.route({ method, url: path, handler: serve(context, dialects) });
}

/** Turns an error of Fastify into one of ours; anything else is a fault of ours. */
function asApiError(error: FastifyError | ApiError): Error {
  if (error instanceof ApiError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError(ERRORS.bodyTooLarge);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ApiError(ERRORS.parseError, `${error.message}.`.replace(/\.\.$/, '.'));
  }
  return error;
}

/**
 * Answers bytes that are not HTTP. There is no request object, only a socket. @returns whether the answer and the log
 * hold it
 */
function answerBrokenHttp(context: RouteContext, error: NodeJS.ErrnoException, socket: Socket): boolean {
  // The parser reports what the client still sends as further errors.
  if (socket.writableEnded) return false;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return false;
  }
  const row = BROKEN_ROWS.get(error.code) ?? BROKEN_HTTP;
  const logId = context.logIds.next();
  const timeMs = Date.now();
  const body = errorBody(row, logId);
  const head = [
    `HTTP/1.1 ${row.status} ${STATUS_CODES[row.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  // The answer to HEAD has no body. The parser says of the request only in which bytes the error was, so other broken
  // bytes could be of any request.
  const isHead =
    row.status === 431 && (error as { rawPacket?: Buffer }).rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  const { remoteAddress: address } = socket;
  const unknown = { method: '-', url: '-', account: undefined, device: undefined };
  context.access?.add({ ...unknown, timeMs, address, status: row.status, latencyUs: 0, logId });
  logRequest(context, {
    logId,
    timeMs,
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
  return true;
}
