import { expect, test } from 'vitest';
import { type ClusterConnection, connectToCluster } from '../../src/cluster/connection.ts';
import { ReportReader } from '../../src/cluster/reports.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

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
