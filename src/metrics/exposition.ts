// The metrics of a service as text in the format of Prometheus, written by its library. What the library measures of the process and the main thread by itself
// follows those of service_metrics.ts.

import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import { ServiceMetrics } from './service_metrics.ts';
import type { MetricSources } from './sources.ts';

/** What the library measures under names that break the rules of Prometheus, so that `promtool check metrics` complains. Nothing of ours asks for them. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
];

/** Writes the metrics of a service. */
export class Exposition {
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
    for (const metric of await this.metrics.read()) registry.registerMetric({ ...metric, get: async () => metric } as never);
    return Registry.merge([registry, this.ofProcess]).metrics();
  }
}
