// Sends an answer in parts as they are made, so the whole is never held in memory.

import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Parts of one answer. */
export interface AnswerParts {
  parts: AsyncIterable<string>;
  /** The text for the log. Called once the answer has ended, for whatever reason. */
  summary(): string;
}

/**
 * Sends the parts with status 200 as they come, until the client disconnects, even before the first. Fastify would
 * treat that as a fault of ours.
 * @param ended called with the text for the log
 */
export function streamParts(
  reply: FastifyReply,
  contentType: string,
  { parts, summary }: AnswerParts,
  ended: (summary: string) => void,
): void {
  const { raw, server, request } = reply;
  const end = (): void => {
    ended(summary());
    // When the server stops, nothing else ends a connection that was busy at that moment.
    if (!server.server.listening) request.raw.socket.end();
  };
  reply.hijack();
  if (raw.destroyed) end();
  else {
    raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': contentType });
    pipeline(Readable.from(parts), raw, end);
  }
}
