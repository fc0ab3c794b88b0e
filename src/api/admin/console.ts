// The console on the admin address: its page and files, which hold nothing secret and need no login, and the session of
// a browser. What the page shows comes from the routes of operations.ts.

import { resolve } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MapSetting } from '../../config/map_setting.ts';
import { VERSION } from '../../config/version.ts';
import { TOKEN_FILE } from '../../folder/data_folder.ts';
import { consoleFile, type ServedFile } from '../console/console_files.ts';
import { groundOrigin } from '../console/map_ground.ts';
import { Refused } from '../transport/refused.ts';
import { type Gate, type Granted, isForwarded, isNameOfHere, isOfOurPage, isSecure } from './access.ts';
import { type SessionEnd, type Sessions, sessionCookie } from './sessions.ts';

/** Where the page is. */
const CONSOLE_PATH = '/console/';

/** What the page learns of who looks at it, and of the service. */
interface SessionState {
  access: 'all' | 'read' | 'none';
  isLoggedIn: boolean;
  version: string;
  /** The public address. */
  publicUrl: string;
  /**
   * Path of the file with the token, for people who may read it: no secret, but it names a user and folders, so whoever
   * asks through a proxy is not told.
   */
  tokenFile?: string;
  /** How the session of the cookie has ended. */
  ended?: SessionEnd;
}

/** Answers the routes of the session. */
export class SessionRoutes {
  private readonly gate: Gate;
  private readonly sessions: Sessions;
  private readonly publicUrl: string;
  private readonly tokenFile: string;

  /** @param publicUrl address for devices @param folder data folder */
  constructor(gate: Gate, sessions: Sessions, publicUrl: string, folder: string) {
    this.gate = gate;
    this.sessions = sessions;
    this.publicUrl = publicUrl;
    this.tokenFile = resolve(folder, TOKEN_FILE);
  }

  /** Who looks. */
  async show(request: FastifyRequest): Promise<SessionState> {
    const head = headOf(request);
    const ended = this.sessions.endOf(head.headers.cookie);
    const state = this.stateOf(await this.gate.accessOf(head));
    const isNear = isOfOurPage(head) && !isForwarded(head);
    return { ...state, ...(isNear && { tokenFile: this.tokenFile }), ...(ended !== undefined && { ended }) };
  }

  /** Begins a session. @throws Refused when the token is none, or another page asks */
  begin(request: FastifyRequest, reply: FastifyReply, token: string): SessionState {
    requireOurPage(request);
    const access = this.gate.accessOfToken(`Bearer ${token}`);
    if (access === undefined) throw new Refused(401, 'This is not the token of this service.');
    this.sessions.end(request.headers.cookie);
    reply.header('set-cookie', sessionCookie(this.sessions.begin(access), isSecure(request)));
    return this.stateOf({ access, by: 'session' });
  }

  /** Ends the session. @throws Refused when another page asks */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<SessionState> {
    requireOurPage(request);
    this.sessions.end(request.headers.cookie);
    reply.header('set-cookie', sessionCookie(undefined, isSecure(request)));
    const { cookie: _, ...headers } = request.headers;
    return this.stateOf(await this.gate.accessOf({ method: 'GET', headers }));
  }

  private stateOf(granted: Granted | undefined): SessionState {
    return {
      // The page is for the operator: a tenant's token is for programs.
      access: granted === undefined || granted.access === 'tenant' ? 'none' : granted.access,
      isLoggedIn: granted?.by === 'session',
      version: VERSION,
      publicUrl: this.publicUrl,
    };
  }
}

/** Registers the routes of page and files. @param map whose origin, if it is another one, the page may ask for tiles */
export function serveConsole(server: FastifyInstance, map: MapSetting | undefined): void {
  const elsewhere = groundOrigin(map);
  server.get('/', (_request, reply) => reply.redirect(CONSOLE_PATH));
  server.get('/console', (_request, reply) => reply.redirect(CONSOLE_PATH));
  server.get(CONSOLE_PATH, (request, reply) => sendFile(request, reply, undefined, elsewhere));
  server.get<{ Params: { name: string } }>(`${CONSOLE_PATH}assets/:name`, (request, reply) =>
    sendFile(request, reply, request.params.name, elsewhere),
  );
}

/** True if a path belongs to the page, its files or its session, which nobody needs a token for. */
export function isOfConsole(path: string): boolean {
  return path === '/' || /^\/console(?:$|[/?])/.test(path);
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string | undefined,
  elsewhere: string | undefined,
): FastifyReply {
  if (!isNameOfHere(request.headers.host)) throw new Refused(403, 'The console answers under names of this machine.');
  const file: ServedFile | undefined = consoleFile('admin', name, request.headers['accept-encoding'], elsewhere);
  if (file === undefined) throw new Refused(404, 'The console has no such file. Load the page again.');
  return reply.headers(file.headers).send(file.body);
}

function requireOurPage(request: FastifyRequest): void {
  if (isOfOurPage(headOf(request))) return;
  throw new Refused(403, 'Only the page of the console, under a name of this machine, may ask for this.');
}

function headOf({ method, headers }: FastifyRequest): { method: string; headers: FastifyRequest['headers'] } {
  return { method, headers };
}
