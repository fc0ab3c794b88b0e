// The files of a cluster in deploy/: what they name is there, and the servers and nodes that they describe work, as
// plain processes on the loopback interface instead of containers. Only addresses, ports and folders are replaced. The
// certificates are made by the commands of docs/cluster.md.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { blocksOf, readDocument } from '../docs/markdown.ts';
import { HAS_OPENSSL } from '../kits/certificate.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

interface Service {
  command: string;
  environment: Record<string, string | number>;
  volumes: string[];
}

const NATS = ['nats-1', 'nats-2', 'nats-3'];
const NODES = ['sextant-1', 'sextant-2', 'sextant-3'];
const PASSWORD = 'p0123456789abcdef';
const { services, volumes } = parseYaml(readFileSync('deploy/cluster.yaml', 'utf8')) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};

test('the compose file names files, volumes and services that are there', () => {
  expect(Object.keys(services)).toEqual([...NATS, ...NODES, 'caddy']);
  const mounts = Object.values(services).flatMap(service => service.volumes.map(volume => volume.split(':')));
  for (const [from] of mounts) {
    if (!from.startsWith('./')) expect(volumes).toHaveProperty(from);
    else if (!from.startsWith('./certificates')) expect(existsSync(join('deploy', from)), from).toBe(true);
  }
  for (const name of NATS) {
    const others = NATS.filter(other => other !== name).map(other => `nats://${other}:6222`);
    expect(services[name].command).toBe(
      `--config nats.conf --name ${name} --store_dir /data --cluster nats://0.0.0.0:6222 --routes ${others.join(',')}`,
    );
  }
  for (const name of NODES) {
    const cluster = String(services[name].environment.SEXTANT_CLUSTER);
    expect(cluster.split(',').map(server => server.replace(/^tls:\/\/(.*@)?/, ''))).toEqual(
      NATS.map(server => `${server}:4222`),
    );
    const { SEXTANT_CLUSTER_CA: ca } = services[name].environment;
    expect(services[name].volumes).toContain(`./certificates/ca.pem:${ca}:ro`);
  }
  expect(services.caddy.environment.SEXTANT_UPSTREAM).toBe(NODES.map(name => `${name}:8080`).join(' '));
});

describe.skipIf(NATS_PROGRAM === undefined || !HAS_OPENSSL)('three servers with deploy/nats.conf', () => {
  const base = folderOfFile();
  const caFile = join(base, 'deploy/certificates/ca.pem');
  let servers: NatsServer[] = [];
  const nodes: ServiceProcess[] = [];

  /** The addresses of the servers, as a node of the compose file has them. */
  const addresses = (password = PASSWORD): string => {
    const documented = String(services[NODES[0]].environment.SEXTANT_CLUSTER).replace(
      /\$\{NATS_PASSWORD[^}]*\}/,
      password,
    );
    return NATS.reduce((text, name, i) => text.replace(`${name}:4222`, new URL(servers[i].url).host), documented);
  };

  /** Starts a node with the settings of the compose file. */
  const start = async (name: string): Promise<ServiceProcess> => {
    const settings = { ...services[name].environment, SEXTANT_CLUSTER: addresses(), SEXTANT_CLUSTER_CA: caFile };
    const flags = Object.entries(settings).flatMap(([variable, value]) => [
      `--${variable.replace('SEXTANT_', '').toLowerCase().replaceAll('_', '-')}`,
      String(value),
    ]);
    const small = ['--http-threads', '1', '--workers', '1', '--cache-mb', '4', '--admin', 'off'];
    const node = await ServiceProcess.start(join(base, name), ...flags, ...small);
    nodes.push(node);
    await expect.poll(async () => (await node.request({ method: 'GET', path: '/ready' })).status, LIMIT).toBe(200);
    return node;
  };

  beforeAll(async () => {
    vi.stubEnv('NATS_PASSWORD', PASSWORD);
    const block = blocksOf(readDocument('docs/cluster.md')).find(({ text }) => text.includes('openssl req'));
    execFileSync('bash', ['-ec', block!.text], { cwd: base, stdio: 'pipe' });
    servers = await NatsServer.startCluster(3, ['--config', resolve('deploy/nats.conf')], join(base, 'deploy'));
  }, 60_000);

  afterAll(async () => {
    vi.unstubAllEnvs();
    await Promise.all(nodes.map(node => node.stop('SIGKILL')));
    await Promise.all(servers.map(server => server.remove()));
  });

  test('a wrong password and a wrong authority are named', async () => {
    const connect = (password: string, file: string | undefined) =>
      connectToCluster({ servers: addresses(password).split(','), caFile: file, name: 'a' });
    await expect(connect('other', caFile)).rejects.toThrow(
      /lets this node in \(they do not know its user with this password, or its token or credentials\)\.$/,
    );
    const stranger = join(base, 'deploy/certificates/nats.pem');
    for (const file of [undefined, stranger])
      await expect(connect(PASSWORD, file)).rejects.toThrow(
        /\(their certificate is not for this address, or not of the authority that --cluster-ca names: /,
      );
    await expect(connect(PASSWORD, join(base, 'none.pem'))).rejects.toThrow(
      /^The file .*none\.pem of --cluster-ca cannot be read: ENOENT/,
    );
    await expect(connect(PASSWORD, resolve('deploy/nats.conf'))).rejects.toThrow(
      /^The file .*nats\.conf of --cluster-ca holds no certificate in PEM\.$/,
    );
  });

  test('nodes need no more than the account allows', { timeout: 120_000 }, async () => {
    const first = await start(NODES[0]);
    const { key, id } = await first.key({ trusted: true, credits: 1_000, devices: 5 });
    const second = await start(NODES[1]);
    const wifiAccessPoints = [1, 2].map(n => ({ macAddress: `00:00:5e:60:01:0${n}`, signalStrength: -60 }));
    const items = [0, 1].map(day => ({
      timestamp: Date.parse('2026-03-01T10:00:00Z') + day * 86_400_000,
      position: { latitude: 49.8728, longitude: 8.6512, accuracy: 5 },
      wifiAccessPoints,
    }));
    expect((await second.request({ path: `/v2/geosubmit?key=${key}`, body: { items } })).status).toBe(200);
    for (const node of [first, second]) {
      const ask = async () => (await node.post(key, { wifiAccessPoints, considerIp: false }, '&id=one')).status;
      await expect.poll(ask, LIMIT).toBe(200);
    }
    // Whole tables are published, and what is old is removed.
    await second.job({
      verb: 'import',
      kind: 'cells',
      files: [resolve('docs/examples/cells.csv')],
      format: 'opencellid',
    } as never);
    const forgotten = await first.job({ verb: 'forget', what: 'device', device: 'one' });
    expect(forgotten).toMatchObject({ awaited: [] });
    const of = ['--cluster', addresses(), '--cluster-ca', caFile];
    const status = await runSextant('cluster', 'status', ...of, '--json');
    expect(status.stderr).toBe('');
    expect(JSON.parse(status.stdout).nodes).toHaveLength(2);
    const ledger = await runSextant('cluster', 'ledger', String(id), ...of);
    expect([ledger.stderr, ledger.stdout]).toEqual([
      '',
      expect.stringMatching(/ 1000 {2}oldest .*\n.* 1000 .*taken by/),
    ]);
    for (const server of servers) expect(server.logged).not.toMatch(/violation/i);
    for (const node of nodes) expect(node.printed).not.toMatch(/violation/i);
  });

  test('and the account allows nothing else', async () => {
    const { nats } = await connectToCluster({ servers: addresses().split(','), caFile, name: 'a' });
    const refused = (async () => {
      for await (const event of nats.status()) if (event.type === 'error') return event.error.message;
    })();
    nats.publish('other.subject');
    await expect(refused).resolves.toMatch(/Permissions Violation for Publish to "other\.subject"/);
    await nats.close();
  });
});

/** Of whatever comes in its time. */
const LIMIT = { timeout: 60_000, interval: 100 };
