// What the JSON schemas of the admin interface are made of.

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

export const TEXT = { type: 'string' };
export const FLAG = { type: 'boolean' };
/** 0 or more. */
export const COUNT = { type: 'integer', minimum: 0 };
export const NUMBER = { type: 'number' };
export const ID = { type: 'integer', minimum: 1 };
export const TIME = { type: 'string', format: 'date-time' };
export const DAY = { type: 'string', format: 'date' };

/** An object with these members and no others. */
export function closed(properties: Schema, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** An object of an answer: members may come later. */
export function open(properties: Schema, required: readonly string[] = Object.keys(properties)): Schema {
  return { type: 'object', properties, required };
}

/** A list of such values. */
export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}
