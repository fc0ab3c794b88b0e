// A client that does not read its answer would hold the answer's bytes and a connection for as long as it likes,
// however the answer is written: whole, in parts, or by the fast lane. So a connection with unsent bytes has the time-
// out of its socket, which restarts whenever the system accepts some of them, and then closes the connection.

import type { Server, Socket } from 'node:net';

/**
 * Time in which nothing of what was written goes out. When the clock strikes for the first time, Node may wait once
 * more: it compares with what waited then.
 */
const WRITE_MILLISECONDS = 30_000;
/** How often connections are looked at. */
const LOOK_MILLISECONDS = 1_000;

/** Has a server end connections whose client does not read. @param isSecure its sockets are of TLS */
export function limitWrites(server: Server, isSecure: boolean): void {
  const sockets = new Set<Socket>();
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });
  const looking = setInterval(() => sockets.forEach(look), LOOK_MILLISECONDS).unref();
  server.on('close', () => clearInterval(looking));
}

/**
 * Starts the clock of a socket, or stops it. `node:http` has other clocks, of other lengths, for connections that are
 * idle.
 */
function look(socket: Socket): void {
  const { timeout = 0, writableLength } = socket;
  if (writableLength > 0 && timeout === 0) socket.setTimeout(WRITE_MILLISECONDS);
  else if (writableLength === 0 && timeout === WRITE_MILLISECONDS) socket.setTimeout(0);
}
