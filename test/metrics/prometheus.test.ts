// The metrics of a service, and the files among the examples, as Prometheus itself reads them. It is not a package of
// npm, so these tests run where it is installed (`apt-get install prometheus`).

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../bench/server.ts';
import { serve } from '../kits/served_service.ts';
import { type ServiceProcess, send } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { MONITORING, queriesOfAlerts, queriesOfDashboard } from './monitoring_examples.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const HAS_PROMTOOL = has('promtool');
const HAS_PROMETHEUS = has('prometheus');
if (!HAS_PROMTOOL || !HAS_PROMETHEUS)
  console.log('Skipped: Prometheus is not installed, so it cannot read the metrics and their examples.');

/** Between two looks at whether Prometheus has scraped or evaluated. */
const LOOK_MILLISECONDS = 200;
const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

const metricsOf = (service: ServiceProcess): string =>
  /^Metrics are at (http:\/\/\S+)\/metrics$/m.exec(service.printed)![1];

/** Prometheus with the configuration of the examples, which reads this service once a second. @returns its address */
async function startPrometheus(target: string): Promise<string> {
  const folder = temporaryFolder();
  const [port] = await freePorts(1);
  const example = readFileSync(join(MONITORING, 'prometheus.yml'), 'utf8');
  const config = example
    .replace('127.0.0.1:9464"', `${new URL(target).host}"`)
    .replace('scrape_interval: 15s', 'scrape_interval: 1s');
  writeFileSync(join(folder, 'prometheus.yml'), `global: { evaluation_interval: 1s }\n${config}`);
  copyFileSync(join(MONITORING, 'alerts.yml'), join(folder, 'alerts.yml'));
  const words = ['--config.file', `${folder}/prometheus.yml`, '--storage.tsdb.path', `${folder}/data`];
  const child: ChildProcess = spawn('prometheus', [...words, '--web.listen-address', `127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return `http://127.0.0.1:${port}`;
}

/** What Prometheus answers, once it fits. It starts, scrapes and evaluates when it likes. */
async function answered<T>(url: string, path: string, fits: (data: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await send(url, { method: 'GET', path }).catch(() => undefined);
    if (answer?.status === 200 && answer.json !== undefined && fits(answer.json.data)) return answer.json.data;
    await delay(LOOK_MILLISECONDS);
  }
}

test.skipIf(!HAS_PROMTOOL)('promtool finds nothing to say about the metrics', async () => {
  const service = await serve('--compute', 'auto', '--metrics', '127.0.0.1:0');
  for (const points of [POINTS, {}]) await service.post(service.demoKey, points);
  const { text } = await send(metricsOf(service), { method: 'GET', path: '/metrics' });
  expect(spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toMatchObject({
    stderr: '',
    stdout: '',
    status: 0,
  });
});

test.skipIf(!HAS_PROMTOOL)('promtool reads the configuration and the rules', () => {
  for (const [what, file] of [
    ['config', 'prometheus.yml'],
    ['rules', 'alerts.yml'],
  ])
    expect(spawnSync('promtool', ['check', what, join(MONITORING, file)], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
});

test.skipIf(!HAS_PROMTOOL)('each rule fires in its trouble, not before its time, and never without', () => {
  const file = join(temporaryFolder(), 'alerts_fire.yml');
  const text = readFileSync(join(import.meta.dirname, 'alerts_fire.yml'), 'utf8');
  for (const { alert } of queriesOfAlerts()) expect(text).toContain(`alertname="${alert}"`);
  writeFileSync(file, text.replace('ALERTS_FILE', join(MONITORING, 'alerts.yml')));
  expect(spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test.skipIf(!HAS_PROMETHEUS)(
  'Prometheus scrapes a service, evaluates the rules, and answers what the dashboard asks',
  async () => {
    const service = await serve('--compute', 'auto', '--metrics', '127.0.0.1:0');
    const url = await startPrometheus(metricsOf(service));
    interface Vector {
      result: { metric: Record<string, string>; value: [number, string] }[];
    }
    const ask = (query: string, fits: (data: Vector) => boolean) =>
      answered<Vector>(url, `/api/v1/query?query=${encodeURIComponent(query)}`, fits);
    await ask('up{job="sextant"} == 1', ({ result }) => result.length === 1);
    // A rate needs a value from before and one from after.
    for (const query of ['sextant_requests_total', 'increase(sextant_requests_total[1m]) > 0']) {
      await service.post(service.demoKey, POINTS);
      await service.request({ path: `/v2/geosubmit?key=${service.demoKey}`, body: { items: [{}] } });
      await ask(query, ({ result }) => new Set(result.map(({ metric }) => metric.route)).size === 2);
    }
    for (const query of queriesOfDashboard()) {
      const { result } = await ask(query, () => true);
      // What the service has not measured of itself yet has no figures.
      expect(result.length > 0, query).toBe(!query.includes('sextant_accuracy_'));
    }
    interface Groups {
      groups: { rules: { name: string; health: string; state: string }[] }[];
    }
    const { groups } = await answered<Groups>(url, '/api/v1/rules', data =>
      data.groups[0].rules.every(({ health }) => health !== 'unknown'),
    );
    expect(groups[0].rules.map(({ name, health, state }) => `${name} ${health} ${state}`)).toEqual(
      queriesOfAlerts().map(({ alert }) => `${alert} ok inactive`),
    );
  },
);
