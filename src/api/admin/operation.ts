// A route of the admin interface: one row says what a request may carry, what is answered, who may ask, and what
// answers. The server makes its route of it (server.ts), the OpenAPI document its operation (openapi.ts).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Job } from '../../jobs/job.ts';
import { ZOOM_MAX } from '../../tiles/tile_plane.ts';
import type { Admin } from './parts.ts';
import type { Schema, SHARED_ANSWERS, TypeOf } from './schema_parts.ts';

/** A request, after its schemas have accepted it. */
export interface Asked<Query = object, Body = unknown> {
  /** Number in the path; NaN where it has none. */
  id: number;
  /** Name in the path, decoded; empty where it has none. */
  name: string;
  query: Query;
  body: Body;
  /** Tag of the tenant who asks; null for everybody else. */
  tenant: string | null;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Has the owner do a job at once; a tenant's only with the keys of its tag. @throws Refused as the job says */
  run(job: Job): Promise<unknown>;
}

/** What a path may have in braces. */
export const PATH_PARAMETERS: Readonly<Record<string, { description: string; type: Schema; text: Schema }>> = {
  id: {
    description: 'Number of the key, the import, the job or the building.',
    type: { type: 'integer', minimum: 1 },
    text: { type: 'string', pattern: '^[1-9]\\d{0,15}$' },
  },
  name: {
    description:
      'Name of the station: a MAC address, UUID/MAJOR/MINOR, or RADIO-COUNTRY-NETWORK-AREA-CELL; percent-encoded.',
    type: { type: 'string' },
    text: { type: 'string', minLength: 1, maxLength: 100 },
  },
  z: { description: 'Zoom.', type: wholeTo(ZOOM_MAX), text: { type: 'string' } },
  x: { description: 'Column from the west.', type: wholeTo(2 ** ZOOM_MAX - 1), text: { type: 'string' } },
  y: { description: 'Row from the north.', type: wholeTo(2 ** ZOOM_MAX - 1), text: { type: 'string' } },
};

function wholeTo(maximum: number): Schema {
  return { type: 'integer', minimum: 0, maximum };
}

/** The parameters in a path, by name. @param form which of their schemas */
export function parametersIn(path: string, form: 'type' | 'text'): Readonly<Record<string, Schema>> {
  return Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, PATH_PARAMETERS[name][form]]));
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a row says. */
interface Row<Q, B, Answer> {
  /** Name of the operation. */
  name: string;
  summary: string;
  query?: Q;
  body?: B;
  /** The body is a file. */
  isUpload?: true;
  /** It changes nothing and begins nothing although it is no GET, so a token that only reads does. */
  isReading?: true;
  /** It needs a token also where there is only the demo: it tells what somebody did or asked, or takes work. */
  needsToken?: true;
  /** It needs no token. */
  isOpen?: true;
  /** It is about keys: a tenant may, with those of its tag. */
  isForTenants?: true;
  /** The answer is no JSON but of this media type. */
  mediaType?: string;
  /** Descriptions of errors by status, beside those that all routes have. */
  errors?: Readonly<Record<number, string>>;
  /** Status, description and schema of the answer. */
  success: readonly [status: number, description: string, answer: Answer];
  /** Answers. @throws Refused */
  answer(admin: Admin, asked: Asked<TypeOf<Q>, TypeOf<B>>): unknown;
}

/** A route. */
export interface Operation<Answer = string> extends Omit<Row<Schema, Schema, Answer>, 'answer'> {
  method: Method;
  path: string;
  answer(admin: Admin, asked: Asked): unknown;
}

/**
 * A row of the table of routes. The handler gets what the schemas accept.
 * @param line method and path, as in OpenAPI: `GET /keys/{id}`
 */
export function route<const Q extends Schema, const B extends Schema, const Answer extends string>(
  line: `${Method} /${string}`,
  row: Row<Q, B, Answer>,
): Operation<Answer> {
  const [method, path] = line.split(' ');
  return { method: method as Method, path, ...row } as Operation<Answer>;
}

/** Routes, and the schemas of their answers by name. */
export interface OperationGroup {
  answers: Readonly<Record<string, Schema>>;
  operations: readonly Operation[];
}

/** A group of routes, each with an answer of the group or one that several have. */
export function groupOf<A extends Readonly<Record<string, Schema>>>(
  answers: A,
  operations: readonly Operation<keyof A | keyof typeof SHARED_ANSWERS>[],
): OperationGroup {
  return { answers, operations: operations as readonly Operation[] };
}
