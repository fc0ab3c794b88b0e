// Turns the bytes of a body into a parsed value. Any content type is read as JSON, and an empty body is `{}`.
// Compressed bodies are inflated up to a cap, so that a few kilobytes cannot fill the memory, and their shape is
// checked on the way (`ShapeCheck`). Submissions, which may be larger, are read by api/gather_body.ts.

import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzip,
  inflateRaw,
  inflate as inflateZlib,
} from 'node:zlib';
import { ApiError, ERRORS } from '../errors.ts';

/** The compression behind a content encoding. */
type Coding = 'gzip' | 'zlib' | 'raw' | 'br';

/** Each as one call, for small bodies, and as a stream. */
const inflaters = {
  gzip: { atOnce: promisify(gunzip), stream: createGunzip },
  zlib: { atOnce: promisify(inflateZlib), stream: createInflate },
  raw: { atOnce: promisify(inflateRaw), stream: createInflateRaw },
  br: { atOnce: promisify(brotliDecompress), stream: createBrotliDecompress },
} satisfies Record<Coding, unknown>;
/** Output of one step of a stream. */
const CHUNK_BYTES = 65_536;

/** Puts the pieces of a body together. */
export interface BodyPieces {
  /** Takes the next piece. @throws Error when there is no room for it */
  add(piece: Uint8Array): void;
  join(): Buffer;
}

class PiecesInARow implements BodyPieces {
  private readonly pieces: Uint8Array[] = [];

  add(piece: Uint8Array): void {
    this.pieces.push(piece);
  }

  join(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

/** Inflates a body that is not small, as `inflateLarge`. */
type LargeInflater = (bytes: Buffer, encoding: string | undefined, capBytes: number) => Promise<Buffer>;

/**
 * Undoes the content encoding of a body.
 * @param encoding value of the Content-Encoding header; undefined, empty and `identity` leave the bytes as they are
 * @param capBytes most bytes that may come out
 * @param inflateLarger inflates what turns out not to be small
 * @throws ApiError bodyTooLarge over the cap or for too many objects and lists, encodingUnsupported for anything but
 *   gzip, x-gzip, deflate and br, parseError
 *   for damaged bytes and for a body that is nested too deeply
 */
export async function inflate(
  bytes: Buffer,
  encoding: string | undefined,
  capBytes: number,
  inflateLarger: LargeInflater = inflateLarge,
): Promise<Buffer> {
  const coding = codingOf(encoding, bytes);
  if (coding === undefined) return bytes;
  try {
    return await inflaters[coding].atOnce(bytes, { maxOutputLength: Math.min(capBytes, SMALL_BYTES) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_BUFFER_TOO_LARGE' || capBytes <= SMALL_BYTES)
      throw inflateFailure(error as NodeJS.ErrnoException, encoding, capBytes);
  }
  return await inflateLarger(bytes, encoding, capBytes);
}

/**
 * Inflates piece by piece and checks the shape of each, so that a bad body is given up early and no large one is
 * inflated in one step.
 * @param pieces collects what comes out
 * @throws ApiError as `inflate`
 */
export async function inflateLarge(
  bytes: Buffer,
  encoding: string | undefined,
  capBytes: number,
  pieces: BodyPieces = new PiecesInARow(),
): Promise<Buffer> {
  const stream = inflaterOf(encoding, bytes);
  if (stream === undefined) return bytes;
  const shape = new ShapeCheck();
  let length = 0;
  stream.end(bytes);
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > capBytes) throw tooLargeInflated(capBytes);
      shape.read(piece);
      pieces.add(piece);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : inflateFailure(error as NodeJS.ErrnoException, encoding, capBytes);
  }
  return pieces.join();
}

/**
 * The stream that inflates the bytes written to it, or undefined if they are not compressed. @throws ApiError
 * encodingUnsupported
 */
export function inflaterOf(encoding: string | undefined, bytes: Buffer): Transform | undefined {
  const coding = codingOf(encoding, bytes);
  return coding && streamOf(coding);
}

function streamOf(coding: Coding): Transform {
  return inflaters[coding].stream({ chunkSize: CHUNK_BYTES });
}

/**
 * How bytes are compressed.
 * @param encoding value of the Content-Encoding header
 * @returns undefined if they are not compressed
 * @throws ApiError encodingUnsupported
 */
function codingOf(encoding: string | undefined, bytes: Buffer): Coding | undefined {
  const name = nameOf(encoding);
  if (name === '' || name === 'identity') return undefined;
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  if (name === 'br') return 'br';
  if (name !== 'deflate') throw new ApiError(ERRORS.encodingUnsupported);
  // `deflate` means the zlib wrapping (RFC 9110), but many clients send the bare stream. A zlib header's two bytes are
  // a multiple of 31.
  const isZlib = bytes.length >= 2 && (bytes[0] & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return isZlib ? 'zlib' : 'raw';
}

/** Turns an error of zlib into one for the client. A lack of memory is a fault of ours. */
export function inflateFailure(error: NodeJS.ErrnoException, encoding: string | undefined, capBytes: number): Error {
  const code = error.code ?? '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLargeInflated(capBytes);
  if (code === 'Z_MEM_ERROR' || code.startsWith('ERR__ERROR_ALLOC')) return error;
  return new ApiError(ERRORS.parseError, `The body does not inflate as ${nameOf(encoding)}.`);
}

/** The error of a body that is larger than the cap. */
export function tooLargeInflated(capBytes: number): ApiError {
  return new ApiError(ERRORS.bodyTooLarge, `The body is larger than ${capBytes} bytes when inflated.`);
}

function nameOf(encoding: string | undefined): string {
  return (encoding ?? '').trim().toLowerCase();
}

/**
 * Parses a JSON body. White space alone, and null, mean `{}`.
 * @throws ApiError parseError when it is not JSON, or has a key `__proto__` or `constructor.prototype`
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const text = bytes.toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    if (text.trim() === '') return {};
    throw new ApiError(ERRORS.parseError, `The body is not JSON: ${(error as SyntaxError).message}.`);
  }
  if (mayReachPrototype(text)) refusePrototypeKeys(body);
  return body ?? {};
}

/**
 * Parses an element of a list (list_scan.ts).
 * @throws ApiError parseError as `parseBody`; an empty element is none
 */
export function parseElement(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  const element = parseText(text);
  if (mayReachPrototype(text)) refusePrototypeKeys(element);
  return element;
}

/** @throws ApiError parseError */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(ERRORS.parseError, `The body is not JSON: ${(error as SyntaxError).message}.`);
  }
}

/**
 * A cheap test for suspicious text: the two names as they are, or any escaped letter, which could spell them. None
 * begins with a frequent character.
 */
function mayReachPrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u00') || text.includes('prototype');
}

/** Walks the whole body, without recursion because it may be nested deeply. */
function refusePrototypeKeys(body: unknown): void {
  const open: unknown[] = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) open.push(item);
      continue;
    }
    // Parsed values inherit nothing enumerable, so the loop sees their own keys, without an array of them for each.
    for (const key in value) {
      if (key === '__proto__') throw new ApiError(ERRORS.parseError, 'The key __proto__ is not allowed.');
      const member: unknown = (value as Record<string, unknown>)[key];
      if (typeof member !== 'object' || member === null) continue;
      if (key === 'constructor' && Object.hasOwn(member, 'prototype'))
        throw new ApiError(ERRORS.parseError, 'The key constructor is not allowed.');
      open.push(member);
    }
  }
}

/**
 * Like `parseBody`, but first checks the shape of a body that is not small.
 * @throws ApiError parseError, also for a body that is nested too deeply; bodyTooLarge for too many objects and lists
 */
export function parseChecked(bytes: Buffer): unknown {
  if (bytes.length > SMALL_BYTES) new ShapeCheck().read(bytes);
  return parseBody(bytes);
}

/** No valid body is deeper than four levels. */
const LEVELS_MAX = 64;
/**
 * The shortest entry that can be a station, `{"macAddress":"020000000001"}`, takes 30 bytes with its comma. So no body
 * of up to eight megabytes has more real entries than this.
 */
const OPENINGS_MAX = 300_000;
/** A body up to this size parses quickly, whatever it contains. */
export const SMALL_BYTES = 65_536;

const QUOTE = 34;
const BACKSLASH = 92;
// A bracket and a brace differ in this bit alone.
const BRACE_BIT = 32;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/**
 * Refuses bodies that are nested too deeply or have too many objects and lists, before they are parsed. A few kilobytes
 * can inflate to eight megabytes of brackets or of empty entries, which keep JSON.parse busy for seconds. The bytes may
 * come in pieces, so that a compressed body is refused while it is inflated.
 */
export class ShapeCheck {
  private levels = 0;
  private openings = 0;
  private isInText = false;
  /** 1 if the last piece ended with a backslash, so that the next byte belongs to it. */
  private skipped = 0;

  /**
   * Reads the next piece.
   * @throws ApiError parseError for more than 64 levels of lists and objects, bodyTooLarge for more than 300,000 of
   *   them
   */
  read(bytes: Uint8Array): void {
    let { levels, openings, isInText } = this;
    let i = this.skipped;
    for (; i < bytes.length; i++) {
      const byte = bytes[i];
      if (isInText) {
        if (byte === BACKSLASH) i++;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if ((byte | BRACE_BIT) === OPENING_BRACE) {
        if (++levels > LEVELS_MAX) throw tooDeep();
        if (++openings > OPENINGS_MAX) throw tooMany();
      } else if ((byte | BRACE_BIT) === CLOSING_BRACE) levels--;
    }
    this.levels = levels;
    this.openings = openings;
    this.isInText = isInText;
    this.skipped = i - bytes.length;
  }
}

/** The error of a body that is nested too deeply. */
export function tooDeep(): ApiError {
  return new ApiError(ERRORS.parseError, `The body is nested more than ${LEVELS_MAX} levels deep.`);
}

function tooMany(): ApiError {
  return new ApiError(ERRORS.bodyTooLarge, `The body has more than ${OPENINGS_MAX} objects and lists.`);
}

/** Puts the pieces of a body together in shared memory, which grows as they come. Threads pass it on without a copy. */
export class SharedPieces implements BodyPieces {
  private readonly memory: SharedArrayBuffer;

  /** @param capBytes most bytes */
  constructor(capBytes: number) {
    // This reserves address space only; memory is used as the body grows.
    this.memory = new SharedArrayBuffer(0, { maxByteLength: capBytes });
  }

  add(piece: Uint8Array): void {
    const start = this.memory.byteLength;
    this.memory.grow(start + piece.length);
    new Uint8Array(this.memory).set(piece, start);
  }

  join(): Buffer {
    return Buffer.from(this.memory, 0, this.memory.byteLength);
  }
}
