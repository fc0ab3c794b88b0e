import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ClusterConnection, connectToCluster } from '../../src/cluster/connection.ts';
import { ReportReader, sendReports } from '../../src/cluster/reports.ts';
import { type ClusterStores, openStores } from '../../src/cluster/stores.ts';
import type { Job } from '../../src/jobs/job.ts';
import { OBSERVATION_BYTES } from '../../src/radio/query/layout.ts';
import { NotWritten } from '../../src/tables/environment/commit.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports } from '../../src/tables/observations/report.ts';
import { exportObservations } from '../../src/transfer/export_observations.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { numberedReport } from '../kits/radio/reports.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { TcpLink } from '../kits/tcp_link.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const SCANS = join(import.meta.dirname, '../../docs/examples/scans.jsonl');

test.skipIf(NATS_PROGRAM === undefined)(
  'a reader that is stopped while it begins to read a quiet stream ends',
  { timeout: 30_000 },
  async () => {
    const server = await NatsServer.start();
    const connection = await connectToCluster({ servers: [server.url], name: 'a' });
    try {
      await openStores(connection);
      const log = new ObservationLog(temporaryFolder(), 'commit');
      await log.setPosition(0);
      let stopped: Promise<void> | undefined;
      // As late as it can be: the server sends to the reader already, which does not know of it yet.
      const jetstream = {
        consumers: {
          get: async (...of: Parameters<ClusterConnection['jetstream']['consumers']['get']>) => {
            const consumer = await connection.jetstream.consumers.get(...of);
            return {
              consume: async (options: object) => {
                const messages = await consumer.consume(options);
                stopped = reader.stop();
                return messages;
              },
              delete: () => consumer.delete(),
            };
          },
        },
      };
      const errors: Error[] = [];
      const reader = new ReportReader(
        { ...connection, jetstream } as unknown as ClusterConnection,
        log,
        { look: async () => {}, mayRead: true, refusal: undefined },
        async () => {},
        error => errors.push(error),
      );
      reader.start();
      await expect.poll(() => stopped !== undefined).toBe(true);
      await stopped;
      expect(errors).toEqual([]);
      await log.close();
    } finally {
      await connection.nats.close();
      await server.remove();
    }
  },
);

test.skipIf(NATS_PROGRAM === undefined)(
  'reports that went into a dead connection are read again, and not only with the next one',
  { timeout: 90_000 },
  async () => {
    const nats = await NatsServer.start();
    const link = await TcpLink.lay(nats.port);
    const base = temporaryFolder();
    const start = (name: string, port: number, ...more: string[]) =>
      ServiceProcess.start(join(base, name), '--cluster', `nats://127.0.0.1:${port}`, ...SMALL_NODE, ...more);
    const isReady = async (node: ServiceProcess) =>
      (await node.request({ method: 'GET', path: '/ready' })).status === 200;
    const reportsIn = async ({ folder }: ServiceProcess): Promise<number> => {
      let text = '';
      for await (const lines of exportObservations(folder, 0)) text += lines.text;
      return text.split('\n').length - 1;
    };
    const nodes = [await start('a', nats.port)];
    try {
      await expect.poll(() => isReady(nodes[0]), { timeout: 20_000 }).toBe(true);
      nodes.push(await start('b', link.port, '--role', 'serve'));
      await expect.poll(() => isReady(nodes[1]), { timeout: 20_000 }).toBe(true);
      const { key } = await nodes[0].key({ name: 'test', trusted: true });
      const contribute = async (station: number) => {
        const position = { latitude: 49.8728, longitude: 8.6512, accuracy: 5 };
        const wifiAccessPoints = [{ macAddress: `00:00:5e:60:04:0${station}`, signalStrength: -60 }];
        const body = { items: [{ timestamp: 1_772_359_200_000, position, wifiAccessPoints }] };
        return (await nodes[0].request({ path: `/v2/geosubmit?key=${key}`, body })).status;
      };
      expect(await contribute(1)).toBe(200);
      for (const node of nodes) await expect.poll(() => reportsIn(node), { timeout: 10_000 }).toBe(1);
      link.cut('stalled');
      expect(await contribute(2)).toBe(200);
      await expect.poll(() => reportsIn(nodes[0]), { timeout: 10_000 }).toBe(2);
      link.cut('refused');
      link.mend();
      await expect.poll(() => reportsIn(nodes[1]), { timeout: 20_000 }).toBe(2);
    } finally {
      await Promise.all(nodes.map(node => node.stop('SIGKILL')));
      await link.remove();
      await nats.remove();
    }
  },
);

test('of reports of which one is too large for a message none is sent', async () => {
  const report = (entries: number, n: number) =>
    numberedReport(n, { observations: new Uint8Array(entries * OBSERVATION_BYTES).fill(7) });
  const sent: Uint8Array[] = [];
  const connection = {
    nats: { info: { max_payload: 8_192 } },
    jetstream: {
      publish: async (_subject: string, part: Uint8Array) => {
        sent.push(part);
        return { duplicate: false };
      },
    },
  } as unknown as ClusterConnection;
  const open = { connection, stores: {} as ClusterStores };
  const standing = { look: async () => {}, mayRead: true, refusal: undefined };
  const small = packReports([report(20, 1), report(20, 2)]);
  await sendReports(open, standing, small, undefined);
  expect(sent).toHaveLength(1);
  const mixed = packReports([report(20, 1), report(1_000, 2), report(20, 3)]);
  const refused = sendReports(open, standing, mixed, undefined);
  await expect(refused).rejects.toThrow(NotWritten);
  await expect(refused).rejects.toThrow(/a report has \d+ bytes, and the servers of NATS take messages of \d+; raise/);
  expect(sent).toHaveLength(1);
});

test.skipIf(NATS_PROGRAM === undefined)(
  'what was removed can be imported again at once, at any node',
  { timeout: 120_000 },
  async () => {
    const nats = await NatsServer.start();
    const base = temporaryFolder();
    const nodes: ServiceProcess[] = [];
    const reportsIn = async ({ folder }: ServiceProcess): Promise<number> => {
      let text = '';
      for await (const lines of exportObservations(folder, 0)) text += lines.text;
      return text.split('\n').length - 1;
    };
    const importScans = (node: ServiceProcess) =>
      node.job({ verb: 'import', kind: 'observations', files: [SCANS], source: 'walk' } as Job);
    try {
      for (const name of ['a', 'b']) {
        const node = await ServiceProcess.start(join(base, name), '--cluster', nats.url, ...SMALL_NODE);
        nodes.push(node);
        await expect.poll(async () => (await node.request({ method: 'GET', path: '/ready' })).status).toBe(200);
      }
      const [a, b] = nodes;
      const first = await importScans(b);
      await expect.poll(() => reportsIn(a)).toBeGreaterThan(0);
      const reports = await reportsIn(a);
      for (const again of [a, b]) {
        await a.job({ verb: 'sources', action: 'remove', name: 'walk' });
        for (const node of nodes) await expect.poll(() => reportsIn(node)).toBe(0);
        expect(await importScans(again)).toEqual(first);
        for (const node of nodes) await expect.poll(() => reportsIn(node)).toBe(reports);
        // Twice is once, as ever.
        expect(await importScans(again)).not.toEqual(first);
        for (const node of nodes) expect(await reportsIn(node)).toBe(reports);
      }
    } finally {
      await Promise.all(nodes.map(node => node.stop('SIGKILL')));
      await nats.remove();
    }
  },
);
