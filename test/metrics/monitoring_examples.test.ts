// The dashboard and the rules among the examples ask only for metrics that the service has, and the document lists all
// of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import { send } from '../kits/service_process.ts';
import { MONITORING, panelsOfDashboard, queriesOfAlerts, queriesOfDashboard } from './monitoring_examples.ts';
import { parseMetrics } from './parsed_metrics.ts';

const NAME = /\b(?:sextant|process)_[a-z0-9_]+/g;
/** What a histogram is called in queries. */
const PART = /_(?:bucket|sum|count)$/;

const asked = queriesOfDashboard();
const alerts = queriesOfAlerts().map(({ query }) => query);

/** Where the grammar of Prometheus does not understand a query. */
function errorsIn(query: string): number[] {
  const errors: number[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from }) => {
      if (type.isError) errors.push(from);
    },
  });
  return errors;
}

test('every query is one that Prometheus understands', () => {
  expect([...asked, ...alerts].filter(query => errorsIn(query).length > 0)).toEqual([]);
  for (const wrong of ['sum(rate(a[5m])', 'rate(a[5)', 'sum by a (b)', 'unknown(a)'])
    expect(errorsIn(wrong).length, wrong).toBeGreaterThan(0);
});

test('every query of the dashboard and the rules names metrics that the service has', async () => {
  const service = await serve('--compute', 'auto', '--metrics', '127.0.0.1:0');
  const url = /^Metrics are at (\S+)$/m.exec(service.printed)![1];
  const metrics = parseMetrics((await send(url, { method: 'GET', path: '/metrics' })).text);
  for (const query of [...asked, ...alerts]) {
    const names = (query.match(NAME) ?? []).map(name => (metrics.has(name) ? name : name.replace(PART, '')));
    for (const name of names) expect(metrics.has(name), `${name} in ${query}`).toBe(true);
    expect(names.length > 0 || query.startsWith('up{'), query).toBe(true);
    for (const [, metric] of query.matchAll(/(?:rate|increase)\(([a-z0-9_]+)/g))
      expect(['COUNTER', 'HISTOGRAM'], query).toContain(metrics.get(metric.replace(PART, ''))!.type);
  }
  expect(asked.length).toBeGreaterThan(20);
  expect(alerts).toHaveLength(14);
  const shown = new Set(
    [...asked, ...alerts].flatMap(query => query.match(NAME) ?? []).map(name => name.replace(PART, '')),
  );
  const families = [...metrics.keys()].filter(name => name.startsWith('sextant_'));
  const document = readFileSync(join(MONITORING, '../../monitoring.md'), 'utf8');
  const [, table] = /^\| about \|(.*?)\n\n/ms.exec(document)!;
  expect([...table.matchAll(/`(\w+)`/g)].map(([, name]) => `sextant_${name}`)).toEqual(families);
  expect(shown.size).toBeGreaterThan(families.length / 2);
});

test('the graphs lie beside one another without gaps', () => {
  const panels = panelsOfDashboard();
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x},${y}`)).size).toBe(panels.length);
});
