// One connection over which requests go as bytes, one after the other. It reads answers by hand, because a client
// library would hide what the fuzz looks for: a second answer to one request, an answer that is cut off, and a
// connection that closes without any.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer as it came. */
export interface WireAnswer {
  status: number;
  /** Names in lower case; of several fields of one name the last. */
  headers: Record<string, string>;
  body: string;
}

/** A service that says nothing for so long hangs. */
const ANSWER_MILLISECONDS = 30_000;
const HEAD_END = '\r\n\r\n';
/** Behind a refusal the service may still read what is sent, so the connection is not used again. */
const LAST_STATUSES: ReadonlySet<number> = new Set([400, 408, 413, 431]);

/** A connection that is made again when the service has closed it. */
export class Wire {
  private readonly port: number;
  private socket: Socket | undefined;
  private received = Buffer.alloc(0);
  private wake = (): void => {};

  constructor(port: number) {
    this.port = port;
  }

  /**
   * Sends a request and waits for its answer.
   * @param isHead the answer has no body, whatever its length says
   * @throws Error that says what came instead of exactly one answer
   */
  async ask(bytes: Buffer, isHead: boolean): Promise<WireAnswer> {
    const socket = this.socket ?? (await this.connect());
    socket.write(bytes);
    const timer = setTimeout(() => socket.destroy(new Error()), ANSWER_MILLISECONDS);
    try {
      for (;;) {
        const read = readAnswer(this.received, isHead);
        if (read !== undefined) {
          if (read.end < this.received.length)
            throw new Error(`More than one answer came: ${this.received.toString('latin1', 0, 2_000)}`);
          this.received = Buffer.alloc(0);
          if (LAST_STATUSES.has(read.answer.status) || read.answer.headers.connection === 'close') this.close();
          return read.answer;
        }
        if (socket.destroyed)
          throw new Error(
            `The connection closed without a whole answer: ${this.received.toString('latin1', 0, 2_000)}`,
          );
        await new Promise<void>(resolve => {
          this.wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connection; the next request makes another. */
  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
    this.received = Buffer.alloc(0);
  }

  private async connect(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    socket.setNoDelay(true);
    await once(socket, 'connect');
    this.socket = socket;
    socket.on('data', bytes => {
      if (this.socket !== socket) return;
      this.received = Buffer.concat([this.received, bytes]);
      this.wake();
    });
    // What a broken connection means is decided by who waits for its answer.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined;
      this.wake();
    });
    return socket;
  }
}

/** Reads an answer from the first byte on. @returns it, and the index behind it; undefined when it is not whole */
export function readAnswer(bytes: Buffer, isHead: boolean): { answer: WireAnswer; end: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const [first, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`What came is not HTTP: ${first}`);
  const start = headEnd + HEAD_END.length;
  // An interim answer, such as the word to send the body.
  if (status < 200) {
    const read = readAnswer(bytes.subarray(start), isHead);
    return read && { answer: read.answer, end: read.end + start };
  }
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = isHead || status === 204 ? { bytes: Buffer.alloc(0), end: start } : readBody(bytes, start, headers);
  return body && { answer: { status, headers, body: body.bytes.toString() }, end: body.end };
}

function readBody(
  bytes: Buffer,
  start: number,
  headers: Record<string, string>,
): { bytes: Buffer; end: number } | undefined {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start);
  const end = start + Number(headers['content-length']);
  if (Number.isNaN(end)) throw new Error(`The answer names no length: ${JSON.stringify(headers)}`);
  return end <= bytes.length ? { bytes: bytes.subarray(start, end), end } : undefined;
}

function readChunks(bytes: Buffer, start: number): { bytes: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(length)) throw new Error('A chunk of the answer has no length.');
    const from = lineEnd + 2;
    at = from + length + 2;
    if (at > bytes.length) return undefined;
    if (length === 0) return { bytes: Buffer.concat(chunks), end: at };
    chunks.push(bytes.subarray(from, from + length));
  }
}
