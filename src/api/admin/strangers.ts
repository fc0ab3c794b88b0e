// Connections that have not shown the token yet. Whoever is on the machine may open them, so they are few and short,
// and the oldest one goes for a new one: somebody who holds as many as he likes, and sends a byte now and then, does
// not keep out who has the token. One that has shown it is no stranger any more.

import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** Strangers at a time. */
const STRANGERS_MAX = 16;
/** A stranger has this long to send the head of a request. */
const STRANGER_MILLISECONDS = 5_000;

/** What becomes of a stranger. */
interface Strangers {
  /** It has shown the token. */
  welcome(socket: Socket): void;
  /** It is answered although it is a stranger: its time begins again after that. */
  serve(socket: Socket, response: ServerResponse): void;
}

/** Limits the strangers among the connections of a server. */
export function admitStrangers(server: Server): Strangers {
  const strangers = new Map<Socket, NodeJS.Timeout>();
  const forget = (socket: Socket): void => {
    clearTimeout(strangers.get(socket));
    strangers.delete(socket);
  };
  // In a process that had no turn for so long, the token may have come and not been read: a whole turn is for that.
  const end = (socket: Socket): void => {
    setImmediate(() => setImmediate(() => strangers.has(socket) && socket.destroy()));
  };
  server.on('connection', (socket: Socket) => {
    strangers.set(socket, setTimeout(() => end(socket), STRANGER_MILLISECONDS).unref());
    socket.once('close', () => forget(socket));
    if (strangers.size <= STRANGERS_MAX) return;
    const [oldest] = strangers.keys();
    forget(oldest);
    oldest.destroy();
  });
  return {
    welcome: forget,
    serve(socket, response) {
      const timer = strangers.get(socket);
      if (timer === undefined) return;
      clearTimeout(timer);
      response.once('close', () => {
        if (strangers.has(socket)) timer.refresh();
      });
    },
  };
}
