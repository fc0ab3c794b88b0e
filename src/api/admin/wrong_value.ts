// What is wrong with a request that the schema of its route refuses, as a sentence for people. A schema with a
// pattern or a format of ours says in `x-must` what a value must be.

import type { FastifySchemaValidationError } from 'fastify';

/** Members of our schemas that say something to people and decide nothing. */
export const SAYING = ['x-must', 'x-titles'];

/** What the validator tells with `verbose`. */
interface Wrong extends FastifySchemaValidationError {
  parentSchema?: Readonly<Record<string, unknown>>;
  data?: unknown;
}

/** Words for a limit. */
const LIMITS: Readonly<Record<string, (limit: number) => string>> = {
  minimum: limit => `be at least ${limit}`,
  maximum: limit => `be at most ${limit}`,
  minLength: limit => `have at least ${counted(limit, 'character')}`,
  maxLength: limit => `have at most ${counted(limit, 'character')}`,
  minItems: limit => `name at least ${counted(limit, 'value')}`,
  maxItems: limit => `name at most ${counted(limit, 'value')}`,
};
const FORMS: Readonly<Record<string, string>> = {
  date: 'a day such as 2026-11-30',
  'date-time': 'a time such as 2026-11-30T08:00:00Z',
};
const TYPES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The sentence, and the name of the parameter or the member, where it is one. */
export function describeWrong(all: readonly Wrong[]): [sentence: string, name?: string] {
  // Where a body must be one of several, what each of them lacks says little.
  const wrong = all.find(({ keyword, instancePath }) => keyword === 'oneOf' && instancePath === '') ?? all[0];
  const { keyword, instancePath, params } = wrong;
  const { additionalProperty: unknown, missingProperty: missing } = params as Record<string, string | undefined>;
  if (unknown !== undefined) return [`There is no ${unknown} here.`, unknown];
  if (missing !== undefined) return [`${missing} is missing.`, missing];
  const [, name, entry] = instancePath.split('/');
  if (name === undefined) {
    if (keyword === 'oneOf') return [`The body must name one of ${alternativesOf(wrong).join(', ')}, and no other.`];
    return [`The body must ${keyword === 'minProperties' ? 'name something' : `be ${TYPES[String(params.type)]}`}.`];
  }
  const isEntry = entry !== undefined && 'data' in wrong && typeof wrong.data === 'string';
  return [`${name} must ${mustOf(wrong)}${isEntry ? `; ${JSON.stringify(wrong.data)} is not` : ''}.`, name];
}

/** What each alternative requires. */
function alternativesOf({ parentSchema }: Wrong): string[] {
  return (parentSchema as { oneOf: { required: string[] }[] }).oneOf.map(({ required }) => required.join(' with '));
}

function mustOf({ keyword, params, parentSchema = {}, message = 'have another form' }: Wrong): string {
  const { limit, type, format, allowedValues, allowedValue } = params as {
    limit?: number;
    format?: string;
    type?: string | string[];
    allowedValues?: readonly unknown[];
    allowedValue?: unknown;
  };
  if (typeof parentSchema['x-must'] === 'string') return `be ${parentSchema['x-must']}`;
  if (format !== undefined && format in FORMS) return `be ${FORMS[format]}`;
  if (limit !== undefined && keyword in LIMITS) return LIMITS[keyword](limit);
  if (keyword === 'type')
    return `be ${[type]
      .flat()
      .map(each => TYPES[String(each)] ?? each)
      .join(' or ')}`;
  if (keyword === 'uniqueItems') return 'name nothing twice';
  if (keyword === 'const') return `be ${allowedValue}`;
  if (keyword === 'enum') return `be ${allowedValues!.length === 1 ? '' : 'one of '}${allowedValues!.join(', ')}`;
  return message.replace(/^must /, '');
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
