import { expect, test } from 'vitest';
import { readNextTrack, readTrack, writeNextTrack } from '../../../src/radio/query/answer.ts';
import { TRACK_STATE_BYTES_MAX, WANTS_TEXTS, WANTS_TRACK } from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../../../src/radio/query/writer.ts';

const motion = { pressureHpa: 1013.25, steps: 3, headingDegrees: 90, activity: 2 };

/** A query behind another one, in memory that held something else. */
function queryWith(
  state: Uint8Array | undefined,
  wants = WANTS_TRACK,
): { memory: QueryMemory; offset: number; end: number } {
  const offset = 64;
  const memory = new QueryMemory(new ArrayBuffer(offset + queryBytes(1, wants)));
  memory.u8.fill(0xee);
  const writer = new QueryWriter(memory);
  writer.begin(offset);
  writer.addWifi(1, -50, 0, 0, 0);
  if (wants & WANTS_TRACK) writer.addTrack({ timeMs: 1_700_000_000_123, motion, state }, wants);
  if (wants & WANTS_TEXTS) writer.addText(wants);
  return { memory, offset, end: writer.end() };
}

test.each([0, 1, TRACK_STATE_BYTES_MAX])('a state of %i bytes is read as it was written', length => {
  const state = length === 0 ? undefined : Uint8Array.from({ length }, (_, i) => i);
  const { memory, offset, end } = queryWith(state);
  expect(readTrack(memory, offset)).toEqual({ timeMs: 1_700_000_000_123, motion, state });
  expect(end).toBe(memory.buffer.byteLength);
});

test('a state that is too long is none', () => {
  const { memory, offset } = queryWith(new Uint8Array(TRACK_STATE_BYTES_MAX + 1));
  expect(readTrack(memory, offset)?.state).toBeUndefined();
});

test('the next state is there once it is written, and must fit', () => {
  const { memory, offset } = queryWith(Uint8Array.of(9), WANTS_TRACK | WANTS_TEXTS);
  expect(readNextTrack(memory, offset)).toBeUndefined();
  writeNextTrack(memory, offset, Uint8Array.of(4, 5, 6));
  expect(readNextTrack(memory, offset)).toEqual(Uint8Array.of(4, 5, 6));
  expect(readTrack(memory, offset)?.state).toEqual(Uint8Array.of(9));
  expect(() => writeNextTrack(memory, offset, new Uint8Array(TRACK_STATE_BYTES_MAX + 1))).toThrow(
    '377 bytes, of at most 376',
  );
});

test('a query whose device is not tracked has neither', () => {
  const { memory, offset } = queryWith(undefined, WANTS_TEXTS);
  expect([readTrack(memory, offset), readNextTrack(memory, offset)]).toEqual([undefined, undefined]);
});
