// Sections of an index: bytes by name, views of one file in shared memory.

/** Where the sections of an index are written to. */
export interface SectionWriter {
  /** Takes a section; its bytes do not change any more. */
  section(name: string, bytes: Uint8Array): void;
}

/** Words of a section; none where there is no such section. */
export function wordsOf(sections: ReadonlyMap<string, Uint8Array>, name: string): Int32Array {
  const bytes = sections.get(name);
  return bytes === undefined ? new Int32Array(0) : new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

/** Words as they stand in a section. */
export function bytesOf(words: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
