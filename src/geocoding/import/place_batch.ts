// Places on their way from the thread that works them out to the one that builds their layer: records, as the layer
// stores them, and shapes, one after the other in one piece of memory.
//
// In 32-bit words: those of the record, kind of the shape, rings, numbers of each ring, all coordinates, the record.

import { type Geometry, linesOf } from '../../geo/rings.ts';

/** Words of a batch: 1 MB, some thousand places. */
const BATCH_WORDS = 2 ** 18;
const KINDS = ['point', 'line', 'area'] as const;
const HEAD_WORDS = 3;

/** A batch that is being filled. */
export class PlaceBatch {
  private words = new Int32Array(BATCH_WORDS);
  private used = 0;

  /** Adds a place. @param record whole words @returns true if the batch is full */
  add(record: Uint8Array, geometry: Geometry): boolean {
    const rings = linesOf(geometry);
    let needed = HEAD_WORDS + rings.length + record.length / 4;
    for (const ring of rings) needed += ring.length;
    this.reserve(needed);
    const { words } = this;
    words[this.used++] = record.length / 4;
    words[this.used++] = KINDS.indexOf(geometry.kind);
    words[this.used++] = rings.length;
    for (const ring of rings) words[this.used++] = ring.length;
    for (const ring of rings) {
      words.set(ring, this.used);
      this.used += ring.length;
    }
    new Uint8Array(words.buffer).set(record, this.used * 4);
    this.used += record.length / 4;
    return this.used >= BATCH_WORDS;
  }

  /** What was added, in memory that the caller owns; the batch is empty then. */
  take(): Int32Array<ArrayBuffer> {
    const taken = this.words.subarray(0, this.used);
    this.words = new Int32Array(BATCH_WORDS);
    this.used = 0;
    return taken;
  }

  private reserve(words: number): void {
    if (this.used + words <= this.words.length) return;
    const larger = new Int32Array(this.used + Math.max(words, BATCH_WORDS));
    larger.set(this.words.subarray(0, this.used));
    this.words = larger;
  }
}

/** The places of a batch. Records and shapes are views of it. */
export function* placesIn(words: Int32Array<ArrayBuffer>): Generator<{ record: Uint8Array; geometry: Geometry }> {
  for (let at = 0; at < words.length; ) {
    const recordWords = words[at++];
    const kind = KINDS[words[at++]];
    const rings: Int32Array[] = [];
    let start = at + 1 + words[at];
    for (const end = start; ++at < end; start += words[at]) rings.push(words.subarray(start, start + words[at]));
    const record = new Uint8Array(words.buffer, words.byteOffset + start * 4, recordWords * 4);
    at = start + recordWords;
    yield { record, geometry: geometryOf(kind, rings) };
  }
}

function geometryOf(kind: Geometry['kind'], rings: Int32Array[]): Geometry {
  if (kind === 'area') return { kind, rings };
  return kind === 'line' ? { kind, coordinates: rings[0] } : { kind };
}
