// Sections of an index: bytes by name, views of one file in shared memory.

/** Words of a section; none where there is no such section. */
export function wordsOf(sections: ReadonlyMap<string, Uint8Array>, name: string): Int32Array {
  const bytes = sections.get(name);
  return bytes === undefined ? new Int32Array(0) : new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}
