// The keys of the request log's chunks: by the first id, and by time.

/** Eight bytes, big-endian, so that LMDB orders numbers 0..2^53-1 by value. */
export function numberKey(value: number): Buffer {
  return writeNumber(Buffer.allocUnsafe(8), 0, value);
}

/** Key of a chunk in the table by time. */
export function timeKey(timeMs: number, firstId: number): Buffer {
  return writeNumber(writeNumber(Buffer.allocUnsafe(16), 0, timeMs), 8, firstId);
}

function writeNumber(key: Buffer, at: number, value: number): Buffer {
  const whole = Math.max(0, Math.floor(value));
  key.writeUInt32BE(Math.floor(whole / 4_294_967_296), at);
  key.writeUInt32BE(whole % 4_294_967_296, at + 4);
  return key;
}

/** The number that a key begins with. */
export function readNumber(key: Buffer): number {
  return key.readUInt32BE(0) * 4_294_967_296 + key.readUInt32BE(4);
}
