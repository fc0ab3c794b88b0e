// Sections of an index: named bytes, as views of one file in shared memory.

/** Receives the sections of an index. */
export interface SectionWriter {
  /** Writes a section; its bytes must not change afterwards. */
  section(name: string, bytes: Uint8Array): void;
}

/** The words of a section; none if there is no such section. */
export function wordsOf(sections: ReadonlyMap<string, Uint8Array>, name: string): Int32Array {
  const bytes = sections.get(name);
  return bytes === undefined
    ? new Int32Array(0)
    : new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

/** Words as the bytes of a section. */
export function bytesOf(words: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
