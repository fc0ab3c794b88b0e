// Records of any length in a file, each behind its length.

import { ByteReader } from '../../index/varint.ts';

const BUFFER_BYTES = 1024 * 1024;

/**
 * Reads records one by one; each is valid until the next one.
 * @param read fills bytes from a position on, and returns how many there were; 0 at the end
 * @param position of the first
 */
export function* readRecords(
  read: (into: Uint8Array, position: number) => number,
  position: number,
): Generator<ByteReader> {
  let buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let kept = 0;
  for (let at = position; ; ) {
    const got = read(buffer.subarray(kept), at);
    at += got;
    const reader = new ByteReader(buffer, 0, kept + got);
    for (let length = wholeRecord(reader); length >= 0; length = wholeRecord(reader)) {
      const start = reader.skip(length);
      yield new ByteReader(buffer, start, start + length);
    }
    if (got === 0) return;
    kept = reader.end - reader.at;
    // A record that fills the buffer needs a larger one.
    const next = kept === buffer.length ? Buffer.allocUnsafe(buffer.length * 2) : buffer;
    buffer.copy(next, 0, reader.at, reader.end);
    buffer = next;
  }
}

/** Length of the next record; -1, with nothing consumed, if it is incomplete. */
function wholeRecord(reader: ByteReader): number {
  const start = reader.at;
  // A length takes at most eight bytes, and a record is longer than that.
  let end = start;
  while (end < reader.end && reader.bytes[end] >= 128) end++;
  if (end < reader.end) {
    const length = reader.unsigned();
    if (length <= reader.end - reader.at) return length;
  }
  reader.at = start;
  return -1;
}
