// POST / and its aliases: where is the device? Reads top-down: authenticate and admit, check the structure, locate and describe (inline or one hop away),
// compare with where the device was, charge or contribute, reply; the log follows the reply.
//
// A request with a fix of age 0 and a cell or an access point contributes: it costs nothing, whether a position is found or not, and is answered once
// the report is stored. One that the rules of intake refuse is a request like any other.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { keepsState } from '../accounts/options.ts';
import type { Computation } from '../pool/compute.ts';
import { radiusFactor } from '../positioning/estimates/confidence.ts';
import type { Tail } from '../positioning/estimates/estimate.ts';
import { ADDRESS_CREDITS, type AddressTerms, mayWant, wantsOf } from '../protocol/answers/description.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { queryBytesOf, type ReadOutcome, readQuery } from '../protocol/requests/position_query.ts';
import { checkStructure, type PositionBody } from '../protocol/requests/schema.ts';
import { fallbackName } from '../radio/fallbacks.ts';
import { type PlaceTexts, readTexts } from '../radio/query/answer.ts';
import {
  LOCATE_FAILED,
  LOCATE_FOUND,
  OBSERVATION_BYTES,
  REQUEST_BYTES,
  RESULT_ACCURACY,
  RESULT_AT_68,
  RESULT_AT_95,
  RESULT_FALLBACK,
  RESULT_LATITUDE,
  RESULT_LONGITUDE,
  RESULT_SOURCES,
  RESULT_STATUS,
} from '../radio/query/layout.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import type { QueryWriter } from '../radio/query/writer.ts';
import { numberOf } from '../radio/read_value.ts';
import type { LargeAnswer, LargeBody } from '../tasks/large_position.ts';
import { type Packed, packPosition } from '../tasks/pack_reports.ts';
import { contribute, senderOf } from './contribution.ts';
import { Exchange } from './exchange.ts';
import { follow, saysWhereItWas } from './follow.ts';
import type { Services } from './services.ts';

/** Price of an answered position. */
const POSITION_CREDITS = 1;

/** Runs in the compute workers. */
const LARGE_BODY_FILE = new URL('../tasks/large_position.ts', import.meta.url);

/** A request for a position. */
export class PositionExchange extends Exchange implements Computation {
  observations = 0;
  wants = 0;
  private positionBody: PositionBody | undefined;
  private outcome: ReadOutcome | undefined;
  /** The report of a large body. */
  private packed: Packed = [];
  private isFound = false;
  private latitude = 0;
  private longitude = 0;
  private accuracyMetres = 0;
  private tail: Tail = { at68: 1, at95: 1 };
  private sources = 0;
  /** m/s since the last location, where one is known. */
  private speed: number | undefined;
  private fallback: string | undefined;
  private description: PlaceTexts | undefined;

  constructor(services: Services, request: FastifyRequest, reply: FastifyReply, route: 'position' | 'compact' = 'position') {
    super(services, request, reply, route);
  }

  /** Answers `body`, the parsed JSON of the request. */
  start(body: unknown): void {
    try {
      const admitted = this.admit();
      if (admitted instanceof Promise) {
        admitted.then(
          account => account && this.locate(body),
          error => this.failBy(error),
        );
      } else if (admitted !== undefined) this.locate(body);
    } catch (error) {
      this.failBy(error);
    }
  }

  write(writer: QueryWriter, offset: number): void {
    this.outcome = readQuery(this.positionBody!, this.timeMs, writer, offset, this.wants);
  }

  answered(memory: QueryMemory, offset: number): void {
    const status = memory.i32[(offset + RESULT_STATUS) >> 2];
    if (status === LOCATE_FOUND) {
      this.isFound = true;
      this.latitude = memory.f64[(offset + RESULT_LATITUDE) >> 3];
      this.longitude = memory.f64[(offset + RESULT_LONGITUDE) >> 3];
      this.accuracyMetres = memory.f64[(offset + RESULT_ACCURACY) >> 3];
      this.tail = { at68: memory.f32[(offset + RESULT_AT_68) >> 2], at95: memory.f32[(offset + RESULT_AT_95) >> 2] };
      this.sources = memory.u32[(offset + RESULT_SOURCES) >> 2];
      this.fallback = fallbackName(memory.u32[(offset + RESULT_FALLBACK) >> 2]);
      this.description = readTexts(memory, offset);
    } else if (status === LOCATE_FAILED) {
      this.fail(ERRORS.internalError);
      return;
    }
    if (saysWhereItWas(this.outcome!, memory, offset) && !this.follow(memory, offset)) return;
    if (this.outcome!.contributes && this.contribute()) return;
    if (this.isFound) this.charge(POSITION_CREDITS);
    else this.fail(ERRORS.notFound);
  }

  /** A request that may contribute may turn out to cost nothing; of a large body nobody knows yet. */
  protected override isFree(): boolean {
    const body = this.request.body as PositionBody | Buffer | null | undefined;
    return Buffer.isBuffer(body) || numberOf(body?.gps?.age) === 0;
  }

  /** What decides about an address where the request does not; undefined where none is ever answered. */
  protected get addressTerms(): AddressTerms | undefined {
    const { id, address } = this.account!;
    const price = (this.isFree() ? 0 : POSITION_CREDITS) + ADDRESS_CREDITS;
    return { byDefault: address, isCovered: this.services.billing.covers(id, price) };
  }

  protected success(logId: number): string {
    const { gps, credits, expires, confidence, timestampMs } = this.outcome!;
    const { id, expires: expiryDay } = this.account!;
    const radiusMetres = this.accuracyMetres * radiusFactor(confidence, this.tail);
    let text = `{"location":{"lat":${degrees(this.latitude)},"lng":${degrees(this.longitude)}},"accuracy":${Math.max(1, Math.round(radiusMetres))}`;
    if (gps?.heading !== undefined) text += `,"heading":${gps.heading}`;
    if (gps?.altitude !== undefined) text += `,"altitude":${gps.altitude}`;
    if (gps?.speed !== undefined) text += `,"speed":${gps.speed}`;
    if (this.speed !== undefined) text += `,"calculatedSpeed":${Math.round(this.speed)}`;
    if (this.description?.geoname !== undefined) text += `,"geoname":${this.description.geoname}`;
    if (this.description?.address !== undefined) text += `,"address":${this.description.address}`;
    if (this.fallback !== undefined) text += `,"fallback":"${this.fallback}"`;
    const balance = credits ? this.services.billing.balance(id) : undefined;
    if (balance !== undefined) text += `,"credits":${balance}`;
    if (expires && expiryDay !== undefined) text += `,"expires":"${expiryDay}"`;
    if (this.deviceId !== undefined && keepsState(this.account!)) {
      const state = { accountId: id, deviceId: this.deviceId, timeMs: timestampMs, sources: this.sources, ...this.position };
      text += `,"state":"${this.services.states.seal(state)}"`;
    }
    return `${text},"logId":${logId}}`;
  }

  protected get position(): { latitude: number; longitude: number; accuracyMetres: number } {
    return { latitude: this.latitude, longitude: this.longitude, accuracyMetres: this.accuracyMetres };
  }

  private locate(body: unknown): void {
    if (Buffer.isBuffer(body)) {
      this.locateElsewhere(body);
      return;
    }
    try {
      checkStructure(body);
      this.positionBody = body;
      this.observations = (queryBytesOf(body) - REQUEST_BYTES) / OBSERVATION_BYTES;
      if (mayWant(body, this.account!.address)) this.wants = wantsOf(body, this.addressTerms);
      if (!this.services.compute.submit(this)) this.fail(ERRORS.backendError);
    } catch (error) {
      this.failBy(error);
    }
  }

  /** A large body goes to a worker whole. */
  private locateElsewhere(bytes: Buffer): void {
    const { intake } = this.services;
    const sender = senderOf(intake, this.account!, this.deviceId, this.timeMs);
    const task: LargeBody = { bytes, sender, terms: this.addressTerms, tally: intake.tallyMemory };
    const answer = this.services.compute.runElsewhere<LargeAnswer>(LARGE_BODY_FILE, task, bytes.length);
    if (answer === undefined) {
      this.fail(ERRORS.backendError);
      return;
    }
    answer
      .then(found => {
        if ('parseError' in found) throw new ApiError(ERRORS.parseError, found.parseError);
        this.outcome = found.outcome;
        this.packed = found.packed;
        this.answered(new QueryMemory(found.result.slice().buffer), 0);
      })
      .catch(error => this.failBy(error));
  }

  /** Compares with where the device was. @returns false when the request was answered with an error; a position that is refused is not found */
  private follow(memory: QueryMemory, offset: number): boolean {
    const now = this.isFound ? { ...this.position, timeMs: this.outcome!.timestampMs } : undefined;
    const followed = follow(this.services.states, this.account!, this.deviceId, this.outcome!, memory, offset, now);
    if (followed === 'tooFast') this.isFound = false;
    else if (followed === 'foreign') this.fail(ERRORS.settingsKeyInvalid);
    else this.speed = followed;
    return followed !== 'foreign';
  }

  /** Stores the report before the answer. @returns false when the rules refuse it: then the request is one like any other */
  private contribute(): boolean {
    const { intake } = this.services;
    const account = this.account!;
    const packed =
      this.positionBody === undefined
        ? this.packed
        : packPosition(this.positionBody, senderOf(intake, account, this.deviceId, this.timeMs), intake.tally);
    if (packed.length === 0) return false;
    contribute(intake, account, packed).then(
      () => (this.isFound ? this.charge(0) : this.fail(ERRORS.notFound)),
      error => this.failBy(error),
    );
    return true;
  }

  /** @param price of the position itself */
  private charge(price: number): void {
    const sum = price + (this.description?.address === undefined ? 0 : ADDRESS_CREDITS);
    const charged = sum === 0 || this.services.billing.charge(this.account!.id, sum);
    if (charged instanceof Promise) {
      charged.then(
        paid => this.finish(paid, price),
        error => this.failBy(error),
      );
    } else this.finish(charged, price);
  }

  private finish(paid: boolean, price: number): void {
    if (paid) this.answerFound();
    else if (this.description?.address !== undefined) {
      // Others have spent what was there: the address is left out.
      this.description = { ...this.description, address: undefined };
      this.charge(price);
    } else this.fail(ERRORS.creditsExceeded);
  }

  private answerFound(): void {
    this.logId = this.services.logIds.next();
    this.send(200, this.success(this.logId));
  }
}

/** Seven decimals: a centimetre. */
function degrees(angle: number): number {
  return Math.round(angle * 1e7) / 1e7;
}
