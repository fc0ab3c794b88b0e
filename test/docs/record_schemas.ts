// Writes the FlatBuffers schemas of records from their descriptions, for `npm run docs:write`.

import { BUILDING, FLOOR, ROOM } from '../../src/indoor/tables/buildings/building.ts';
import { ACCOUNT } from '../../src/tables/accounts/account_record.ts';
import type { Field, RecordCodec } from '../../src/tables/environment/record.ts';

/** The schemas by their files: what each says. */
export const RECORD_SCHEMAS: ReadonlyMap<string, string> = new Map([
  ['docs/records/account.fbs', schemaOf(ACCOUNT, 'src/tables/accounts/account_record.ts')],
  ['docs/records/building.fbs', schemaOf(BUILDING, 'src/indoor/tables/buildings/building.ts')],
  ['docs/records/floor.fbs', schemaOf(FLOOR, 'src/indoor/tables/buildings/building.ts')],
  ['docs/records/room.fbs', schemaOf(ROOM, 'src/indoor/tables/buildings/building.ts')],
]);

function schemaOf(
  { what, fields }: Pick<RecordCodec<Record<string, Field<unknown>>>, 'what' | 'fields'>,
  file: string,
) {
  const table = what
    .split(' ')
    .at(-1)!
    .replace(/^./, letter => letter.toUpperCase());
  const structs = new Set(
    Object.values(fields).flatMap(({ type: { struct } }) => (struct === undefined ? [] : [struct])),
  );
  const members = Object.entries(fields).sort(([, a], [, b]) => a.id - b.id);
  return `// ${what}: a FlatBuffers table, described in ${file}. Written by \`npm run docs:write\`.
//
// A field with the default \`null\` may be absent, and absent is not the same as zero or false. A reader refuses a record
// that lacks a field marked \`required\` or \`always\`. A new field takes the next id, and none is used twice.

// A number that is always written, also when it is zero: \`required\` is for strings and vectors only.
attribute "always";

${[...structs].map(struct => `${struct}\n\n`).join('')}table ${table} {
${members.map(([name, field]) => memberOf(name, field)).join('\n')}
}

root_type ${table};
`;
}

function memberOf(name: string, { id, text, presence, type }: Field<unknown>): string {
  const { schema } = type;
  const range = type.range?.();
  const isOutside = schema === 'string' || schema.startsWith('[');
  const must = isOutside ? ', required' : ', always';
  const comment = [text, ...(range === undefined ? [] : [`${range[0].toUpperCase()}${range.slice(1)}.`])].join(' ');
  const member = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  const fallback = isOutside ? '' : ' = null';
  return `  /// ${comment}\n  ${member}:${schema}${fallback} (id: ${id}${presence === 'must' ? must : ''});`;
}
