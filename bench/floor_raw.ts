// The floor without Fastify: `node:http` alone, with the same body parser, structure check, batching and reply as
// floor.ts. Its distance from the floor is what the framework costs.
//
//   node bench/floor_raw.ts PORT THREADS

import { createServer, type ServerResponse } from 'node:http';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { parseBody } from '../src/protocol/requests/body.ts';
import { checkStructure } from '../src/protocol/requests/schema.ts';
import { FLOOR_REPLY, FLOOR_REPLY_BYTES } from './floor_reply.ts';

function serveRawFloor(port: number): void {
  let waiting: ServerResponse[] = [];
  const flush = () => {
    const replies = waiting;
    waiting = [];
    for (const reply of replies) {
      reply.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': FLOOR_REPLY_BYTES });
      reply.end(FLOOR_REPLY);
    }
  };
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        checkStructure(parseBody(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
      } catch (error) {
        reply.writeHead(400).end(String(error));
        return;
      }
      if (waiting.push(reply) === 1) setImmediate(flush);
    });
  });
  server.listen({ port, host: '127.0.0.1', reusePort: true });
}

if (isMainThread) {
  const [port, threads] = process.argv.slice(2).map(Number);
  for (let thread = 0; thread < threads; thread++) {
    new Worker(new URL(import.meta.url), { workerData: port, name: `http ${thread}` }).on('error', error => {
      throw error;
    });
  }
} else {
  serveRawFloor(workerData as number);
}
