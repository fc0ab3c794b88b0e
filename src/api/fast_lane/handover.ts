// A socket that `node:http` has, until the lane wants it back. `node:http` takes a socket by adding listeners to it.
// They hold all that it knows of the connection, and its listener for `close` frees that. So three things can be done
// with a socket that it has, and it notices none of them:
//
//   pause      the lane reads what arrives first, and passes on what it does not want itself
//   resume     `node:http` reads again, for good
//   release    to `node:http` the connection is closed; it may be handed over again as a new one
//
// Pause and release are for the time between two requests only. The lane knows that time if exactly one request was
// given: `node:http` has read one head, was given as many bytes as that head says, and has written the reply. Then it
// has no byte of a next request, and no reply to come.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** All events of a socket to which `node:http` listens. */
const EVENTS = ['data', 'end', 'close', 'drain', 'error', 'timeout', 'pause', 'resume'] as const;

const HEAD_END = '\r\n\r\n';

type Listener = (...values: unknown[]) => void;

/** What `node:http` has added to a socket. */
export class Handover {
  private readonly socket: Socket;
  private readonly listeners = new Map<string, Listener[]>();
  private isPaused = false;
  /** How long node:http lets the connection be idle behind its last answer; 0 before the first one. */
  private idleMilliseconds = 0;
  /** Given since the request began. */
  private givenBytes = 0;
  /** Of the request, once `node:http` has read its head; before, of the head. */
  private expectedBytes = 0;
  private isFollowed = false;

  /** Hands a socket over. @param take adds the listeners of `node:http` */
  constructor(socket: Socket, take: (socket: Socket) => void) {
    this.socket = socket;
    const counts = EVENTS.map(event => socket.listenerCount(event));
    take(socket);
    for (const [i, event] of EVENTS.entries())
      this.listeners.set(event, socket.listeners(event).slice(counts[i]) as Listener[]);
  }

  /**
   * Begins a request.
   * @param bytes what will be given first
   * @returns false if its end cannot be known, because its head is not whole
   */
  begin(bytes: Buffer | undefined): boolean {
    const head = bytes?.indexOf(HEAD_END) ?? -1;
    this.givenBytes = 0;
    this.expectedBytes = head + HEAD_END.length;
    this.isFollowed = false;
    return head >= 0;
  }

  /** Notes the head that `node:http` has read. @returns false if its end cannot be known, or it is not the first one */
  follow({ headers }: IncomingMessage): boolean {
    const { 'content-length': bodyBytes = '0', 'transfer-encoding': coding, upgrade } = headers;
    const isFirst = !this.isFollowed;
    this.isFollowed = true;
    this.expectedBytes += Number(bodyBytes);
    return isFirst && coding === undefined && upgrade === undefined;
  }

  /** `node:http` was given the followed request and nothing behind it. */
  get hasNothingMore(): boolean {
    return this.givenBytes === this.expectedBytes;
  }

  /**
   * Lets bytes arrive at `node:http`, unless it has destroyed the socket: then it has let go of it, and more may still
   * come out of the stream's buffer.
   */
  give(bytes: Buffer): void {
    if (this.socket.destroyed) return;
    this.givenBytes += bytes.length;
    this.call('data', bytes);
  }

  /** Lets the client's end arrive at `node:http`. */
  forwardEnd(): void {
    this.call('end');
  }

  /** From now on the bytes and the end that arrive are for others, and must be given. */
  pause(): void {
    this.isPaused = true;
    this.remove('data');
    this.remove('end');
  }

  /** Stops the clock that `node:http` has set behind its answer: others watch how long the connection is idle. */
  rest(): void {
    this.idleMilliseconds = this.socket.timeout ?? 0;
    this.socket.setTimeout(0);
  }

  /** Undoes `pause` and `rest`: bytes that begin no request, such as an empty line, would start no other clock. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    if (this.idleMilliseconds > 0) this.socket.setTimeout(this.idleMilliseconds);
    for (const event of ['data', 'end'])
      for (const listener of this.listeners.get(event)!) this.socket.on(event, listener);
  }

  /** Takes the socket away from `node:http`. */
  release(): void {
    this.call('close');
    for (const event of EVENTS) this.remove(event);
  }

  private call(event: string, ...values: unknown[]): void {
    for (const listener of this.listeners.get(event)!) listener.apply(this.socket, values);
  }

  private remove(event: string): void {
    for (const listener of this.listeners.get(event)!) this.socket.off(event, listener);
  }
}
