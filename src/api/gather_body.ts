// Collects the body of a request, which may be large, piece by piece. Many megabytes are never copied at once, because
// all other requests would wait. A small body ends up in a buffer of its own. A large one grows in shared memory, which
// a compute worker reads in place, so handing it over costs nothing. What a body takes is counted as it grows
// (body_memory.ts). One for which there is no room is read to its end but not kept, so that its sender gets the answer.

import type { Readable } from 'node:stream';
import { OWNER_UNKNOWN } from '../pool/overflow_room.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import {
  type BodyPieces,
  inflate,
  inflateFailure,
  inflateLarge,
  inflaterOf,
  SharedPieces,
  tooLargeInflated,
} from '../protocol/requests/body.ts';
import type { BodyHold } from './body_memory.ts';
import type { RouteContext } from './exchange.ts';
import { runTask } from './hop.ts';

/** How long a client may take to send a body. */
interface BodyTime {
  milliseconds: number;
  /** From the last bytes that came; otherwise from the head of the request. */
  sinceLastBytes: boolean;
}

/** A body of a query must be complete after this. */
const QUERY_MILLISECONDS = 60_000;
/**
 * Batches are large, and some devices have slow uplinks: they only must not stand still for so long. The server's own
 * limit is an hour.
 */
const STANDSTILL_MILLISECONDS = 60_000;
const QUERY_TIME: BodyTime = { milliseconds: QUERY_MILLISECONDS, sinceLastBytes: false };
const BATCH_TIME: BodyTime = { milliseconds: STANDSTILL_MILLISECONDS, sinceLastBytes: true };

/**
 * Reads the body of a batch and undoes its content encoding.
 * @param capBytes most bytes, both as sent and inflated
 * @param largeBytes bodies with more bytes go to shared memory
 * @param hold counts its memory
 * @throws ApiError bodyTooLarge, requestTimeout, encodingUnsupported, parseError for damaged or truncated bytes, or
 *   backendError when there is no room
 */
export async function gatherBody(
  source: Readable,
  encoding: string | undefined,
  capBytes: number,
  largeBytes: number,
  hold?: BodyHold,
): Promise<Buffer> {
  const sent = await gatherSent(source, capBytes, largeBytes, hold, BATCH_TIME);
  const inflater = sent.length === 0 ? undefined : inflaterOf(encoding, sent);
  if (inflater === undefined) return sent;
  inflater.end(sent);
  try {
    return await gather(inflater, capBytes, new Pieces(capBytes, largeBytes, hold, sent.length), () =>
      tooLargeInflated(capBytes),
    );
  } catch (error) {
    inflater.destroy();
    throw error instanceof ApiError ? error : inflateFailure(error as NodeJS.ErrnoException, encoding, capBytes);
  }
}

/**
 * Reads the body of a query. Its shape is checked while it is inflated (protocol/requests/body.ts), in a worker if
 * there is one and the body is not small.
 * @param capBytes most bytes, both as sent and inflated
 * @param largeBytes bodies with more bytes go to shared memory
 * @param hold counts its memory
 * @throws ApiError as `gatherBody` and `inflate`
 */
export async function gatherQuery(
  { compute }: Pick<RouteContext, 'compute'>,
  source: Readable,
  encoding: string | undefined,
  capBytes: number,
  largeBytes: number,
  hold: BodyHold,
): Promise<Buffer> {
  const sent = await gatherSent(source, capBytes, largeBytes, hold, QUERY_TIME);
  if (encoding === undefined || sent.length === 0) return sent;
  return await inflate(sent, encoding, capBytes, async () => {
    if (!compute.hasWorkers)
      return await inflateLarge(sent, encoding, capBytes, new Pieces(capBytes, largeBytes, hold, sent.length));
    // The key is read after the body.
    const bytes = await runTask(compute, OWNER_UNKNOWN, 'inflate', { bytes: sent, encoding, capBytes }, sent.length);
    // Until here it counts as memory of the worker, which inflates one body at a time.
    hold.growTo(sent.length + bytes.length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  });
}

async function gatherSent(
  source: Readable,
  capBytes: number,
  largeBytes: number,
  hold: BodyHold | undefined,
  time: BodyTime,
): Promise<Buffer> {
  try {
    return await gather(
      source,
      capBytes,
      new Pieces(capBytes, largeBytes, hold, 0),
      () => new ApiError(ERRORS.bodyTooLarge),
      time,
    );
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(ERRORS.parseError, 'The body breaks off.');
  }
}

/**
 * Collects a stream.
 * @throws the stream's own error, that of the pieces, `tooLarge()` as soon as there are more bytes than the cap, or
 *   ApiError requestTimeout
 */
function gather(
  source: Readable,
  capBytes: number,
  pieces: Pieces,
  tooLarge: () => Error,
  time?: BodyTime,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let refusal: Error | undefined;
    const onTimeout = (): void => {
      leave();
      pieces.drop();
      reject(new ApiError(ERRORS.requestTimeout));
    };
    const timer = time && setTimeout(onTimeout, time.milliseconds);
    const leave = (): void => {
      clearTimeout(timer);
      source.off('data', onData).off('end', onEnd).off('error', onError);
    };
    const onData = (piece: Uint8Array): void => {
      if (time?.sinceLastBytes) timer?.refresh();
      if (refusal !== undefined) return;
      if (pieces.length + piece.length > capBytes) {
        leave();
        reject(tooLarge());
        return;
      }
      try {
        pieces.add(piece);
      } catch (error) {
        refusal = error as Error;
        pieces.drop();
      }
    };
    const onEnd = (): void => {
      leave();
      if (refusal === undefined) resolve(pieces.join());
      else reject(refusal);
    };
    const onError = (error: Error): void => {
      leave();
      reject(refusal ?? error);
    };
    source.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** The pieces of a body: in a list, or copied into shared memory once they are many bytes. */
class Pieces implements BodyPieces {
  length = 0;
  private readonly capBytes: number;
  private readonly largeBytes: number;
  private readonly hold: BodyHold | undefined;
  private readonly earlierBytes: number;
  private pieces: Uint8Array[] = [];
  private shared: SharedPieces | undefined;

  /** @param earlierBytes that the hold already covers */
  constructor(capBytes: number, largeBytes: number, hold: BodyHold | undefined, earlierBytes: number) {
    this.capBytes = capBytes;
    this.largeBytes = largeBytes;
    this.hold = hold;
    this.earlierBytes = earlierBytes;
  }

  /** Takes the next piece. @throws ApiError backendError when there is no room */
  add(piece: Uint8Array): void {
    const length = this.length + piece.length;
    this.hold?.growTo(this.earlierBytes + length);
    this.length = length;
    if (this.shared === undefined && length <= this.largeBytes) {
      this.pieces.push(piece);
      return;
    }
    this.shared ??= new SharedPieces(this.capBytes);
    for (const earlier of this.pieces) this.shared.add(earlier);
    this.pieces.length = 0;
    this.shared.add(piece);
  }

  join(): Buffer {
    return this.shared === undefined ? Buffer.concat(this.pieces, this.length) : this.shared.join();
  }

  /** Keeps nothing. */
  drop(): void {
    this.pieces = [];
    this.shared = undefined;
    this.hold?.release();
  }
}
