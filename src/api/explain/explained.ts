// An explained answer: as an object for programs, and for people as sections of lines, which the commands print and the
// console shows. An item may be about a thing on the map.

/** An item of a section. */
export interface Item {
  /**
   * What it speaks of: `answer`, `station:N`, `estimate:N`, `fallback:N`, `building`, `floor`, `room`, `track` or
   * `place:ID`; absent where that has no place.
   */
  about?: string;
  /** The first one says what it is, the others say more. */
  lines: string[];
}

/** A heading, and what stands below it. */
export interface Section {
  title: string;
  about?: string;
  items: Item[];
}

/** An explained answer. */
export interface Explained {
  object: object;
  sections: Section[];
  /** What would be answered now, in the form of the public address; absent where nothing was found. */
  response?: unknown;
  /** Of a position: the radii that hold half, 68 and 95 % of the truths. */
  circles?: { confidence: number; metres: number }[];
}

/** Why a request is not explained although it is there; for the operator. */
export class Unexplainable extends Error {}

/** A section of single lines; none without. */
export function section(title: string, items: readonly (string | Item)[]): Section[] {
  if (items.length === 0) return [];
  return [{ title, items: items.map(item => (typeof item === 'string' ? { lines: [item] } : item)) }];
}

/** A line without anything below it. */
export function line(title: string): Section {
  return { title, items: [] };
}

/** The lines of sections. */
export function textOf(sections: readonly Section[]): string {
  const lines = sections.flatMap(({ title, items }) => [
    title,
    ...items.flatMap(item => item.lines.map(each => `  ${each}`)),
  ]);
  return `${lines.join('\n')}\n`;
}
