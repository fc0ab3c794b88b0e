// What the body of a request for a position may hold, by the OpenAPI document: for completion, and for remarks about
// what was typed. The service decides what it takes; values that it leaves out are remarked on, not refused.

import document from '../../../../build/console_schema.json';

/** A part of the document. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

/** Where a value is: names of members and places in lists. */
export type Path = readonly (string | number)[];

/** A remark about a value. */
interface Remark {
  path: Path;
  text: string;
}

const SCHEMAS = document.schemas as unknown as Readonly<Record<string, Schema>>;

/** What an alternative or a reference stands for: all schemas that a value may have. */
function alternativesOf(schema: Schema): Schema[] {
  if (schema.$ref !== undefined) return alternativesOf(SCHEMAS[schema.$ref.split('/').at(-1)!]);
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(alternativesOf);
  return [schema, ...parts];
}

/** The schemas of the value at a path; none where the document says nothing. */
function schemasAt(path: Path): Schema[] {
  let schemas = alternativesOf(SCHEMAS[document.request]);
  for (const step of path)
    schemas = schemas
      .map(schema => (typeof step === 'number' ? schema.items : schema.properties?.[step]))
      .filter(found => found !== undefined)
      .flatMap(alternativesOf);
  return schemas;
}

/** The members that the object at a path may have. */
export function membersAt(path: Path): ReadonlyMap<string, Schema> {
  return new Map(schemasAt(path).flatMap(({ properties = {} }) => Object.entries(properties)));
}

/** The values that the document lists for a path. */
export function valuesAt(path: Path): unknown[] {
  return schemasAt(path).flatMap(schema => {
    if (schema.enum !== undefined) return [...schema.enum];
    if ('const' in schema) return [schema.const];
    return schema.type === 'boolean' ? [true, false] : [];
  });
}

/** The beginning of a value, for a member that is completed. */
export function skeletonOf(schema: Schema): string {
  const types = alternativesOf(schema).flatMap(({ type }) => type ?? []);
  if (types.includes('array')) return '[]';
  if (types.includes('object')) return '{}';
  return types.includes('string') && !types.includes('integer') && !types.includes('number') ? '""' : '';
}

/** What may be said about a value and what is in it. */
export function remarksOf(value: unknown, path: Path = []): Remark[] {
  const schemas = schemasAt(path).filter(schema => schema.type !== undefined || schema.enum !== undefined);
  const own = schemas.length === 0 || schemas.some(schema => fits(value, schema)) ? [] : [misfit(schemas, path)];
  if (Array.isArray(value)) return [...own, ...value.flatMap((each, i) => remarksOf(each, [...path, i]))];
  if (typeof value !== 'object' || value === null) return own;
  const members = membersAt(path);
  const inner = Object.entries(value).flatMap(([name, each]) =>
    members.size > 0 && !members.has(name)
      ? [{ path: [...path, name], text: `The service does not know ${name}, and ignores it.` }]
      : remarksOf(each, [...path, name]),
  );
  return [...own, ...inner];
}

function misfit(schemas: readonly Schema[], path: Path): Remark {
  return { path, text: `It should be ${schemas.map(describe).join(' or ')}.` };
}

function fits(value: unknown, { type, enum: listed, minimum, maximum }: Schema): boolean {
  if (listed !== undefined) return listed.includes(value);
  const types = ([] as unknown[]).concat(type);
  if (!types.includes(typeOf(value)) && !(types.includes('number') && typeof value === 'number')) return false;
  return typeof value !== 'number' || (value >= (minimum ?? value) && value <= (maximum ?? value));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function describe({ type, enum: listed, minimum, maximum }: Schema): string {
  if (listed !== undefined) return listed.map(each => JSON.stringify(each)).join(', ');
  const names = ([] as unknown[]).concat(type).join(' or ');
  if (minimum === undefined && maximum === undefined) return `of the type ${names}`;
  return `a number from ${minimum ?? 'the least'} to ${maximum ?? 'the largest'}`;
}
