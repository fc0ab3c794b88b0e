// Finds the elements of a list in the bytes of a JSON body, so that a large body is parsed element by element and its
// reader can do other work in between. The list is the body itself (level 1), or a member of the object that the body
// is (level 2); then all lists on that level are taken apart.
//
// The scan follows quotes, brackets and commas and does not know JSON otherwise. It need not: where each element is
// valid JSON, and so is what remains of the body when the elements are taken out (`rest`), the body is valid, and its
// value is that of the rest with the elements put back. Where the body is valid, the scan finds its elements exactly.
// An element that holds nothing stands for a comma too many, and does not parse.

import { SMALL_BYTES, tooDeep } from './body.ts';

const QUOTE = 34;
const COMMA = 44;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/** By byte: 1 if it means nothing outside a text. */
const MEANS_NOTHING = Uint8Array.from({ length: 256 }, (_, byte) =>
  [QUOTE, COMMA, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE].includes(byte) ? 0 : 1,
);

/** Bytes after which the scan pauses if it meets no element. */
const PAUSE_BYTES = 65_536;
/** Levels of a body that is not small, as for any other body (body.ts). */
const LEVELS_MAX = 64;

/** What a step of the scan found. */
type Found = 'list' | 'element' | 'pause' | 'end';

/** A scan of one body. */
export class ListScan {
  /** The element found last: its bytes, white space included. */
  start = 0;
  end = 0;
  /**
   * The last text before the list found last, on the level above, with its quotes: the name of the list, if the body is
   * valid.
   */
  nameStart = 0;
  nameEnd = 0;
  private readonly bytes: Uint8Array;
  private readonly level: number;
  private readonly levelsMax: number;
  private readonly kept: Uint8Array[] = [];
  private keptTo = 0;
  private at = 0;
  private levels = 0;
  private isInText = false;
  private isInList = false;
  private hasElements = false;

  /** @param level of the list: 1 is the body itself */
  constructor(bytes: Uint8Array, level: 1 | 2) {
    this.bytes = bytes;
    this.level = level;
    this.levelsMax = bytes.length > SMALL_BYTES ? LEVELS_MAX : Number.POSITIVE_INFINITY;
  }

  /** The body without the elements; complete at the end of the scan. */
  rest(): Buffer {
    return Buffer.concat([...this.kept, this.bytes.subarray(this.keptTo)]);
  }

  /**
   * Goes on to the next list or element.
   * @throws ApiError parseError for more than 64 levels
   */
  next(): Found {
    const { bytes, level } = this;
    const pauseAt = Math.min(bytes.length, this.at + PAUSE_BYTES);
    let { levels, isInText } = this;
    let found: Found | undefined;
    let i = this.at;
    while (i < pauseAt && found === undefined) {
      if (isInText) {
        i = endOfText(bytes, i, pauseAt);
        if (i >= pauseAt) break;
        isInText = false;
        i++;
        if (levels === level - 1) this.nameEnd = i;
        continue;
      }
      while (i < pauseAt && MEANS_NOTHING[bytes[i]] === 1) i++;
      if (i === pauseAt) break;
      const byte = bytes[i];
      if (byte === QUOTE) {
        isInText = true;
        if (levels === level - 1) this.nameStart = i;
      } else if (byte === COMMA) {
        if (levels === level && this.isInList) {
          this.hasElements = true;
          found = this.element(i);
        }
      } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (++levels > this.levelsMax) throw tooDeep();
        if (levels === level && byte === OPENING_BRACKET) found = this.openList(i);
      } else {
        if (levels === level && this.isInList && this.closeList(i)) found = 'element';
        levels--;
      }
      i++;
    }
    this.at = i;
    this.levels = levels;
    this.isInText = isInText;
    return found ?? (i < bytes.length ? 'pause' : 'end');
  }

  private openList(at: number): Found {
    this.kept.push(this.bytes.subarray(this.keptTo, at + 1));
    this.isInList = true;
    this.hasElements = false;
    this.end = at;
    return 'list';
  }

  /** @returns true if the list ends with an element */
  private closeList(at: number): boolean {
    this.isInList = false;
    this.keptTo = at;
    this.element(at);
    return this.hasElements || !isBlank(this.bytes, this.start, this.end);
  }

  private element(end: number): Found {
    this.start = this.end + 1;
    this.end = end;
    return 'element';
  }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++)
    if (bytes[i] !== 32 && bytes[i] !== 9 && bytes[i] !== 10 && bytes[i] !== 13) return false;
  return true;
}

/** @returns the index of the quote that ends a text; at least `end` if it lies further on */
function endOfText(bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  for (; i < end; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) return i;
    if (byte === BACKSLASH) i++;
  }
  return i;
}
