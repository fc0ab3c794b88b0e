// The chart of deploy/helm, by Helm itself: on the PATH, or in build/bin, where `GOBIN=$PWD/build/bin go install
// helm.sh/helm/v3/cmd/helm@latest` puts it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES } from '../../src/api/public_routes.ts';
import { runSextant } from '../kits/service_process.ts';

const BUILT = resolve('build/bin/helm');
const HELM = existsSync(BUILT) ? BUILT : 'helm';
const CHART = 'deploy/helm/sextant';
const HAS_HELM = spawnSync(HELM, ['version']).status === 0;
if (!HAS_HELM) console.log('Skipped: Helm is not installed, so it cannot read its chart in deploy/.');

function helm(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(HELM, words, { encoding: 'utf8' });
}

/** The objects that the chart makes with some values. */
function render(...values: string[]): string {
  const { status, stdout, stderr } = helm('template', 'fleet', CHART, ...values.flatMap(each => ['--set', each]));
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

const settingsOf = (text: string): string[] => [...text.matchAll(/name: (SEXTANT_\w+)/g)].map(([, name]) => name);

test.skipIf(!HAS_HELM)('Helm finds no fault, with one node and with a cluster', () => {
  for (const values of [[], ['--set', 'replicas=3,cluster.secret=nats']]) {
    const { status, stdout } = helm('lint', '--strict', CHART, ...values);
    expect(stdout).toContain('0 chart(s) failed');
    expect(status).toBe(0);
  }
});

test.skipIf(!HAS_HELM)(
  'one node has a volume, asks the service for its health, and sets what are settings',
  async () => {
    const text = render(
      'settings.log-mb=1048576',
      'settings.small=true',
      'settingsSecret=tokens',
      'storage.className=fast',
    );
    expect(text.match(/^kind: .*$/gm)).toEqual(['kind: Service', 'kind: Service', 'kind: StatefulSet']);
    expect(text).toContain('replicas: 1\n');
    expect(text).toContain('storageClassName: fast\n');
    expect(text).toMatch(/envFrom:\s+- secretRef:\s+name: tokens\n/);
    for (const setting of ['LOG_MB "1048576"', 'SMALL "true"', 'CACHE_MB "512"'])
      expect(text).toMatch(new RegExp(`name: SEXTANT_${setting.replace(' ', '\\s+value: ')}\n`));
    expect(settingsOf(text)).not.toContain('SEXTANT_CLUSTER');
    const health = ROUTES.filter(({ operation }) => operation.tag === 'health').map(({ path }) => path);
    for (const [, path] of text.matchAll(/^\s+path: (\/\w+)$/gm)) expect(health).toContain(path);
    const { stdout } = await runSextant('serve', '--help');
    for (const name of settingsOf(text)) expect(stdout).toContain(name);
  },
);

test.skipIf(!HAS_HELM)(
  'several nodes have the servers and their certificate from a Secret, or are refused',
  async () => {
    const text = render('replicas=3', 'cluster.secret=nats');
    expect(text).toContain('replicas: 3\n');
    expect(text).toMatch(/name: SEXTANT_CLUSTER\s+valueFrom:\s+secretKeyRef:\s+name: nats\s+key: servers\n/);
    expect(text).toMatch(/secret:\s+secretName: nats\s+items:\s+- key: ca\.pem\s+path: ca\.pem\n/);
    const { stdout } = await runSextant('serve', '--help');
    for (const name of settingsOf(text)) expect(stdout).toContain(name);
    expect(settingsOf(render('replicas=3', 'cluster.secret=nats', 'cluster.ca=false'))).not.toContain(
      'SEXTANT_CLUSTER_CA',
    );
    const alone = helm('template', 'fleet', CHART, '--set', 'replicas=3');
    expect([alone.status, alone.stderr]).toEqual([1, expect.stringContaining('Several replicas need a cluster')]);
  },
);
