// What a route of the admin interface is: a row of the tables of routes (operations.ts).

import type { Job, KeySettings } from '../../jobs/job.ts';
import type { PositionBody } from '../../protocol/requests/schema.ts';
import { ZOOM_MAX } from '../../tiles/tile_plane.ts';
import type { Explainer } from './explain.ts';
import type { Forgettable, Jobs } from './jobs.ts';
import type { LogQuery } from './log_search.ts';
import type { Schema } from './schema_parts.ts';
import type { ANSWERS } from './schemas.ts';

/** What a request of a route carries, after its schemas have accepted it. */
export interface AdminRequest {
  /** Number in the path; NaN where it has none. */
  id: number;
  /** Name in the path, decoded; empty where it has none. */
  name: string;
  query: {
    force?: 'true';
    from?: string;
    to?: string;
    kind?: string;
    format?: string;
    source?: string;
    replace?: 'true';
    quick?: 'true';
    key?: string;
    after?: string;
    hours?: string;
    degrees?: string;
    floor?: string;
    radio?: string;
    learned?: 'true';
    seenAfter?: string;
  } & LogQuery;
  body: {
    keys?: number;
    storageMb?: number;
    credits?: number;
    overlapSeconds?: number;
    name?: string;
    tag?: string;
    token?: string;
  } & KeySettings &
    Forgettable &
    PositionBody;
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

/** Rows of the table of routes, by method and path (`GET /keys/{id}`, as in OpenAPI), in the order of the document. */
export type Routes = Readonly<Record<`${Operation['method']} /${string}`, Omit<Operation, 'method' | 'path'>>>;

/** A route. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Name of the operation. */
  name: string;
  summary: string;
  query?: Schema;
  body?: Schema;
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
  success: readonly [status: number, description: string, answer: keyof typeof ANSWERS];
  /** The job of the route; a route without it, `read` or `explain` is answered by the server itself. */
  job?(request: AdminRequest): Job;
  /** Reads the answer from the data folder. @throws Refused */
  read?(folder: string, request: AdminRequest): Promise<object>;
  /** Begins a job of the interface. @throws Refused */
  begin?(jobs: Jobs, request: AdminRequest): object;
  /** Explains an answer. @throws Refused */
  explain?(
    explainer: Explainer,
    request: Pick<AdminRequest, 'id' | 'body'> & {
      /** As they were sent: the readers of the public routes read them. */
      parameters: string;
    },
  ): Promise<object>;
  /** The job takes long, so it is only begun. */
  isLong?: true;
}
