// What the JSON schemas of the admin interface are made of, and what a handler may take of a value that one has
// accepted.

import { line } from '../../config/values.ts';
import { membersOf } from '../../protocol/json_schema.ts';

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

export const TEXT = { type: 'string' } as const;
export const FLAG = { type: 'boolean' } as const;
/** 0 or more. */
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const NUMBER = { type: 'number' } as const;
export const ID = { type: 'integer', minimum: 1 } as const;
export const TIME = { type: 'string', format: 'date-time' } as const;
export const DAY = { type: 'string', format: 'date' } as const;
/** A parameter that is set or absent. */
export const SET = { type: 'string', const: 'true' } as const;

declare const MEMBERS: unique symbol;
/** The schema of an object, which remembers its members for `TypeOf`. */
type ObjectSchema<M> = Schema & { readonly [MEMBERS]: M };

/** An object with these members and no others; one whose name ends in a question mark may be absent. */
export function closed<const M extends Schema>(members: M): ObjectSchema<M> {
  return { ...open(members), additionalProperties: false } as unknown as ObjectSchema<M>;
}

/** An object of an answer: members may come later. */
export function open(members: Schema): Schema {
  return { type: 'object', ...membersOf(members) };
}

/** Members that may be absent. */
export function optional(members: Schema): Schema {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [`${name.replace('?', '')}?`, schema]));
}

/** A list of such values. */
export function listOf<const I extends Schema>(items: I): { type: 'array'; items: I } {
  return { type: 'array', items };
}

/** The type of a value that a schema has accepted. */
export type TypeOf<S> = S extends { readonly [MEMBERS]: infer M }
  ? { [N in keyof M as N extends `${string}?` ? never : N]: TypeOf<M[N]> } & {
      [N in keyof M as N extends `${infer Name}?` ? Name : never]?: TypeOf<M[N]>;
    }
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { const: infer C }
      ? C
      : S extends { anyOf: readonly (infer A)[] }
        ? TypeOf<A>
        : S extends { type: 'array'; items: infer I }
          ? TypeOf<I>[]
          : S extends { type: keyof Plain }
            ? Plain[S['type']]
            : unknown;

/** Types by their names in schemas. */
interface Plain {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  null: null;
  object: object;
}

/** The number of a key in a query, where nothing is converted. */
export const KEY_DIGITS = { type: 'string', pattern: '^[1-9]\\d{0,6}$', 'x-must': 'the number of a key' } as const;

/** Parameters of what a command does only with a flag. */
export const FORCE = closed({ 'force?': { ...SET, description: 'As the flag `--force` of the command.' } });

/** The same for a job. */
export function forced({ force }: { force?: 'true' }): { force?: true } {
  return force === undefined ? {} : { force: true };
}

/** The body of what ends the old for a new one. */
export const OVERLAP = closed({ overlapSeconds: { type: 'integer', minimum: 0, maximum: 31_622_400 } });

/** How far something has come that takes long. */
export const STEPS = {
  'percent?': { ...COUNT, maximum: 100, description: 'Of the receipt or of the phase; absent where nobody knows.' },
  'progress?': open({
    phase: TEXT,
    rows: COUNT,
    bytesDone: COUNT,
    bytesTotal: COUNT,
    'secondsLeft?': { type: 'number' },
  }),
  'result?': { type: 'object', description: 'As the command prints it.' },
  'error?': TEXT,
} as const;

/** Answers of several groups of routes. */
export const SHARED_ANSWERS = {
  Error: open({
    error: { ...TEXT, description: 'A sentence.' },
    'parameter?': { ...TEXT, description: 'Name of the parameter, or member of the body, that is wrong.' },
  }),
  Job: open({ id: ID, verb: TEXT, state: { enum: ['running', 'done', 'failed'] }, ...STEPS }),
  Tile: { description: 'A Mapbox vector tile, version 2.1; docs/admin.md lists its layers.' },
} as const;

/** Name of an import. */
export const SOURCE_NAME = line(100);
/** A body that names one. */
export const NAMED = closed({ name: SOURCE_NAME });
