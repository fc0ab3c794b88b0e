// Checks the values of a scan line one by one. An invalid value ends the reading, because the figures of half a file
// would be those of another set.

/** A parsed line that is not checked yet. */
export type Line = Readonly<Record<string, unknown>>;

/** A number in a range. @throws Error naming the member */
export function numberOf(value: unknown, name: string, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most))
    throw new Error(`${name} must be a number from ${least} to ${most}, not ${JSON.stringify(value)}.`);
  return value;
}

/** A number in a range; undefined if the value is null or missing. @throws Error naming the member */
export function optionalNumberOf(value: unknown, name: string, least: number, most: number): number | undefined {
  return value === null || value === undefined ? undefined : numberOf(value, name, least, most);
}

/** A string that is not empty. @throws Error naming the member */
export function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '')
    throw new Error(`${name} must be a text, not ${JSON.stringify(value)}.`);
  return value;
}

/**
 * A part of a file's name: a text without separators, so that it names nothing outside of its folder. @throws Error
 * naming the member
 */
export function fileNameOf(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (/[/\\\0]/.test(text)) throw new Error(`${name} must be a name without slashes, not ${JSON.stringify(text)}.`);
  return text;
}

/** A list. @throws Error naming the member */
export function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${name} must be a list, not ${JSON.stringify(value)}.`);
  return value;
}

/** An object's members. @throws Error naming the member */
export function membersOf(value: unknown, name: string): Line {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${name} must be an object, not ${JSON.stringify(value)}.`);
  return value as Line;
}

/** The members that are not undefined, so that requests have no empty ones. */
export function present<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
