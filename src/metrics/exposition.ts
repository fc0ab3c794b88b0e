// The metrics of a service as text in the format of Prometheus, written by its library. What the library measures of the process and the main thread by itself
// follows those of service_metrics.ts.

import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import { ServiceMetrics } from './service_metrics.ts';
import type { MetricSources } from './sources.ts';

/** Writes the metrics of a service. */
export class Exposition {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly metrics: ServiceMetrics;
  private readonly ofProcess = new Registry();

  constructor(sources: MetricSources) {
    this.metrics = new ServiceMetrics(sources);
    collectDefaultMetrics({ register: this.ofProcess });
  }

  /** The text. @throws Error when a table cannot be used */
  async text(): Promise<string> {
    const registry = new Registry();
    // The library writes whatever has a name, a help, a type and values.
    for (const metric of await this.metrics.read()) registry.registerMetric({ ...metric, get: async () => metric } as never);
    return Registry.merge([registry, this.ofProcess]).metrics();
  }
}
