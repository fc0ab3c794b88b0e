// Messages over the folder's socket: one JSON value on each line, in both directions.
//
//   command to owner    {"protocol":1,"job":{...}}                   once
//   owner to command    {"progress":{...}}                           any number
//                       {"result":...} or {"error":"message"} once, then the end; with "mayReplace":true a job with
//                       `replace` would be done

import type { Socket } from 'node:net';

/** Raised when a message changes its meaning, so that a command of another version is refused. */
export const PROTOCOL = 1;

/** One message as it goes over the socket. */
export function lineOf(message: Record<string, unknown>): string {
  return `${JSON.stringify(message)}\n`;
}

/**
 * Calls `onMessage` with each line's value. A line that is not JSON or is longer than `limit` characters ends the
 * connection with an error event.
 * @param limit longer than any valid line; keeps a stray writer from filling the memory
 */
export function onLines(socket: Socket, limit: number, onMessage: (message: Record<string, unknown>) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = chunk.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop()!;
    if (rest.length > limit || lines.some(line => line.length > limit)) {
      socket.destroy(new Error(`A message over the folder's socket is longer than ${limit} characters.`));
      return;
    }
    for (const line of lines) {
      if (socket.destroyed) return;
      const message = parseObject(line);
      if (message === undefined) socket.destroy(new Error("A message over the folder's socket is not a JSON object."));
      else onMessage(message);
    }
  });
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
