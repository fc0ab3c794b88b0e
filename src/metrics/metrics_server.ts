// Answers the scrapes of Prometheus on an address of its own, in the main thread: GET /metrics. It needs no key, and
// nothing of a key, a device or a client is in the answer; who may reach the address is the operator's choice.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import { ServiceMetrics } from './service_metrics.ts';
import type { MetricSources } from './sources.ts';

const PATH = '/metrics';
/**
 * What the library measures under names that break the rules of Prometheus, so that `promtool check metrics` complains.
 * Nothing of ours asks for them.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
];
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
  const server = createServer(
    { maxHeaderSize: HEADER_BYTES },
    (request, response) => void answer(exposition, request, response, onError),
  );
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
  const send = (status: number, type: string, text: string): void =>
    void response.writeHead(status, { 'content-type': type }).end(text);
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
  return new Error(
    `Metrics cannot be served on ${host}, port ${port}: ${reason}; choose another address with --metrics.`,
  );
}

/**
 * Writes the metrics of a service as text in the format of Prometheus, by its library. What the library measures of the
 * process and the main thread by itself follows those of service_metrics.ts.
 */
class Exposition {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly metrics: ServiceMetrics;
  private readonly ofProcess = new Registry();

  constructor(sources: MetricSources) {
    this.metrics = new ServiceMetrics(sources);
    collectDefaultMetrics({ register: this.ofProcess });
    for (const name of MISNAMED) this.ofProcess.removeSingleMetric(name);
  }

  /** The text. @throws Error when a table cannot be used */
  async text(): Promise<string> {
    const registry = new Registry();
    // The library writes whatever has a name, a help, a type and values.
    for (const metric of await this.metrics.read())
      registry.registerMetric({ ...metric, get: async () => metric } as never);
    return Registry.merge([registry, this.ofProcess]).metrics();
  }
}
