// A connection without a network: what a test feeds in arrives at a server, and what the server writes is kept. It has
// of a socket what `node:http` and the fast lane use, so a million connections take minutes.

import { Duplex } from 'node:stream';

/** The server's end of a connection. */
export class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  /** How long the connection may be idle, milliseconds; no clock runs. */
  timeout = 0;
  /** Sent to the client. */
  bytesWritten = 0;
  /** Chunks that the server has written. */
  private readonly written: Buffer[] = [];
  /** The server has ended its side. */
  hasEnded = false;
  /** What is sent here has been sent over another connection, too. */
  isRepetition = false;
  private isHeld = false;
  private heldDone: (() => void) | undefined;

  constructor() {
    super({ allowHalfOpen: true });
    // A destroyed connection is a result like any other.
    this.on('error', () => {});
  }

  /** All that the server has written, one character a byte. */
  get answer(): string {
    return Buffer.concat(this.written).toString('latin1');
  }

  /** Lets bytes arrive. */
  feed(bytes: Buffer): void {
    if (!this.destroyed) this.push(bytes);
  }

  /** The client reads nothing until `release`. */
  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    this.heldDone?.();
    this.heldDone = undefined;
  }

  /** Ends the client's side. */
  feedEnd(): void {
    if (!this.destroyed) this.push(null);
  }

  /** As of a socket: ends, and is destroyed once everything is written. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  setTimeout(milliseconds: number): this {
    this.timeout = milliseconds;
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.written.push(chunk);
    this.bytesWritten += chunk.length;
    if (this.isHeld) this.heldDone = done;
    else done();
  }

  override _final(done: () => void): void {
    this.hasEnded = true;
    done();
  }
}
