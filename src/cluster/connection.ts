// The connection of a node to its servers of NATS. It is made once and kept: when it breaks, the client goes from
// server to server until one answers, for as long as the service runs. What a node of a cluster does over it is in the
// other files of this folder. Nothing here is loaded without `--cluster`.

import { randomUUID, X509Certificate } from 'node:crypto';
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import {
  connect,
  credsAuthenticator,
  errors,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { readRegularFile } from '../config/regular_file.ts';
import { NotWritten } from '../tables/environment/commit.ts';

/** Before this version, servers lose updates of the key-value store that are made at the same time. */
const OLDEST_SERVER = [2, 10, 27];
/** Where so many servers are named, everything is kept on this many of them. */
const REPLICAS = 3;
const FILE_BYTES_MAX = 65_536;
/** How long the first server may take, and any answer of JetStream. */
const ANSWER_MILLISECONDS = 5_000;
/** Pause before each attempt to connect again. */
const AGAIN_MILLISECONDS = 500;
/** A server that does not answer this often, at this interval, is left for the next one. */
const PING_MILLISECONDS = 2_000;
const PINGS_MAX = 2;

/** Errors of the client that may be over soon. */
const PASSING = [
  errors.TimeoutError,
  errors.RequestError,
  errors.NoRespondersError,
  errors.ConnectionError,
  errors.ClosedConnectionError,
  NotWritten,
];
/** Of JetStream: from here on servers are at fault, as with a full disk; and not enough of them have joined it yet. */
const SERVER_FAULT = 500;
const NO_PEERS = 10_005;

/** How to reach the servers. */
export interface ClusterAddress {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`, maybe with `USER:PASSWORD@` or `TOKEN@`. */
  servers: readonly string[];
  /** Absolute path of a file .creds. */
  credentialsFile?: string | undefined;
  /** Absolute path of the certificate authority of the servers, PEM. */
  caFile?: string | undefined;
  /** What the servers call this client. */
  name: string;
}

/** No server answers, or none lets this node in, or they elect or start; that may change. */
export class Unreachable extends Error {}

/** A connection with JetStream. */
export interface ClusterConnection {
  nats: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
  /** Copies of every stream, key and object: 3 where as many servers were named, else 1. */
  replicas: number;
}

/**
 * Connects to the first server that answers.
 * @throws Unreachable when none lets this node in; Error when they are too old, or have no JetStream. Each message is a
 *   sentence for the operator
 */
export async function connectToCluster(address: ClusterAddress): Promise<ClusterConnection> {
  const names = shownServers(address.servers);
  const options = optionsOf(address);
  let nats: NatsConnection;
  try {
    nats = await connect(options);
  } catch (error) {
    const why = refusalOf(error);
    throw new Unreachable(`The cluster cannot be reached: no server of ${names} lets this node in (${why}).`, {
      cause: error,
    });
  }
  try {
    requireVersion(nats.info!.version, names);
    const manager = await managerOf(nats, names);
    const client = jetstream(nats, { timeout: ANSWER_MILLISECONDS });
    return { nats, jetstream: client, manager, replicas: address.servers.length >= REPLICAS ? REPLICAS : 1 };
  } catch (error) {
    await nats.close();
    throw error;
  }
}

/**
 * Asks another node. Nodes may write to no other subjects than ours, so the answer comes on one.
 * @throws Error of NATS when it does not answer in time
 */
export function askNode(
  nats: NatsConnection,
  subject: string,
  question: string | Uint8Array,
  timeout: number,
): Promise<Msg> {
  return nats.request(subject, question, { timeout, noMux: true, reply: `sextant.answers.${randomUUID()}` });
}

/** Why no server lets this node in, in words for the operator where something is to be done. */
function refusalOf(error: unknown): string {
  const message = messageOf(error);
  if (/authorization|authentication/i.test(message))
    return 'they do not know its user with this password, or its token or credentials';
  if (/certificate|altnames/i.test(message))
    return `their certificate is not for this address, or not of the authority that --cluster-ca names: ${message}`;
  return message;
}

/** An error as `Unreachable` where it may be over soon: servers start, elect a leader, or are too slow. */
export function asUnreachable(error: unknown): unknown {
  const isOver =
    error instanceof JetStreamApiError
      ? error.status >= SERVER_FAULT || error.code === NO_PEERS
      : PASSING.some(passing => error instanceof passing);
  return isOver ? new Unreachable(`The cluster does not work yet (${messageOf(error)}).`, { cause: error }) : error;
}

/** The servers as messages name them: without passwords. */
function shownServers(servers: readonly string[]): string {
  return servers.map(server => new URL(server).host).join(', ');
}

function optionsOf({ servers, credentialsFile, caFile, name }: ClusterAddress): NodeConnectionOptions {
  const urls = servers.map(server => new URL(server));
  const { username, password } = urls.find(url => url.username !== '') ?? { username: '', password: '' };
  const isEncrypted = urls.some(url => url.protocol === 'tls:') || caFile !== undefined;
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? 4222 : port}`),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: AGAIN_MILLISECONDS,
    pingInterval: PING_MILLISECONDS,
    maxPingOut: PINGS_MAX,
    timeout: ANSWER_MILLISECONDS,
    ...(isEncrypted && { tls: caFile === undefined ? {} : { ca: certificateIn(caFile) } }),
    ...(credentialsFile !== undefined && {
      authenticator: credsAuthenticator(readNamed('--cluster-credentials', credentialsFile)),
    }),
    ...(password !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(username !== '' && password === '' && { token: decodeURIComponent(username) }),
  };
}

/** @throws Error when a file has no certificate, which would leave all servers unknown without a word */
function certificateIn(caFile: string): string {
  const text = readNamed('--cluster-ca', caFile).toString();
  try {
    new X509Certificate(text);
  } catch (error) {
    throw new Error(`The file ${caFile} of --cluster-ca holds no certificate in PEM.`, { cause: error });
  }
  return text;
}

function readNamed(flag: string, file: string): Buffer {
  try {
    return readRegularFile(file, FILE_BYTES_MAX);
  } catch (error) {
    throw new Error(`The file ${file} of ${flag} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** @throws Error when a server has a version that may lose what it acknowledges */
export function requireVersion(version: string, names: string): void {
  const found = (/^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  const at = OLDEST_SERVER.findIndex((part, i) => part !== found[i]);
  if (found.length === OLDEST_SERVER.length && (at === -1 || found[at] > OLDEST_SERVER[at])) return;
  throw new Error(
    `The servers of NATS at ${names} have version ${version}; a cluster needs ${OLDEST_SERVER.join('.')} or newer, ` +
      `because older ones lose updates of the key-value store.`,
  );
}

async function managerOf(nats: NatsConnection, names: string): Promise<JetStreamManager> {
  try {
    return await jetstreamManager(nats, { timeout: ANSWER_MILLISECONDS });
  } catch (error) {
    if (asUnreachable(error) instanceof Unreachable)
      throw new Unreachable(
        `The cluster cannot be reached: JetStream at ${names} does not answer; maybe too few of its servers run.`,
        { cause: error },
      );
    throw new Error(
      `The servers of NATS at ${names} have no JetStream for this node (${messageOf(error)}); start them with it, ` +
        `and let its account use it.`,
      { cause: error },
    );
  }
}

function messageOf(error: unknown): string {
  return (error as Error).message.replace(/\.$/, '');
}
