// Traces and metrics of a real service, as a collector of OpenTelemetry gets them.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector on the loopback interface: its address, and what has come by path. */
async function collector(): Promise<{ url: string; got: Map<string, unknown[]> }> {
  const got = new Map<string, unknown[]>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    got.set(request.url!, [...(got.get(request.url!) ?? []), JSON.parse(Buffer.concat(chunks).toString())]);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

// biome-ignore lint/suspicious/noExplicitAny: looks into JSON by path
const flat = (bodies: any[] = [], ...path: string[]): any[] =>
  path.reduce((each, name) => each.flatMap(one => one[name] ?? []), bodies);
const spansOf = (got: Map<string, unknown[]>): Span[] =>
  flat(got.get('/v1/traces'), 'resourceSpans', 'scopeSpans', 'spans');
const BODY = {
  wifiAccessPoints: [
    { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
    { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
  ],
};

test('a collector gets each traced request with its steps, and the metrics', async () => {
  const { url, got } = await collector();
  const flags = [...FEW_THREADS, '--otlp', url, '--trace-share', '100'];
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...flags);
  expect((await service.post(service.demoKey, BODY)).status).toBe(200);
  expect((await service.request({ method: 'GET', path: `/search?q=Vaduz&key=${service.demoKey}` })).status).toBe(200);
  expect((await service.post('sx_none', BODY)).status).toBe(400);
  expect(await service.stop()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('"level":50') });

  const spans = spansOf(got);
  const whole = spans.filter(({ parentSpanId }) => !parentSpanId);
  const status = ({ attributes }: Span) => attributes.find(({ key }) => key === 'http.response.status_code')!.value;
  expect(whole.map(span => [span.name, status(span).intValue])).toEqual([
    ['position', 200],
    ['search', 200],
    ['position', 400],
  ]);
  const stepsOf = ({ spanId }: Span) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  expect(stepsOf(whole[0]).map(({ name }) => name)).toEqual(['parse', 'admit', 'locate', 'answer', 'write']);
  expect(stepsOf(whole[1]).map(({ name }) => name)).toEqual(['answer', 'write']);
  expect(stepsOf(whole[2]).map(({ name }) => name)).toEqual(['parse', 'answer', 'write']);
  for (const one of whole) {
    const times = stepsOf(one).flatMap(step => [BigInt(step.startTimeUnixNano), BigInt(step.endTimeUnixNano)]);
    expect(times.every((time, i) => i === 0 || time >= times[i - 1])).toBe(true);
    expect([times[0], times.at(-1)]).toEqual([BigInt(one.startTimeUnixNano), BigInt(one.endTimeUnixNano)]);
  }

  const metrics = flat(got.get('/v1/metrics'), 'resourceMetrics', 'scopeMetrics', 'metrics');
  const named = (name: string) => metrics.find(metric => metric.name === name);
  const answered = flat([named('sextant_requests_total')], 'sum', 'dataPoints');
  expect(answered.map(({ asDouble }) => asDouble).reduce((sum, each) => sum + each, 0)).toBe(3);
  const [latency] = flat([named('sextant_request_duration_seconds')], 'histogram', 'dataPoints').filter(
    ({ attributes }) => attributes[0].value.stringValue === 'position',
  );
  expect([latency.count, latency.bucketCounts.reduce((sum: number, each: number) => sum + each, 0)]).toEqual([2, 2]);
  expect(latency.bucketCounts).toHaveLength(latency.explicitBounds.length + 1);
  const [{ asDouble: stations }] = flat([named('sextant_stations')], 'gauge', 'dataPoints');
  expect(stations).toBeGreaterThan(100);
  expect(JSON.stringify([...got])).not.toContain(service.demoKey);
});

test('no request is traced with a share of 0, and a collector that is away harms nothing', async () => {
  const { url, got } = await collector();
  for (const [otlp, share] of [
    [url, '0'],
    ['http://127.0.0.1:1', '100'],
  ]) {
    const flags = [...FEW_THREADS, '--otlp', otlp, '--trace-share', share];
    const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...flags);
    expect((await service.post(service.demoKey, BODY)).status).toBe(200);
    expect(await service.stop()).toMatchObject({ code: 0 });
  }
  expect(spansOf(got)).toEqual([]);
});

test('without the packages the start says what is missing', async () => {
  const hook =
    "import{registerHooks}from'node:module';registerHooks({resolve(name,context,next){" +
    "if(name.startsWith('@opentelemetry/'))throw Object.assign(new Error(name),{code:'ERR_MODULE_NOT_FOUND'});" +
    'return next(name,context)}})';
  process.env.NODE_OPTIONS = `--import="data:text/javascript,${encodeURIComponent(hook)}"`;
  onTestFinished(() => void delete process.env.NODE_OPTIONS);
  const folder = join(temporaryFolder(), 'var');
  const { code, stderr } = await runSextant('serve', '--data', folder, '--port', '0', '--otlp', 'http://127.0.0.1:1');
  const sentence = '--otlp needs packages of OpenTelemetry beside the program; docs/monitoring.md names them.\n';
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
});
