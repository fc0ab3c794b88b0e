// The floor: the least work that a Fastify service of this shape can do. It has the options, body parser and structure
// check of the real server, holds replies to the end of the tick, sends replies of the same size, and shares its port
// between as many threads. It imports no code for positions, lookups or accounts.
//
//   node bench/floor.ts PORT THREADS

import { isMainThread, Worker, workerData } from 'node:worker_threads';
import Fastify, { type FastifyReply } from 'fastify';
import { parseBody } from '../src/protocol/requests/body.ts';
import { checkStructure } from '../src/protocol/requests/schema.ts';
import { FLOOR_REPLY } from './floor_reply.ts';

async function serveFloor(port: number): Promise<void> {
  // The options of src/api/server.ts, with the defaults of the configuration.
  const server = Fastify({
    bodyLimit: 8 * 1_048_576,
    trustProxy: false,
    exposeHeadRoutes: false,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true },
    http: { maxHeaderSize: 16_384 },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, parseBody(body));
    } catch (error) {
      done(error as Error);
    }
  });
  let waiting: FastifyReply[] = [];
  const flush = () => {
    const replies = waiting;
    waiting = [];
    for (const reply of replies)
      reply.code(200).header('content-type', 'application/json; charset=utf-8').send(FLOOR_REPLY);
  };
  server.post('/', (request, reply) => {
    checkStructure(request.body);
    if (waiting.push(reply) === 1) setImmediate(flush);
  });
  const address = { port, host: '127.0.0.1', reusePort: true };
  await server.listen(address);
}

if (isMainThread) {
  const [port, threads] = process.argv.slice(2).map(Number);
  for (let thread = 0; thread < threads; thread++) {
    new Worker(new URL(import.meta.url), { workerData: port, name: `http ${thread}` }).on('error', error => {
      throw error;
    });
  }
} else {
  await serveFloor(workerData as number);
}
