// Caps the connections of one HTTP thread. Each takes memory and a descriptor, and whoever may connect may open as many
// as he likes: without a cap, thousands of silent connections use up the descriptors that the tables and the log need.
// One over the cap is closed at once, which a client or a proxy takes as a reason to try again. The operator reads of
// it at most once a minute.

import type { Server } from 'node:net';

const TELL_MILLISECONDS = 60_000;

/**
 * The connections that one of several threads may have, of all that the service may have. The system spreads them about
 * evenly.
 */
export function connectionsOfThread(connections: number, threads: number): number {
  return Math.ceil(connections / threads);
}

/**
 * Closes new connections while there are too many.
 * @param most connections of this server
 * @param tell takes a sentence for the operator
 * @param now milliseconds of a clock that never goes back
 */
export function limitConnections(
  server: Server,
  most: number,
  tell: (message: string) => void,
  now = () => performance.now(),
): void {
  let refused = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  server.maxConnections = most;
  server.on('drop', () => {
    refused++;
    if (now() - toldAtMs < TELL_MILLISECONDS) return;
    const many = refused === 1 ? 'A connection was' : `${refused} connections were`;
    tell(`${many} refused: an HTTP thread has ${most} connections, all that --max-connections leaves it.`);
    toldAtMs = now();
    refused = 0;
  });
}
