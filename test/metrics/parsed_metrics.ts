// Reads the text of metrics with a parser that is not of the library that writes it.

import parse from 'parse-prometheus-text-format';

/** A metric as the text has it. */
export interface ParsedMetric {
  name: string;
  help: string;
  type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
  metrics: {
    labels?: Record<string, string>;
    value?: string;
    buckets?: Record<string, string>;
    count?: string;
    sum?: string;
  }[];
}

/** The metrics of a text by name. @throws Error when the text breaks the format */
export function parseMetrics(text: string): Map<string, ParsedMetric> {
  const metrics = parse(text) as ParsedMetric[];
  if (new Set(metrics.map(({ name }) => name)).size !== metrics.length)
    throw new Error('A metric stands in the text twice.');
  return new Map(metrics.map(metric => [metric.name, metric]));
}
