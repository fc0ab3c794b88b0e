// The coasts as sections of the gazetteer's index, so that all threads of a process read them once.

import { type CoastLines, loadCoasts } from '../../geo/coast.ts';
import { bytesOf, type SectionWriter, wordsOf } from './section.ts';

/** Writes the coasts of the world. @throws Error when the package that has them is missing */
export function writeCoasts(writer: SectionWriter): void {
  const { points, edges, rows } = loadCoasts();
  writer.section('coast.points', new Uint8Array(points.buffer));
  writer.section('coast.edges', bytesOf(edges));
  writer.section('coast.rows', bytesOf(rows));
}

/** The coasts of a layer; undefined if it has none, as an extract. */
export function coastsOf(sections: ReadonlyMap<string, Uint8Array>): CoastLines | undefined {
  if (!sections.has('coast.rows')) return undefined;
  const [points, edges, rows] = ['points', 'edges', 'rows'].map(part => wordsOf(sections, `coast.${part}`));
  const unsigned = (words: Int32Array): Uint32Array => new Uint32Array(words.buffer, words.byteOffset, words.length);
  return {
    points: new Float32Array(points.buffer, points.byteOffset, points.length),
    edges: unsigned(edges),
    rows: unsigned(rows),
  };
}
