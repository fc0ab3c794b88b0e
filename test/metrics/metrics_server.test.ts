// Metrics of a real service, scraped over a socket and read by another parser than the library's own.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INTAKE_RULES } from '../../src/intake/rules.ts';
import { runSextant, ServiceProcess, send } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { type ParsedMetric, parseMetrics } from './parsed_metrics.ts';

const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
const MEASUREMENT = {
  timestamp: Date.now(),
  position: { latitude: 47.1, longitude: 9.5, accuracy: 10 },
  wifiAccessPoints: [
    { macAddress: '00:25:9c:cf:1c:a1', signalStrength: -60 },
    { macAddress: '00:25:9c:cf:1c:b2', signalStrength: -70 },
  ],
};

let base: string;
let service: ServiceProcess;
let url: string;
let text: string;
let metrics: Map<string, ParsedMetric>;
let key: string;
let limited: string;

const numberOf = (name: string, labels: Record<string, string> = {}): number =>
  Number(
    metrics
      .get(name)!
      .metrics.find(({ labels: found = {} }) =>
        Object.entries(labels).every(([label, value]) => found[label] === value),
      )?.value ?? 'NaN',
  );

/** Samples whose line begins so. The parser does not keep the labels of histograms. */
const linesOf = (start: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith(start))
    .map(line => {
      const [, labels, value] = /(\{.*\}) (\S+)$/.exec(line)!;
      return { labels, value: Number(value) };
    });

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'metrics-'));
  service = await ServiceProcess.start(
    join(base, 'var'),
    '--http-threads',
    '2',
    '--workers',
    '2',
    '--metrics',
    '127.0.0.1:0',
  );
  url = /^Metrics are at (\S+)$/m.exec(service.printed)![1];
  ({ key } = await service.key({ credits: 1_000, contributor: true, trusted: true }));
  ({ key: limited } = await service.key({ ratePerSecond: 0.01 }));
  for (let i = 0; i < 3; i++) expect((await service.post(key, POINTS, '&id=tracker-7')).status).toBe(200);
  expect((await service.post(key, {})).status).toBe(404);
  expect((await service.post('nobody', POINTS)).status).toBe(400);
  expect((await service.request({ path: `/v1/geolocate/batch?key=${key}`, body: [POINTS, POINTS, {}] })).status).toBe(
    200,
  );
  expect((await service.post(limited, POINTS)).status).toBe(200);
  for (let i = 0; i < 2; i++) expect((await service.post(limited, POINTS)).status).toBe(429);
  expect((await service.request({ method: 'GET', path: `/reverse?key=${key}&lat=0&lon=-30` })).status).toBeGreaterThan(
    0,
  );
  const items = [MEASUREMENT, { ...MEASUREMENT, position: { latitude: 99, longitude: 9 } }];
  expect((await service.request({ path: `/v2/geosubmit?key=${key}`, body: { items } })).status).toBe(200);
  await service.job({ verb: 'aggregate', action: 'all' });
  const answer = await send(url, { method: 'GET', path: '/metrics' });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  text = answer.text;
  metrics = parseMetrics(text);
});
afterAll(async () => {
  await service.stop();
  rmSync(base, { recursive: true });
});

test('answers are counted by route and status, over all threads and each position of a batch', () => {
  const counts = metrics.get('sextant_requests_total')!;
  expect(counts.type).toBe('COUNTER');
  // Three, the limited key's first, two of the batch, and the batch itself.
  expect(numberOf('sextant_requests_total', { route: 'position', status: '200' })).toBe(7);
  expect(numberOf('sextant_requests_total', { route: 'position', status: '404' })).toBe(2);
  expect(numberOf('sextant_requests_total', { route: 'position', status: '400' })).toBe(1);
  expect(numberOf('sextant_requests_total', { route: 'position', status: '429' })).toBe(2);
  expect(numberOf('sextant_requests_total', { route: 'submit', status: '200' })).toBe(1);
});

test('latencies are a histogram with as many values as there were answers', () => {
  expect(metrics.get('sextant_request_duration_seconds')!.type).toBe('HISTOGRAM');
  const buckets = linesOf('sextant_request_duration_seconds_bucket{route="position",le=').map(({ labels, value }) => {
    return [Number(/le="(.+)"/.exec(labels)![1].replace('+Inf', 'Infinity')), value];
  });
  expect(buckets).toEqual(buckets.toSorted(([a], [b]) => a - b));
  expect(buckets.map(([, count]) => count)).toEqual(buckets.map(([, count]) => count).sort((a, b) => a - b));
  expect(buckets.at(-1)).toEqual([Number.POSITIVE_INFINITY, 12]);
  expect(linesOf('sextant_request_duration_seconds_count{route="position"}')[0].value).toBe(12);
  expect(linesOf('sextant_request_duration_seconds_sum{route="position"}')[0].value).toBeGreaterThan(0);
});

test('refusals are counted by reason, and credits as they are spent', () => {
  expect(numberOf('sextant_refusals_total', { reason: 'userRateLimitExceeded' })).toBe(2);
  expect(numberOf('sextant_refusals_total', { reason: 'keyInvalid' })).toBe(1);
  expect(numberOf('sextant_refusals_total', { reason: 'notFound' })).toBe(
    2 + (text.includes('route="reverse",status="404"') ? 1 : 0),
  );
  expect(numberOf('sextant_refusals_total', { reason: 'internalError' })).toBe(0);
  const credits = 1_000 - numberOf('sextant_credits_spent_total');
  expect(credits).toBe(1_000 - 5 - (text.includes('route="reverse",status="200"') ? 1 : 0));
});

test('lookups of the cache, stations by kind, reports and places are what the service was given', () => {
  expect(numberOf('sextant_cache_lookups_total')).toBeGreaterThanOrEqual(2 * 6);
  expect(numberOf('sextant_cache_misses_total')).toBeLessThanOrEqual(numberOf('sextant_cache_lookups_total'));
  expect(numberOf('sextant_stations', { kind: 'wifi' })).toBeGreaterThan(100);
  expect(numberOf('sextant_stations', { kind: 'cdma' })).toBe(0);
  expect(numberOf('sextant_reports_received_total')).toBe(2);
  expect(numberOf('sextant_reports_accepted_total')).toBe(1);
  expect(numberOf('sextant_intake_refused_total', { rule: 'position' })).toBe(1);
  expect(metrics.get('sextant_intake_refused_total')!.metrics.map(({ labels }) => labels!.rule)).toEqual(
    INTAKE_RULES.map(({ name }) => name),
  );
  expect(numberOf('sextant_reports_kept')).toBe(1);
  expect(numberOf('sextant_reports_learned_total')).toBe(1);
  expect(numberOf('sextant_reports_backlog')).toBe(0);
  expect(numberOf('sextant_keys')).toBe(3);
  expect(numberOf('sextant_data_bytes', { part: 'stations' })).toBeGreaterThan(0);
  expect(numberOf('sextant_disk_free_bytes')).toBeGreaterThan(0);
});

test('each lane of tasks has its number', () => {
  expect(linesOf('sextant_tasks{').map(({ labels, value }) => [labels, value])).toEqual(
    ['searches', 'bodies', 'submissions', 'batches'].map(lane => [`{lane="${lane}"}`, 0]),
  );
});

test('every thread has its figures', () => {
  for (const name of [
    'sextant_event_loop_delay_seconds_count',
    'sextant_garbage_seconds_total',
    'sextant_thread_cpu_seconds_total',
  ]) {
    expect(linesOf(name).map(({ labels }) => labels)).toEqual([
      '{thread="http 0"}',
      '{thread="http 1"}',
      '{thread="writer"}',
    ]);
  }
  expect(numberOf('sextant_thread_cpu_seconds_total', { thread: 'http 0' })).toBeGreaterThan(0);
  expect(numberOf('sextant_thread_restarts_total', { kind: 'query' })).toBe(0);
  expect(numberOf('process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('names, texts and types follow the rules of Prometheus, and no label has values without bound', () => {
  const bounded = new Set([
    'lane',
    'route',
    'status',
    'reason',
    'rule',
    'kind',
    'thread',
    'layer',
    'part',
    'radio',
    'radius',
    'version',
    'commit',
    'le',
  ]);
  for (const { name, help, type, metrics: values } of metrics.values()) {
    if (!name.startsWith('sextant_')) continue;
    expect(name).toMatch(/^sextant_[a-z0-9]+(_[a-z0-9]+)*$/);
    expect(name.endsWith('_total')).toBe(type === 'COUNTER');
    expect(help).toMatch(/^[A-Z].*\.$/);
    for (const { labels = {} } of values) expect(Object.keys(labels).filter(label => !bounded.has(label))).toEqual([]);
  }
  for (const secret of [key, limited, 'sx_', 'tracker-7', '127.0.0.1', service.folder])
    expect(text).not.toContain(secret);
});

test('only GET /metrics is answered', async () => {
  expect((await send(url, { method: 'GET', path: '/' })).status).toBe(404);
  expect((await send(url, { method: 'POST', path: '/metrics', body: 'x' })).status).toBe(405);
  expect((await service.request({ method: 'GET', path: '/metrics' })).status).toBe(404);
});

test('an address in use is refused in a sentence, and the service does not start', async () => {
  const blocker = createServer();
  await new Promise<void>(resolve => blocker.listen(0, '127.0.0.1', resolve));
  const { port } = blocker.address() as { port: number };
  const folder = join(temporaryFolder(), 'var');
  const { code, stderr } = await runSextant(
    'serve',
    '--data',
    folder,
    '--port',
    '0',
    '--http-threads',
    '1',
    '--metrics',
    `127.0.0.1:${port}`,
  );
  blocker.close();
  expect([code, stderr.trim()]).toEqual([
    1,
    `Metrics cannot be served on 127.0.0.1, port ${port}: it is in use; choose another address with --metrics.`,
  ]);
});
