// The admin interface: HTTP with JSON on an address of its own, which only this machine reaches. Every request needs
// a token of the data folder, or a session of the console (access.ts). The routes and what they accept are in
// operations.ts; the page of the console is in console/.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
} from 'fastify';
import { READ_TOKEN_FILE, TOKEN_FILE } from '../../folder/data_folder.ts';
import type { Job } from '../../jobs/job.ts';
import { askOwner } from '../../jobs/submit_job.ts';
import { Refused } from '../transport/refused.ts';
import { Gate, type Needed, neededBy, type TokenHashes } from './access.ts';
import { isOfConsole, serveConsole } from './console.ts';
import { type Asked, parametersIn } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { type Admin, type AdminSources, openParts } from './parts.ts';
import { FORMATS } from './schemas.ts';
import { Sessions } from './sessions.ts';
import { admitStrangers } from './strangers.ts';
import { tokenHash } from './token.ts';
import { describeWrong, SAYING } from './wrong_value.ts';

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

const BODY_BYTES_MAX = 65_536;
const HEADER_BYTES = 16_384;
const CONNECTIONS_MAX = 64;
/** What Fastify checks a part of a request by. */
type FastifyCheck = ReturnType<FastifySchemaCompiler<unknown>> & { errors?: unknown };
let compiler: ((route: { schema: unknown }) => FastifyCheck) | undefined;

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
  sources: AdminSources & { hasReadToken: boolean },
): Promise<{ url: string; stop(): Promise<void> }> {
  const { folder, hasReadToken } = sources;
  const all = tokenHash(folder, TOKEN_FILE);
  const read = hasReadToken ? tokenHash(folder, READ_TOKEN_FILE) : undefined;
  const server = createAdminServer(sources, { all, read });
  const url = await server.listen(address).catch((error: Error) => {
    throw new Error(
      `The admin interface cannot listen on ${address.host}:${address.port} (${error.message}); name another ` +
        `address with --admin.`,
    );
  });
  return { url, stop: () => server.close() };
}

/** Compiles a check at its first use: to compile all of them would take a quarter of each start. */
function checkLater(compile: () => FastifyCheck): FastifyCheck {
  let compiled: FastifyCheck | undefined;
  const check: FastifyCheck = value => {
    compiled ??= compile();
    const fits = compiled(value);
    check.errors = compiled.errors ?? null;
    return fits;
  };
  return check;
}

/** Loads Fastify's compiler of checks, which takes as long as half of the other modules. */
async function loadCompiler(): Promise<NonNullable<typeof compiler>> {
  const { AjvCompiler } = await import('@fastify/ajv-compiler');
  // Nothing is guessed: a text is no number, and a member that is unknown is a mistake.
  const customOptions = {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: false,
    formats: FORMATS,
    keywords: SAYING,
    verbose: true,
  };
  return AjvCompiler()({}, { customOptions }) as NonNullable<typeof compiler>;
}

/** Builds the server. */
function createAdminServer(sources: AdminSources, tokens: TokenHashes): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MILLISECONDS,
    connectionTimeout: IDLE_MILLISECONDS,
    forceCloseConnections: true,
    http: { maxHeaderSize: HEADER_BYTES },
    clientErrorHandler: answerBrokenHttp,
  });
  server.setValidatorCompiler(route => checkLater(() => compiler!(route)));
  server.addHook('onRequest', async () => {
    compiler ??= await loadCompiler();
  });
  server.server.maxConnections = CONNECTIONS_MAX;
  const sessions = new Sessions();
  const gate = new Gate(sources.folder, tokens, sessions);
  server.addContentTypeParser(
    'application/octet-stream',
    async (_request: FastifyRequest, payload: Readable) => payload,
  );
  admitRequests(server, gate);
  server.setNotFoundHandler(({ url }, reply) => {
    const allow = methodsAt(url.split('?', 1)[0]).join(', ');
    if (allow === '') void refuse(reply, 404, 'There is no such route.');
    else void refuse(reply.header('allow', allow), 405, `This method is not allowed here, only ${allow}.`);
  });
  server.setErrorHandler((error: FastifyError | Refused, _request, reply) => {
    if (error instanceof Refused && LATER.includes(error.status)) reply.header('retry-after', RETRY_SECONDS);
    if (error instanceof Refused) void refuse(reply, error.status, error.message, error.parameter);
    else void refuse(reply, error.statusCode ?? 500, ...describeError(error));
  });
  const admin = openParts(sources, gate, sessions);
  server.addHook('onClose', async () => {
    await admin.close();
    await gate.close();
  });
  serveConsole(server, sources.map);
  addRoutes(server, admin);
  return server;
}

/** Registers the routes of the table. */
function addRoutes(server: FastifyInstance, admin: Admin): void {
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
        return operation.answer(admin, askedBy(request, reply, admin.folder));
      },
    });
  }
}

/** Methods that a path answers. */
function methodsAt(asked: string): string[] {
  const isAsked = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked);
  const methods = OPERATIONS.filter(({ path }) => isAsked(path)).map(({ method }) => method);
  return [...new Set(methods.flatMap(method => (method === 'GET' ? [method, 'HEAD'] : [method])))].sort();
}

function askedBy(request: FastifyRequest, reply: FastifyReply, folder: string): Asked {
  const { id, name = '' } = request.params as { id?: string; name?: string };
  const { query, body, tenant } = request;
  const run = (job: Job) => runJob(folder, tenant !== null && job.verb === 'keys' ? { ...job, tag: tenant } : job);
  return { id: Number(id), name, query: query as object, body, tenant, request, reply, run };
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

/** @throws Refused with what the job says */
async function runJob(folder: string, job: Job): Promise<unknown> {
  try {
    const result = await askOwner(folder, job, () => {});
    return Array.isArray(result) ? { keys: result } : result;
  } catch (error) {
    const { message } = error as Error;
    throw new Refused(message.startsWith('There is no key') ? 404 : 409, message);
  }
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

/** What is wrong, and the name of the parameter or the member, where it is one. */
function describeError({ code, message, validation = [] }: FastifyError): [string, string?] {
  if (validation.length > 0) return describeWrong(validation);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return [`The body is larger than ${BODY_BYTES_MAX.toLocaleString('en')} bytes.`];
  return [`${message}.`.replace(/\.\.$/, '.')];
}

function refuse(reply: FastifyReply, status: number, error: string, parameter?: string): FastifyReply {
  return reply.code(status).send({ error, ...(parameter !== undefined && { parameter }) });
}
