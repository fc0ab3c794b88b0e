// The admin interface: HTTP with JSON on an address of its own, which only this machine reaches. Every request needs
// a token of the data folder, or a session of the console (access.ts). The routes and what they accept are in
// operations.ts; the page of the console is in console/.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Answerer } from '../../answer/answerer.ts';
import type { MapSetting } from '../../config/map_setting.ts';
import { READ_TOKEN_FILE, TOKEN_FILE } from '../../folder/data_folder.ts';
import { readOptedOut } from '../../folder/opted_out.ts';
import type { Job } from '../../jobs/job.ts';
import { listSources } from '../../jobs/sources.ts';
import { askOwner } from '../../jobs/submit_job.ts';
import { RecentFigures } from '../../metrics/recent_figures.ts';
import type { MetricSources } from '../../metrics/sources.ts';
import type { BackgroundWorker } from '../../pool/background.ts';
import type { BackgroundTasks } from '../../tasks/background.ts';
import { Refused } from '../console/refused.ts';
import type { Readiness } from '../health.ts';
import { Gate, type Needed, neededBy, type TokenHashes } from './access.ts';
import { Backups } from './backups.ts';
import { isOfConsole, SessionRoutes, serveConsole } from './console.ts';
import { Explainer } from './explain.ts';
import { fileOf, type ImportKind, Imports } from './imports.ts';
import { Jobs } from './jobs.ts';
import { LogSearch } from './log_search.ts';
import { MapPlaces } from './map_places.ts';
import { type AdminRequest, type Operation, parametersIn } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { FORMATS } from './schemas.ts';
import { Sessions } from './sessions.ts';
import { Status } from './status.ts';
import { admitStrangers } from './strangers.ts';
import { Tables } from './tables.ts';
import { Tiles } from './tiles.ts';
import { tokenHash } from './token.ts';
import { readUsage } from './usage.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The least that the route takes; the token for everything where it does not say. */
    needs?: Needed;
    /** A tenant may, with the keys of its tag. */
    isForTenants?: boolean;
  }
  interface FastifyRequest {
    /** Tag of the tenant who asks; null for everybody else. */
    tenant: string | null;
  }
}

/** What the interface shows of the service. */
export interface AdminSources {
  /** Data folder, whose owner does the jobs. */
  folder: string;
  /** Where backups go; undefined if nobody has named a folder. */
  backupFolder: string | undefined;
  tokens: TokenHashes;
  /** Address for devices. */
  publicUrl: string;
  /** What keeps the service from doing its work. */
  readiness: Readiness;
  metricSources: MetricSources;
  /** Takes a sentence for the operator. */
  onError(message: string): void;
  /** Opens an answerer, which the interface closes. */
  openAnswerer(): Promise<Answerer>;
  /** Other tiles for the ground of the console. */
  map: MapSetting | undefined;
  /** Starts a worker for tiles, which the interface closes. */
  startBackground(): BackgroundWorker<BackgroundTasks>;
  /** LONE_BEACONS_* bit: which beacons may place a device alone. */
  loneBeacons: number;
  /** The effective configuration without secrets: `GET /settings`. */
  settings(): object;
}

/** What was begun over the interface, what explains positions, sessions, and what knows the state of the service. */
interface Begun {
  backups: Backups;
  figures: RecentFigures;
  session: SessionRoutes;
  imports: Imports;
  jobs: Jobs;
  log: LogSearch;
  explainer: Explainer;
  status: Status;
  tables: Tables;
  tiles: Tiles;
  places: MapPlaces;
}

const BODY_BYTES_MAX = 65_536;
const HEADER_BYTES = 16_384;
const CONNECTIONS_MAX = 64;
/** What is under way has often ended after this: statuses that say so, and the wait. */
const LATER = [429, 503];
const RETRY_SECONDS = 1;
/** An upload may take as long. */
const REQUEST_MILLISECONDS = 3_600_000;
/** A connection on which nothing moves for this long ends. */
const IDLE_MILLISECONDS = 60_000;

/**
 * Opens the interface.
 * @param address port 0 takes any free one
 * @throws Error when the token or the address cannot be used
 */
export async function listenForAdmin(
  address: { host: string; port: number },
  sources: Omit<AdminSources, 'tokens'> & { hasReadToken: boolean },
): Promise<{ url: string; stop(): Promise<void> }> {
  const { folder, hasReadToken } = sources;
  const all = tokenHash(folder, TOKEN_FILE);
  const read = hasReadToken ? tokenHash(folder, READ_TOKEN_FILE) : undefined;
  const server = createAdminServer({ ...sources, tokens: { all, read } });
  const url = await server.listen(address).catch((error: Error) => {
    throw new Error(
      `The admin interface cannot listen on ${address.host}:${address.port} (${error.message}); name another ` +
        `address with --admin.`,
    );
  });
  return { url, stop: () => server.close() };
}

/** Builds the server. */
function createAdminServer(sources: AdminSources): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MILLISECONDS,
    connectionTimeout: IDLE_MILLISECONDS,
    forceCloseConnections: true,
    http: { maxHeaderSize: HEADER_BYTES },
    clientErrorHandler: answerBrokenHttp,
    // Nothing is guessed: a text is no number, and a member that is unknown is a mistake.
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: false,
        formats: FORMATS,
      },
    },
  });
  server.server.maxConnections = CONNECTIONS_MAX;
  const sessions = new Sessions();
  const gate = new Gate(sources.folder, sources.tokens, sessions);
  server.addContentTypeParser(
    'application/octet-stream',
    async (_request: FastifyRequest, payload: Readable) => payload,
  );
  admitRequests(server, gate);
  server.setNotFoundHandler((_request, reply) => void refuse(reply, 404, 'There is no such route.'));
  server.setErrorHandler((error: FastifyError | Refused, _request, reply) => {
    if (error instanceof Refused && LATER.includes(error.status)) reply.header('retry-after', RETRY_SECONDS);
    if (error instanceof Refused) void refuse(reply, error.status, error.message);
    else void refuse(reply, error.statusCode ?? 500, `${error.message}.`.replace(/\.\.$/, '.'));
  });
  const jobs = new Jobs(sources.folder);
  const background = sources.startBackground();
  const begun = {
    backups: new Backups(sources.backupFolder, jobs),
    figures: new RecentFigures(sources.metricSources),
    imports: new Imports(sources.folder),
    jobs,
    log: new LogSearch(sources.folder),
    explainer: new Explainer(sources.folder, sources.openAnswerer, sources.loneBeacons),
    session: new SessionRoutes(gate, sessions, sources.publicUrl),
    status: new Status(sources.folder, sources.readiness, sources.metricSources.files),
    tables: new Tables(sources.folder, sources.openAnswerer, sources.loneBeacons),
    tiles: new Tiles(background, sources.folder),
    places: new MapPlaces(background, sources.map),
  };
  begun.figures.start(sources.onError);
  server.addHook('onClose', async () => {
    begun.figures.stop();
    jobs.close();
    await Promise.all([begun.explainer.close(), begun.tables.close()]);
    await gate.close();
    await begun.tiles.close();
  });
  serveConsole(server, sources.map);
  addRoutes(server, sources, begun);
  return server;
}

/** Registers the routes of the table. */
function addRoutes(server: FastifyInstance, sources: AdminSources, begun: Begun): void {
  for (const operation of OPERATIONS) {
    const { method, path, query, body, success } = operation;
    const params = { type: 'object', properties: parametersIn(path, 'text') };
    const schema = { params, ...(query && { querystring: query }), ...(body && { body }) };
    server.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema,
      config: { needs: neededBy(operation), isForTenants: operation.isForTenants === true },
      handler: async (request, reply) => {
        reply.code(success[0]);
        const ofMap = begun.places.answer(operation.name, request, reply);
        return ofMap ?? answer(operation, sources, begun, request, reply);
      },
    });
  }
}

/** The parameters as they were sent. */
function queryOf({ url }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Lets requests in that may do what they ask for, and everybody to the page of the console. */
function admitRequests(server: FastifyInstance, gate: Gate): void {
  server.decorateRequest('tenant', null);
  const strangers = admitStrangers(server.server);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const granted = await gate.accessOf(request);
    if (granted !== undefined) strangers.welcome(request.raw.socket);
    if (isOfConsole(request.url)) {
      strangers.serve(request.raw.socket, reply.raw);
      return;
    }
    const { needs = 'all', isForTenants = false } = request.is404
      ? { needs: 'demo' as const }
      : request.routeOptions.config;
    if (granted === undefined || (granted.by === 'demo' && needs !== 'demo')) {
      reply.headers({ 'www-authenticate': 'Bearer', connection: 'close' });
      await refuse(
        reply,
        401,
        'The admin interface needs the token of the file admin.token: Authorization: Bearer TOKEN.',
      );
    } else if (granted.access === 'tenant') {
      request.tenant = granted.tag;
      if (!isForTenants) await refuse(reply, 403, `This token is for the keys with the tag ${granted.tag} alone.`);
    } else if (granted.access === 'read' && needs === 'all')
      await refuse(reply, 403, 'This token only reads. What changes or begins something needs that of admin.token.');
  });
}

function answer(
  operation: Operation,
  sources: AdminSources,
  begun: Begun,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const { query, body } = request as unknown as AdminRequest;
  const params = request.params as { id?: string; name?: string };
  const id = Number(params.id);
  const name = params.name ?? '';
  const { backups, figures, imports, jobs, log, explainer, session, status, tables, tiles } = begun;
  if (operation.job !== undefined) {
    const job = ofTenant(operation.job({ id, name, query, body }), request.tenant);
    return operation.isLong ? jobs.begin(job) : runJob(sources.folder, job, reply);
  }
  if (operation.begin !== undefined) return operation.begin(jobs, { id, name, query, body });
  if (operation.explain !== undefined) return operation.explain(explainer, { id, body, parameters: queryOf(request) });
  if (operation.read !== undefined) return operation.read(sources.folder, { id, name, query, body });
  if (operation.path.startsWith('/tables')) return tables.answer(operation.name, id, request, reply);
  switch (operation.name) {
    case 'status':
      return status.read();
    case 'settings':
      return sources.settings();
    case 'usage':
      return readUsage(sources.folder, query, request.tenant);
    case 'figures':
      return figures.since(query.after === undefined ? 0 : Date.parse(query.after));
    case 'searchLog':
      return log.search(query);
    case 'showLogged':
      return log.show(id);
    case 'listImports':
      return { imports: imports.list() };
    case 'showImport':
      return imports.get(id) ?? refuse(reply, 404, `There is no import ${id}.`);
    case 'cancelImport':
      return imports.cancel(id);
    case 'listSources':
      return listSources(sources.folder).then(list => ({ sources: list }));
    case 'listForgotten':
      return { stations: readOptedOut(sources.folder) };
    case 'listBackups':
      return backups.list();
    case 'backUp':
      return backups.begin();
    case 'listJobs':
      return { jobs: jobs.list() };
    case 'showJob':
      return jobs.get(id) ?? refuse(reply, 404, `There is no job ${id}.`);
    case 'showSession':
      return session.show(request);
    case 'beginSession':
      return session.begin(request, reply, body.token!);
    case 'endSession':
      return session.end(request, reply);
    case 'tile':
    case 'stationTile':
    case 'stations':
      return tiles.answer(operation.name, request, reply);
    default:
      return receive(imports, query, request, reply);
  }
}

/** A job on keys, for a tenant only on those of its tag. */
function ofTenant(job: Job, tag: string | null): Job {
  return tag !== null && job.verb === 'keys' ? { ...job, tag } : job;
}

/** A job that is refused says why in its error. */
async function runJob(folder: string, job: Job, reply: FastifyReply): Promise<unknown> {
  try {
    const result = await askOwner(folder, job, () => {});
    return Array.isArray(result) ? { keys: result } : result;
  } catch (error) {
    const { message } = error as Error;
    return refuse(reply, message.startsWith('There is no key') ? 404 : 409, message);
  }
}

async function receive(
  imports: Imports,
  { kind, format, source, replace }: AdminRequest['query'],
  { body, headers }: Pick<FastifyRequest, 'body' | 'headers'>,
  reply: FastifyReply,
): Promise<unknown> {
  const bytesTotal = Number(headers['content-length']);
  const file = fileOf(body);
  if (kind !== 'observations' && source === undefined)
    return refuse(reply, 400, 'Name the source, as in source=own: an import under the same name replaces it.');
  if (kind !== 'observations' && format !== undefined)
    return refuse(reply, 400, 'Only measurements have a format; the files of other kinds tell it themselves.');
  const left = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || left.abort());
  return imports.receive(
    {
      kind: kind as ImportKind,
      ...(format !== undefined && { format }),
      ...(source !== undefined && { source }),
      ...(replace !== undefined && { replace: true }),
    },
    file,
    bytesTotal,
    left.signal,
  );
}

/** Answers what Node cannot read as a request. */
function answerBrokenHttp({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return;
  const isHeadTooLarge = code === 'HPE_HEADER_OVERFLOW';
  const status = isHeadTooLarge ? 431 : 400;
  const body = JSON.stringify({
    error: isHeadTooLarge ? `The headers are larger than ${HEADER_BYTES} bytes.` : 'The request is not valid HTTP.',
  });
  const head = [
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ error: message });
}
