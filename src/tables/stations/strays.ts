// Strays: known stations that are sent together with others that are elsewhere. A station may have moved, or it travels
// with the device. But so asks, too, who knows one address and tries it beside the stations of one place after another,
// until it fits. So the places are counted, of all keys together: a station that was sent beside stations of three
// places where it does not belong is left out of lookups until the week is over. A device that stands still and sends
// the same scan again and again counts once. A record that is learned anew elsewhere begins anew.
//
// Two bitmaps in shared memory hold this, as Bloom filters of one 32-bit word an entry (three bits each). The large one
// has pairs of station and place, and for each station how many places there were; the small one, which every lookup
// asks, has those that are left out. They forget when the week ends and when the service starts. A filter errs on one
// side: with ten thousand stations left out, one in five thousand others is left out by mistake.

/**
 * Words of the header: weeks since 1970 that the bitmaps belong to, and how many strays were noted since the memory was
 * made, and whether a station is left out.
 */
const WORD_WEEK = 0;
const WORD_NOTED = 1;
const WORD_LEFT_OUT = 2;
const HEADER_WORDS = 32;
/** 1 MiB and 128 KiB. */
const NOTED_WORDS = 1 << 18;
const LEFT_OUT_WORDS = 1 << 15;
/** Words of the memory. */
export const STRAYS_WORDS = HEADER_WORDS + NOTED_WORDS + LEFT_OUT_WORDS;

/** Places at which a station may be a stray before it is left out. */
const STRAY_PLACES = 3;
const WEEK_MS = 7 * 86_400_000;

// Multipliers of murmur3's fmix32 (public domain).
const MIX_FIRST = 0x85ebca6b;
const MIX_SECOND = 0xc2b2ae35;

/** One thread's view. */
export class Strays {
  private readonly header: Int32Array;
  private readonly noted: Int32Array;
  private readonly leftOut: Int32Array;

  /** @param buffer shared by all threads @param byte where STRAYS_WORDS words begin, zeroed at first */
  constructor(buffer: SharedArrayBuffer, byte: number) {
    this.header = new Int32Array(buffer, byte, HEADER_WORDS);
    this.noted = new Int32Array(buffer, byte + HEADER_WORDS * 4, NOTED_WORDS);
    this.leftOut = new Int32Array(buffer, byte + (HEADER_WORDS + NOTED_WORDS) * 4, LEFT_OUT_WORDS);
  }

  /** False if no station is left out of lookups. */
  get hasLeftOut(): boolean {
    return this.header[WORD_LEFT_OUT] === 1;
  }

  /** True for a station that is left out of lookups. @param station from `strayNumber` */
  isLeftOut(station: number): boolean {
    return hasBits(this.leftOut, station);
  }

  /**
   * Notes that a station was sent beside others of a place where it does not belong.
   * @param station from `strayNumber` @param place any number that tells places some hundred metres apart
   * @param nowMs milliseconds since 1970
   * @returns true if that is new this week
   */
  note(station: number, place: number, nowMs: number): boolean {
    this.beginWeek(Math.floor(nowMs / WEEK_MS));
    if (!setBits(this.noted, mix(station ^ Math.imul(place, MIX_SECOND)))) return false;
    Atomics.add(this.header, WORD_NOTED, 1);
    let places = 1;
    while (places < STRAY_PLACES && !setBits(this.noted, mix(station + places))) places++;
    if (places === STRAY_PLACES && setBits(this.leftOut, station)) Atomics.store(this.header, WORD_LEFT_OUT, 1);
    return true;
  }

  /** Strays noted since the memory was made, modulo 2^32. */
  get count(): number {
    return Atomics.load(this.header, WORD_NOTED) >>> 0;
  }

  /** Forgets all when a week begins. The clock may be set back, which begins a week too. */
  private beginWeek(week: number): void {
    const before = Atomics.load(this.header, WORD_WEEK);
    if (before === week || Atomics.compareExchange(this.header, WORD_WEEK, before, week) !== before) return;
    this.noted.fill(0);
    this.leftOut.fill(0);
    Atomics.store(this.header, WORD_LEFT_OUT, 0);
  }
}

/**
 * The number under which a station is noted: of its radio, and of where its record says that it is, to about 700 m.
 * @param radio number of its radio, below 2^53
 * @param latitudeE7, longitudeE7 degrees times 1e7
 */
export function strayNumber(radio: number, latitudeE7: number, longitudeE7: number): number {
  return mix(radio ^ Math.imul(radio / 4_294_967_296, MIX_SECOND) ^ placeNumber(latitudeE7, longitudeE7));
}

/** A number for a place, to about 700 m. */
export function placeNumber(latitudeE7: number, longitudeE7: number): number {
  return Math.imul(latitudeE7 >> 16, MIX_FIRST) ^ (longitudeE7 >> 16);
}

function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, MIX_FIRST);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, MIX_SECOND);
  return mixed ^ (mixed >>> 16);
}

/** Three bits of a word, by a mixed number; the word is chosen by other bits of it. */
function bitsOf(number: number): number {
  const bits = Math.imul(number, MIX_FIRST);
  return (1 << (bits >>> 27)) | (1 << ((bits >>> 22) & 31)) | (1 << ((bits >>> 17) & 31));
}

function hasBits(words: Int32Array, number: number): boolean {
  const bits = bitsOf(number);
  return (words[number & (words.length - 1)] & bits) === bits;
}

/** @returns false if all of them were set */
function setBits(words: Int32Array, number: number): boolean {
  const bits = bitsOf(number);
  return (Atomics.or(words, number & (words.length - 1), bits) & bits) !== bits;
}
