// Answers the scrapes of Prometheus on an address of its own, in the main thread: GET /metrics. It needs no key, and nothing of a key, a device or a client is in
// the answer; who may reach the address is the operator's choice.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { Exposition } from './exposition.ts';
import type { MetricSources } from './sources.ts';

const PATH = '/metrics';
/** A scraper sends a line and a few headers. */
const HEADER_BYTES = 8_192;
const CONNECTIONS_MAX = 64;
/** A connection on which nothing moves for this long ends. */
const IDLE_MILLISECONDS = 60_000;

/** An address to listen on. */
interface ListenAddress {
  host: string;
  /** 0 = any free port. */
  port: number;
}

/** A server of metrics. */
interface MetricsServer {
  /** Where it answers. */
  url: string;
  close(): void;
}

/**
 * Serves metrics.
 * @param onError called when the metrics could not be read; the scrape gets 500
 * @throws Error when it cannot listen there
 */
export async function serveMetrics(
  address: ListenAddress,
  sources: MetricSources,
  onError: (message: string) => void,
): Promise<MetricsServer> {
  const exposition = new Exposition(sources);
  const server = createServer({ maxHeaderSize: HEADER_BYTES }, (request, response) => void answer(exposition, request, response, onError));
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = IDLE_MILLISECONDS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(address, error)));
    server.listen(address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${isIPv6(address.host) ? `[${address.host}]` : address.host}:${port}${PATH}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  exposition: Exposition,
  request: IncomingMessage,
  response: ServerResponse,
  onError: (message: string) => void,
): Promise<void> {
  const send = (status: number, type: string, text: string): void => void response.writeHead(status, { 'content-type': type }).end(text);
  const path = request.url?.split('?', 1)[0];
  if (path !== PATH) send(404, 'text/plain', `The metrics are at ${PATH}.\n`);
  else if (request.method !== 'GET') send(405, 'text/plain', 'The metrics are read with GET.\n');
  else {
    try {
      send(200, exposition.contentType, await exposition.text());
    } catch (error) {
      onError(`The metrics could not be read: ${(error as Error).message}`);
      send(500, 'text/plain', 'The metrics could not be read; the log of the service says why.\n');
    }
  }
}

function listenError({ host, port }: ListenAddress, error: NodeJS.ErrnoException): Error {
  const reason = error.code === 'EADDRINUSE' ? 'it is in use' : error.message;
  return new Error(`Metrics cannot be served on ${host}, port ${port}: ${reason}; choose another address with --metrics.`);
}
