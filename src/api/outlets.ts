// Where the figures of a service go: to who scrapes them as Prometheus does, and to a collector of OpenTelemetry. What
// each needs is loaded only where it is wanted: libraries take memory and time of the start.

import type { Config } from '../config.ts';
import type { MetricSources } from '../metrics/sources.ts';

/** Loaded on demand. */
type Telemetry = ReturnType<typeof import('../metrics/telemetry.ts').startTelemetry>;

/** The outlets of a running service. */
export interface Outlets {
  /** Address of the metrics, if they are asked for. */
  metricsUrl: string | undefined;
  /** Takes requests that were traced. */
  spans: Telemetry['trace'];
  close(): Promise<void>;
}

/** Opens those that are set. @throws Error when an address cannot be listened on, or packages are missing */
export async function openOutlets(
  { metrics, otlp }: Pick<Config, 'metrics' | 'otlp'>,
  sources: MetricSources,
  onError: (message: string) => void,
): Promise<Outlets> {
  const collector = otlp === undefined ? undefined : await openTelemetry(otlp, sources, onError);
  const server =
    metrics === undefined
      ? undefined
      : await (async () => {
          const { serveMetrics } = await import('../metrics/metrics_server.ts');
          return serveMetrics(metrics, sources, onError);
        })();
  return {
    metricsUrl: server?.url,
    spans: records => collector?.trace(records),
    async close() {
      server?.close();
      await collector?.close();
    },
  };
}

/** The packages of OpenTelemetry are as large as all others together, so whoever wants them installs them. */
async function openTelemetry(
  url: string,
  sources: MetricSources,
  onError: (message: string) => void,
): Promise<Telemetry> {
  try {
    const { startTelemetry } = await import('../metrics/telemetry.ts');
    return startTelemetry(url, sources, onError);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('--otlp needs packages of OpenTelemetry beside the program; docs/monitoring.md names them.');
  }
}
