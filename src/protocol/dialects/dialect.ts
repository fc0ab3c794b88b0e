// What a dialect is: the interface of another service, which programs already speak. A dialect maps its requests to
// questions of ours and our answers to its form, and has errors of its own. It knows nothing of keys, limits, charges,
// positions and places: the question takes the way of every other request (src/api/dialects.ts).

import type { OsmObject } from '../../geocoding/lookup/object_index.ts';
import type { ReverseQuestion } from '../../geocoding/reverse/hit.ts';
import type { SearchQuestion } from '../../geocoding/search/question.ts';
import type { ErrorRow, Wording } from '../errors.ts';
import type { Schema } from '../json_schema.ts';
import type { CellArea, CellsInArea } from '../requests/cell_area.ts';
import type { PositionBody } from '../requests/schema.ts';

/** A request, as a dialect reads it. */
export interface DialectRequest {
  /** Path and query, without a key in the path. */
  readonly url: string;
  /** Value of the Accept-Language header. */
  readonly languages: string | undefined;
  /** The body, inflated; empty without one. */
  readonly bytes: Buffer;
}

/** A position, as the service answers it. */
export interface AnsweredPosition {
  location: { lat: number; lng: number };
  accuracy: number;
  fallback?: string;
  credits?: number;
  address?: Readonly<Record<string, string>>;
}

/** A place, as the service answers it with `format=jsonv2`, an address and all names. */
export interface AnsweredPlace {
  place_id?: number;
  licence: string;
  osm_type?: 'node' | 'way' | 'relation';
  osm_id?: number;
  lat: string;
  lon: string;
  category: string;
  type: string;
  place_rank: number;
  importance: number;
  addresstype: string;
  name: string;
  display_name: string;
  address: Readonly<Record<string, string>>;
  namedetails: Readonly<Record<string, string>>;
  /** South, north, west, east. */
  boundingbox: readonly [string, string, string, string];
}

/** A text, or an error. */
type Written = string | ErrorRow;

/** What a request asks for, and how its answer is written. */
export type Asked = {
  /** The key in the body, of clients that send it there. */
  key?: string | undefined;
  /** The answer is also sent to the service that the operator has named for it. */
  isForwarded?: true;
  /** Content type of a success, where it differs from that of errors. */
  contentType?: string;
} & (
  | { position: PositionBody; write(answer: AnsweredPosition): Written }
  | { reverse: ReverseQuestion; write(places: readonly AnsweredPlace[]): Written }
  | { search: SearchQuestion; write(places: readonly AnsweredPlace[]): Written }
  | {
      objects: readonly OsmObject[];
      languages: readonly string[];
      write(places: readonly AnsweredPlace[]): Written;
    }
  | { cells: CellArea; write(found: CellsInArea): Written }
  /** @param reports items of a batch @param stored the answer when all is stored */
  | { reports: readonly object[]; stored: string }
  /** @param builtAt of the places, ISO 8601; undefined if there are none */
  | { status(builtAt: string | undefined, version: string): Written }
);

/** A route of a dialect. */
export interface DialectRoute {
  readonly method: 'GET' | 'POST';
  /** The first stands in the documents; the others are the same. */
  readonly paths: readonly string[];
  /** Name of the route in the log. */
  readonly logged: 'position' | 'search' | 'reverse' | 'status' | 'submit' | 'cells';
  /**
   * Which requests to a path of our own are meant for this route.
   * @param url path and query
   */
  readonly instead?: { readonly path: string; isMeant(url: string): boolean };
  /** @throws ApiError when the request cannot be understood */
  read(request: DialectRequest): Asked;
  readonly operation: DialectOperation;
}

/** A route in the OpenAPI document. */
export interface DialectOperation {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Schema[];
  /** Content by type. */
  readonly body?: Readonly<Record<string, Schema>>;
  /** Of a success, by content type. */
  readonly success: Readonly<Record<string, Schema>>;
  /** It needs no key. */
  readonly isOpen?: true;
}

/** A dialect. */
export interface Dialect {
  /** As programs call it. */
  readonly title: string;
  /** Content type and form of its errors. */
  readonly wording: Wording;
  readonly error: Schema;
  /** Types of its errors, where the request chooses. */
  readonly errorTypes?: readonly string[];
  /** Schemas of its answers, by names of the whole document. */
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly routes: readonly DialectRoute[];
}

/** Content type of JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';
