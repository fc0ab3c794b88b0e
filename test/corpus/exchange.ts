// One exchange of the corpus: a request as the generator draws it, and what is kept of its answer.
//
// Keys and states differ from run to run. In a request they are placeholders, `{{key:NAME}}` and `{{state:NAME}}`; in
// an answer what differs is masked by a value of the same type and shape, so that an answer without it, or with another
// type, is still a difference.

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Answer } from '../kits/service_process.ts';

/** A request. */
export interface CorpusRequest {
  method: string;
  /** Path and query; may hold placeholders. */
  path: string;
  headers?: Record<string, string>;
  /** Text may hold placeholders; bytes go as they are. */
  body?: string | Buffer;
  /** How the body is compressed on its way. */
  packing?: keyof typeof PACKERS;
  /** Bytes that are missing at the end of the compressed body. */
  cutBytes?: number;
  /** Sent as it is over a connection of its own; then method and path only name it. */
  raw?: string;
  /** Name under which the state of the answer is kept for later requests. */
  keepState?: string;
}

/** A step of the replay: a request, or a wait until all that was contributed has taken effect. */
export type Step = CorpusRequest | 'aggregate';

/** What is kept of an answer. */
export interface KeptAnswer {
  /** Of the request: a change of the generator is noticed. */
  request: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Numbers that differ from run to run. */
const NUMBERS = new Set(['retry-after', 'x-log-id']);

/** What the network and Node's server decide, not the service. */
const HEADERS_LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

const PACKERS = {
  gzip: (bytes: Buffer) => gzipSync(bytes),
  deflate: (bytes: Buffer) => deflateSync(bytes),
  'deflate-raw': (bytes: Buffer) => deflateRawSync(bytes),
  br: (bytes: Buffer) => brotliCompressSync(bytes),
} satisfies Record<string, (bytes: Buffer) => Buffer>;

/** Name of a request: a hash of everything that is sent, before compression and with its placeholders. */
export function nameOf({ method, path, headers, body, packing, cutBytes, raw, keepState }: CorpusRequest): string {
  const bytes = body === undefined ? null : Buffer.from(body).toString('latin1');
  const text = JSON.stringify([
    method,
    path,
    headers ?? {},
    bytes,
    packing ?? '',
    cutBytes ?? 0,
    raw ?? '',
    keepState ?? '',
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The bytes of a body. @param fill puts values in the place of placeholders */
export function bytesOf(
  { body, packing, cutBytes = 0 }: CorpusRequest,
  fill: (text: string) => string,
): Buffer | undefined {
  if (body === undefined) return undefined;
  const bytes = Buffer.from(typeof body === 'string' ? fill(body) : body);
  if (packing === undefined) return bytes;
  const packed = PACKERS[packing](bytes);
  return packed.subarray(0, packed.length - cutBytes);
}

/** What is kept of an answer. */
export function keep(
  request: CorpusRequest,
  { status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>,
): KeptAnswer {
  return { request: nameOf(request), status, headers: keepHeaders(headers), body: mask(text) };
}

function keepHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers).sort()) {
    if (!HEADERS_LEFT_OUT.has(name))
      kept[name] = NUMBERS.has(name) ? String(headers[name]).replace(/^\d+$/, '1') : String(headers[name]);
  }
  return kept;
}

/** Trails have the day on which the replay contributes. */
const FIRST_DAY = new Date().toISOString().slice(0, 10);

/** Every logId is 1; every state is as long as it was; a day since the replay began is always the same. */
function mask(text: string): string {
  return text
    .replace(/"logId":\d+(?=\})/g, '"logId":1')
    .replace(/"date":"([\d-]{10})"/g, (whole, date: string) => (date >= FIRST_DAY ? '"date":"2000-01-01"' : whole))
    .replace(/"state":"([\w-]{80,})"/, (_, state: string) => `"state":"${'A'.repeat(state.length)}"`);
}
