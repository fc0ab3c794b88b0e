// Traces of requests and the metrics of the service, sent to a collector of OpenTelemetry by its own packages. This is
// the one file that knows them, in the main thread, and it is loaded only with `--otlp`. HTTP threads choose which
// requests are traced, note when a step ends, and send plain records here (api/request_trace.ts), so what has no record
// costs nothing. The figures are those that Prometheus reads (service_metrics.ts).

import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type Metric, ServiceMetrics } from './service_metrics.ts';
import type { MetricSources } from './sources.ts';

/** A request that is traced. Times are milliseconds since 1970, with parts. */
export interface RequestRecord {
  /** As the request log names it. */
  route: string;
  method: string;
  status: number;
  startMs: number;
  endMs: number;
  /** One after the other, in the order of their ends. */
  steps: { name: string; startMs: number; endMs: number }[];
}

/** Sends to a collector. */
interface Telemetry {
  trace(records: readonly RequestRecord[]): void;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

const METRICS_MILLISECONDS = 60_000;
const SERVER_FAULT = 500;

/**
 * Begins to send.
 * @param url of the collector, without the paths of OTLP
 * @param onError called when the metrics could not be read, or the last of them not sent
 */
export function startTelemetry(
  url: string,
  sources: MetricSources,
  onError: (message: string) => void,
  everyMs = METRICS_MILLISECONDS,
): Telemetry {
  const base = url.replace(/\/+$/, '');
  const resource = resourceFromAttributes({ 'service.name': 'sextant', 'service.version': sources.version });
  const spans = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${base}/v1/traces` }));
  const traces = new BasicTracerProvider({ resource, spanProcessors: [spans] });
  const tracer = traces.getTracer('sextant');
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(everyMs, 10_000),
    metricProducers: [producerOf(new ServiceMetrics(sources), resource, onError)],
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  return {
    trace(records) {
      for (const { route, method, status, startMs, endMs, steps } of records) {
        const attributes = {
          'http.request.method': method,
          'http.response.status_code': status,
          'sextant.route': route,
        };
        const whole = tracer.startSpan(route, { kind: SpanKind.SERVER, startTime: startMs, attributes }, ROOT_CONTEXT);
        const within = trace.setSpan(ROOT_CONTEXT, whole);
        for (const step of steps) tracer.startSpan(step.name, { startTime: step.startMs }, within).end(step.endMs);
        if (status >= SERVER_FAULT) whole.setStatus({ code: SpanStatusCode.ERROR });
        whole.end(endMs);
      }
    },
    async close() {
      const ends = await Promise.allSettled([traces.shutdown(), meters.shutdown()]);
      for (const end of ends)
        if (end.status === 'rejected') onError(`Telemetry could not be sent: ${(end.reason as Error).message}`);
    },
  };
}

/** Reads the figures when the packages ask for them. */
function producerOf(metrics: ServiceMetrics, resource: Resource, onError: (message: string) => void): MetricProducer {
  const startMs = Date.now();
  return {
    async collect() {
      const errors: unknown[] = [];
      const read = await metrics.read().catch((error: Error) => {
        onError(`The metrics could not be read: ${error.message}`);
        errors.push(error);
        return [];
      });
      const points = read.map(metric => dataOf(metric, hrTime(startMs), hrTime(Date.now())));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'sextant' }, metrics: points }] }, errors };
    },
  };
}

type Time = [seconds: number, nanoseconds: number];

const hrTime = (ms: number): Time => [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];

/** A metric in the words of OpenTelemetry. */
function dataOf(metric: Metric, startTime: Time, endTime: Time): MetricData {
  const { name, help, type, values } = metric;
  const whole = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const times = { startTime, endTime };
  if (type === 'histogram')
    return {
      ...whole,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histogramsOf(metric).map(each => ({ ...times, ...each })),
    };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: labels, value }));
  return type === 'counter'
    ? { ...whole, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...whole, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** The histograms of a metric, by labels: Prometheus counts values at most so large, OpenTelemetry those between. */
function histogramsOf({ name, values }: Metric) {
  const byLabels = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  return [...byLabels].map(([labels, parts]) => {
    const of = (suffix: string) => parts.filter(({ metricName }) => metricName === `${name}_${suffix}`);
    const buckets = of('bucket');
    const boundaries = buckets.slice(0, -1).map(({ labels: { le } }) => Number(le));
    const counts = buckets.map(({ value }, i) => value - (i === 0 ? 0 : buckets[i - 1].value));
    const [[{ value: sum }], [{ value: count }]] = [of('sum'), of('count')];
    return { attributes: JSON.parse(labels) as Attributes, value: { buckets: { boundaries, counts }, sum, count } };
  });
}
