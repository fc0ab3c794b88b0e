// Writes the body of a positioning request as a query and reads the result as plain values, in an HTTP thread or in a
// compute worker.

import type { Answerer } from '../answer/answerer.ts';
import type { Query } from '../pool/messages.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { parseChecked } from '../protocol/requests/body.ts';
import {
  observationsOf,
  type ReadOutcome,
  readQuery,
  readScanned,
  ScannedBody,
} from '../protocol/requests/position_query.ts';
import { checkStructure, type PositionBody } from '../protocol/requests/schema.ts';
import {
  type FoundPosition,
  isFailed,
  isFound,
  isRefused,
  type PlaceTexts,
  readFound,
  readGuesses,
  readNextTrack,
  readTexts,
} from '../radio/query/answer.ts';
import type { LeftOut } from '../radio/query/left_out.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { lastLocationAt, type TimedPosition } from '../radio/query/reader.ts';
import { QueryWriter, queryBytes } from '../radio/query/writer.ts';
import type { DeviceState } from '../tracking/state_token.ts';

/** An answered query. */
export interface Located {
  outcome: ReadOutcome;
  /** The query could not be answered: a table is damaged, or the query killed two workers. The operator was told. */
  isFailed: boolean;
  /** The last location that the request names. */
  lastLocation: TimedPosition | undefined;
  /** The account may guess no more, so nothing was located. */
  isRefused: boolean;
  /**
   * Guesses of the account: wrong ones that were not noted before, and parts of the answer that rest on two devices.
   */
  guesses: number;
  /** Undefined where nothing was found. */
  position: FoundPosition | undefined;
  /** Town, address and building of the position. */
  texts: PlaceTexts;
  /** The state that the device sent, where it was opened before. */
  state: DeviceState | undefined;
  /** What the next state of a tracked device holds of how it moves; undefined where that is not known. */
  track: Uint8Array | undefined;
}

/** The query of one body. */
export class PositionQuery implements Query<Located> {
  readonly observations: number;
  readonly wants: number;
  private readonly body: PositionBody | ScannedBody;
  private readonly arrivalMs: number;
  private readonly state: DeviceState | undefined;
  private readonly leftOut: LeftOut[] | undefined;
  private readonly asker: number;
  private outcome: ReadOutcome | undefined;

  /**
   * @param arrivalMs milliseconds since 1970
   * @param wants WANTS_* bits
   * @param asker who asks, from `askerOf`; 0 = the operator, who does not guess
   * @param state of the device, as far as it is known yet
   * @param leftOut where entries are noted that are left out, of a body that is not scanned
   */
  constructor(
    body: PositionBody | ScannedBody,
    arrivalMs: number,
    wants: number,
    asker: number,
    state?: DeviceState,
    leftOut?: LeftOut[],
  ) {
    this.asker = asker;
    this.body = body;
    this.leftOut = leftOut;
    this.arrivalMs = arrivalMs;
    this.state = state;
    this.wants = wants;
    this.observations = body instanceof ScannedBody ? body.observations : observationsOf(body);
  }

  write(writer: QueryWriter, offset: number): void {
    const { body, arrivalMs, wants, asker, state, leftOut } = this;
    const options = { wants, asker, track: state?.track, leftOut };
    this.outcome =
      body instanceof ScannedBody
        ? readScanned(body, arrivalMs, writer, offset, options)
        : readQuery(body, arrivalMs, writer, offset, options);
  }

  read(memory: QueryMemory, offset: number): Located {
    return {
      outcome: this.outcome!,
      isFailed: isFailed(memory, offset),
      lastLocation: lastLocationAt(memory, offset),
      position: isFound(memory, offset) ? readFound(memory, offset) : undefined,
      isRefused: isRefused(memory, offset),
      guesses: readGuesses(memory, offset),
      texts: readTexts(memory, offset),
      state: this.state,
      track: readNextTrack(memory, offset),
    };
  }
}

/** Parses a large body. @throws ApiError parseError */
export function parsePosition(bytes: Uint8Array): PositionBody {
  const body = parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  checkStructure(body);
  return body;
}

/** The result as it is. @throws ApiError strayLimitExceeded where the account may guess no more */
export function orRefuse<L extends Located>(located: L): L {
  if (located.isRefused) throw new ApiError(ERRORS.strayLimitExceeded);
  return located;
}

/** Answers one query in its own memory. @throws Error when a table is damaged; ApiError strayLimitExceeded */
export function locateAlone(answerer: Answerer, query: PositionQuery): Located {
  const memory = new QueryMemory(new ArrayBuffer(queryBytes(query.observations, query.wants)));
  query.write(new QueryWriter(memory), 0);
  answerer.answer(memory, 0);
  return orRefuse(query.read(memory, 0));
}
