// /v1/country: in which country is the device? Asked like a position, and answered by it where there is one; otherwise by the networks that the device hears, where
// those are of one country only. What is contributed by the way, tracked or described stays with the routes of positions.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Country } from '../geocoding/address/address.ts';
import type { Computation } from '../pool/compute.ts';
import { countryOfAnswer } from '../protocol/answers/country.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { queryBytesOf, readQuery } from '../protocol/requests/position_query.ts';
import { checkStructure, type PositionBody } from '../protocol/requests/schema.ts';
import { LOCATE_FAILED, OBSERVATION_BYTES, REQUEST_BYTES, RESULT_STATUS } from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import type { QueryWriter } from '../radio/query/writer.ts';
import type { LargeCountry, LargeCountryAnswer } from '../tasks/large_country.ts';
import { Exchange } from './exchange.ts';
import type { Services } from './services.ts';

/** Runs in the compute workers. */
const LARGE_COUNTRY_FILE = new URL('../tasks/large_country.ts', import.meta.url);
/** Price of an answer. */
const COUNTRY_CREDITS = 1;

/** A request for a country. */
export class CountryExchange extends Exchange implements Computation {
  observations = 0;
  readonly wants = 0;
  private positionBody: PositionBody = {};
  private settle: (country: Country | undefined) => void = () => {};
  private refuse: (error: Error) => void = () => {};

  constructor(services: Services, request: FastifyRequest, reply: FastifyReply) {
    super(services, request, reply, 'country');
  }

  /** Answers `body`, the parsed JSON of the request, or its bytes where it is large. */
  async start(body: unknown): Promise<void> {
    try {
      const account = await this.admit();
      if (account === undefined) return;
      const country = await (Buffer.isBuffer(body) ? this.findElsewhere(body) : this.find(body));
      if (country === undefined) this.fail(ERRORS.notFound);
      else if (await this.services.billing.charge(account.id, COUNTRY_CREDITS)) {
        this.succeed(JSON.stringify({ country_code: country.code.toUpperCase(), country_name: country.name }));
      } else this.fail(ERRORS.creditsExceeded);
    } catch (error) {
      this.failBy(error);
    }
  }

  write(writer: QueryWriter, offset: number): void {
    readQuery(this.positionBody, this.timeMs, writer, offset);
  }

  answered(memory: QueryMemory, offset: number): void {
    if (memory.i32[(offset + RESULT_STATUS) >> 2] === LOCATE_FAILED) this.refuse(new ApiError(ERRORS.internalError));
    else this.settle(countryOfAnswer(this.positionBody, memory, offset));
  }

  private find(body: unknown): Promise<Country | undefined> {
    checkStructure(body);
    this.positionBody = body;
    this.observations = (queryBytesOf(body) - REQUEST_BYTES) / OBSERVATION_BYTES;
    return new Promise((settle, refuse) => {
      this.settle = settle;
      this.refuse = refuse;
      if (!this.services.compute.submit(this)) refuse(new ApiError(ERRORS.backendError));
    });
  }

  private async findElsewhere(bytes: Buffer): Promise<Country | undefined> {
    const task: LargeCountry = { bytes, timeMs: this.timeMs };
    const finding = this.services.compute.runElsewhere<LargeCountryAnswer>(LARGE_COUNTRY_FILE, task, bytes.length);
    if (finding === undefined) throw new ApiError(ERRORS.backendError);
    const found = await finding;
    if ('parseError' in found) throw new ApiError(ERRORS.parseError, found.parseError);
    return found.country;
  }
}
