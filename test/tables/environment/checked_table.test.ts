import { Builder } from 'flatbuffers';
import { expect, test } from 'vitest';
import { CheckedTable } from '../../../src/tables/environment/checked_table.ts';

function build(): Uint8Array {
  const builder = new Builder(64);
  builder.startVector(8, 2, 4);
  for (const word of [4, 3, 2, 1]) builder.addInt32(word);
  const vector = builder.endVector();
  builder.startObject(4);
  builder.addFieldFloat64(0, 1.5, 0);
  builder.addFieldInt32(1, -1, 0);
  builder.addFieldInt8(2, 1, 0);
  builder.addFieldOffset(3, vector, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

test('fields that the library wrote are read', () => {
  const table = new CheckedTable(build(), 'It');
  expect([table.float(0), table.unsigned(1), table.flag(2)]).toEqual([1.5, 4_294_967_295, true]);
  const structs = table.structs(3, 8);
  expect([...new Int32Array(structs.slice().buffer)]).toEqual([1, 2, 3, 4]);
});

test('fields that are absent, or that a later version appended, are told from those that are there', () => {
  const table = new CheckedTable(build(), 'It');
  expect([table.has(3), table.has(4), table.has(9)]).toEqual([true, false, false]);
  expect([table.float(4), table.unsigned(4), table.flag(4), table.structs(4, 8).length]).toEqual([
    Number.NaN,
    0,
    false,
    0,
  ]);
});

test('an offset that leads out of the bytes is an error', () => {
  const bytes = build();
  for (const length of [0, 3])
    expect(() => new CheckedTable(bytes.subarray(0, length), 'It')).toThrow(
      `It is damaged: it ends after ${length} bytes.`,
    );
  const far = bytes.slice();
  far.fill(255, 0, 4);
  expect(() => new CheckedTable(far, 'It')).toThrow(`It is damaged: it ends after ${bytes.length} bytes.`);
  expect(() => new CheckedTable(bytes, 'It').structs(3, 9)).toThrow('It is damaged');
});
