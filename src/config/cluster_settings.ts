// The settings of a node of a cluster (docs/cluster.md). Without the first one the others have no effect.

import { ConfigError, optional, optionalPath, optionalSecret, setting } from './setting.ts';
import { isLoopback, oneOf, type Retention, wholeNumber } from './values.ts';

/** More servers than an operator would name. */
const SERVERS_MAX = 16;

/**
 * The addresses of the servers of NATS, with commas between: `nats://HOST:PORT` on this machine, `tls://…` anywhere.
 * @returns each as it is, maybe with a user and a password in it
 */
function natsServers(text: string): string[] {
  const servers = text.split(',').map(server => server.trim());
  if (servers.length > SERVERS_MAX) throw new Error(`must be at most ${SERVERS_MAX} addresses`);
  for (const server of servers) {
    const url = URL.parse(server);
    if (url === null || url.hostname === '' || !['nats:', 'tls:'].includes(url.protocol))
      throw new Error('must be addresses of NATS, such as nats://127.0.0.1:4222 or tls://nats.example:4222');
    if (url.protocol === 'nats:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, '')) && !isPrivateName(url.hostname))
      throw new Error('must be addresses with tls://, or with nats:// on this machine or in a private network');
  }
  return servers;
}

/** True for a name without a domain, as containers have, and for addresses of private networks. */
function isPrivateName(host: string): boolean {
  return /^[a-z0-9-]+$/i.test(host) || /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$/.test(host);
}

/** The rows that say where a cluster is. */
export const CLUSTER_ADDRESS = {
  cluster: optionalSecret(
    'cluster',
    '<addresses>',
    'servers of NATS that join this node with others, as nats://127.0.0.1:4222, with commas between',
    natsServers,
  ),
  clusterCredentialsFile: optionalPath('cluster-credentials', '<file>', 'credentials for NATS, a file .creds'),
  clusterCaFile: optionalPath('cluster-ca', '<file>', 'certificate authority of the servers of NATS, PEM'),
};

/** The rows of a node, in the order in which they are printed. */
export const CLUSTER_SETTINGS = {
  ...CLUSTER_ADDRESS,
  role: setting(
    'role',
    '<role>',
    'what this node of a cluster does: serve, learn, or all of it',
    'all',
    oneOf('all', 'serve', 'learn'),
  ),
  clusterAloneSeconds: optional(
    'cluster-alone',
    '<seconds>',
    'how long a node that is cut off from its cluster is ready, 0..86400; without it, always',
    wholeNumber(0, 86_400),
  ),
};

/** @throws Error when a setting does not go with a cluster */
export function requireClusterSettings(config: {
  cluster: readonly string[] | undefined;
  role: string;
  keepObservations: Retention;
}): void {
  const { cluster, role, keepObservations } = config;
  if (cluster === undefined && role !== 'all')
    throw new ConfigError(`--role ${role} is for nodes of a cluster; name its servers with --cluster.`);
  if (cluster !== undefined && keepObservations !== 'forever')
    throw new ConfigError('A cluster keeps observations forever: all its nodes number them alike.');
}
