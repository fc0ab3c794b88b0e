// The address of a client behind proxies, against Fastify's own.

import fc from 'fast-check';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { clientAddressBehind } from '../../../src/api/transport/client_address.ts';

const ADDRESSES = [
  '127.0.0.1',
  '10.1.2.3',
  '192.0.2.7',
  '203.0.113.9',
  '::1',
  '2001:db8::5',
  '::ffff:10.0.0.1',
  'unknown',
];
const TRUSTED: (true | string[] | undefined)[] = [
  undefined,
  true,
  ['127.0.0.1'],
  ['loopback', '10.0.0.0/8'],
  ['2001:db8::/32', '203.0.113.9'],
];

test.each(TRUSTED)('behind %j is that which Fastify says', async trustProxy => {
  const server = Fastify({ trustProxy: trustProxy ?? false });
  server.get('/', async request => request.ip);
  const addressOf = clientAddressBehind(trustProxy);
  const address = fc.constantFrom(...ADDRESSES);
  const separator = fc.constantFrom(',', ', ', ' , ', ',,');
  const forwarded = fc.option(fc.tuple(fc.array(address), separator).map(([list, comma]) => list.join(comma)));
  await fc.assert(
    fc.asyncProperty(address, forwarded, async (remoteAddress, list) => {
      const headers = list === null ? {} : { 'x-forwarded-for': list };
      const { body } = await server.inject({ path: '/', remoteAddress, headers });
      expect(addressOf(remoteAddress, list ?? undefined)).toBe(body);
    }),
    { numRuns: 200, seed: 34 },
  );
  await server.close();
});
