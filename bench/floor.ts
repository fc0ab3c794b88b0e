// The floor: the least a Fastify service of this shape can do. The same Fastify options, body parser, schema and per-tick batch of replies as the
// real server, a reply of the same size, on as many threads sharing the port; and nothing else. It imports nothing that positions.
//
//   node bench/floor.ts PORT THREADS

import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { Ajv } from 'ajv';
import Fastify, { type FastifyReply } from 'fastify';
import { FLOOR_REPLY } from './floor_reply.ts';

const BODY_SCHEMA = {
  type: 'object',
  properties: {
    radioType: { type: 'string', nullable: true },
    cellTowers: { type: 'array', nullable: true, items: { type: 'object' } },
    wifiAccessPoints: { type: 'array', nullable: true, items: { type: 'object' } },
    bluetoothBeacons: { type: 'array', nullable: true, items: { type: 'object' } },
    gps: { type: 'object', nullable: true },
  },
};

async function serveFloor(port: number): Promise<void> {
  const server = Fastify({ logger: false, bodyLimit: 8 * 1024 * 1024 });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const isValid = new Ajv({ strict: false }).compile(BODY_SCHEMA);
  let waiting: FastifyReply[] = [];
  const flush = () => {
    const replies = waiting;
    waiting = [];
    for (const reply of replies) reply.header('content-type', 'application/json; charset=utf-8').send(FLOOR_REPLY);
  };
  server.post('/', (request, reply) => {
    const body: unknown = JSON.parse((request.body as Buffer).toString());
    if (!isValid(body)) {
      reply.code(400).send('{}');
      return;
    }
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(reply);
  });
  const address = { port, host: '127.0.0.1', reusePort: true };
  await server.listen(address);
}

if (isMainThread) {
  const [port, threads] = process.argv.slice(2).map(Number);
  for (let thread = 0; thread < threads; thread++) {
    new Worker(new URL(import.meta.url), { workerData: port }).on('error', error => {
      throw error;
    });
  }
} else {
  await serveFloor(workerData as number);
}
