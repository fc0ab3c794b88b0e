// An answer that leaves in parts as they are made, so that nothing of the whole is held and nobody waits for it.

import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Reply } from './replies.ts';

/** Parts of one answer. */
export interface AnswerParts {
  parts: AsyncIterable<string>;
  /** Asked at their end, however it came: what the log holds of them. */
  summary(): string;
}

/** Sends the parts as they come, until the client goes away, which may be before the first. Fastify would take that for a fault of ours. */
export function streamParts(
  { reply, status, contentType }: Reply,
  { parts, summary }: AnswerParts,
  ended: (summary: string) => void,
): void {
  const { raw, server, request } = reply;
  const end = (): void => {
    ended(summary());
    // When the server stops, nothing else would end a connection that was busy at that moment.
    if (!server.server.listening) request.raw.socket.end();
  };
  reply.hijack();
  if (raw.destroyed) end();
  else {
    raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': contentType });
    pipeline(Readable.from(parts), raw, end);
  }
}
