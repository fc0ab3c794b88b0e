// What the fingerprints of a building say of where another one was taken: by the whole pattern of its radios, however
// loud they are.
//
// Fingerprints of one contributor in a cell of the floor are one pattern; trusted ones are those of one contributor. A
// pattern is the part that each radio has of all the strength that was heard, so it does not matter whether a device
// reports all levels too low, and two are as alike as their parts have in common. A radio that nobody else has heard is
// left out, so invented ones do not make a pattern unlike others.
//
// The two constants were chosen on UJIIndoorLoc, with one user as the untrusted account and the others as the survey:
// of true fingerprints within 10 m of a surveyed point 1.2 % were refused; of copies that were moved to the next floor
// or by more than 60 m, 99 and 98 %; of those with levels capped at -66 dBm 88 and 98 %. In the mall, which took no
// part in that, it was none of the true ones, all copies, and 99 % of the capped ones. Of copies with half of their
// radios one in five to two in five pass.

import { strengthOf } from '../fingerprints/strength.ts';
import type { StoredFingerprint } from '../tables/fingerprints/fingerprint_record.ts';

/** A fingerprint in metres from an origin. */
interface PlacedFingerprint extends Pick<StoredFingerprint, 'floor' | 'contributor' | 'isTrusted' | 'readings'> {
  eastMetres: number;
  northMetres: number;
}

/** The contributor that stands for all trusted ones. */
export const TRUSTED = 0;

/** Contributors who speak for and against where a fingerprint says that it was taken. */
interface Voices {
  /** Their patterns elsewhere are clearly more alike than those here. */
  against: number[];
  /** They know patterns here that are as alike as any elsewhere. */
  support: number[];
}

/** The pattern of a contributor in a cell. */
interface Pattern {
  contributor: number;
  floor: number;
  eastMetres: number;
  northMetres: number;
}

/** The patterns that have a radio. */
interface Heard {
  patterns: number[];
  /** The part that the radio has of each. */
  parts: number[];
  /** Who heard it first, and whether somebody else has. */
  contributor: number;
  isShared: boolean;
}

/** How alike the most similar patterns of a contributor are, 0..1. */
interface Likeness {
  here: number;
  elsewhere: number;
}

const CELL_METRES = 4;
/** Radios of a pattern that are compared, the strongest. */
const RADIOS_MAX = 32;
/** Fewer are no pattern. */
const RADIOS_MIN = 3;
/** Patterns on the same floor within this distance are here. */
const HERE_METRES = 40;
/** Patterns that are less alike say nothing. */
const ALIKE_MIN = 0.4;
/** How many times as alike patterns elsewhere must be to contradict. */
const CLEARLY = 1.1;

/** Patterns of the fingerprints of a building. */
export class Patterns {
  private readonly patterns: Pattern[] = [];
  private readonly heard = new Map<number, Heard>();
  /** Results of the last comparison, by pattern; 0 for all others. */
  private readonly alike: Float64Array;
  private readonly touched: Int32Array;

  /** @param fingerprints of one building, in any order */
  constructor(fingerprints: readonly PlacedFingerprint[]) {
    const cells = new Map<string, PlacedFingerprint[]>();
    for (const fingerprint of fingerprints) {
      const { floor, eastMetres, northMetres } = fingerprint;
      const name =
        `${voiceOf(fingerprint)} ${floor} ${Math.floor(eastMetres / CELL_METRES)} ` +
        `${Math.floor(northMetres / CELL_METRES)}`;
      const cell = cells.get(name);
      if (cell === undefined) cells.set(name, [fingerprint]);
      else cell.push(fingerprint);
    }
    for (const cell of cells.values()) this.add(cell);
    this.alike = new Float64Array(this.patterns.length);
    this.touched = new Int32Array(this.patterns.length);
  }

  /** What others than its contributor say of a fingerprint. */
  voicesOn(fingerprint: PlacedFingerprint): Voices {
    const voices: Voices = { against: [], support: [] };
    const voice = voiceOf(fingerprint);
    const known = fingerprint.readings.filter(({ radio }) => {
      const heard = this.heard.get(radio);
      return heard !== undefined && (heard.isShared || heard.contributor !== voice);
    });
    const strongest = strongestOf(known);
    if (strongest.length < RADIOS_MIN) return voices;
    const likeness = this.compare(strongest, fingerprint, voice);
    let mostElsewhere = 0;
    for (const { elsewhere } of likeness.values()) mostElsewhere = Math.max(mostElsewhere, elsewhere);
    for (const [contributor, { here, elsewhere }] of likeness) {
      if (elsewhere >= ALIKE_MIN && elsewhere > CLEARLY * here) voices.against.push(contributor);
      else if (here >= ALIKE_MIN && CLEARLY * here >= mostElsewhere) voices.support.push(contributor);
    }
    return voices;
  }

  private add(cell: readonly PlacedFingerprint[]): void {
    const { floor } = cell[0];
    const contributor = voiceOf(cell[0]);
    const strongest = strongestOf(cell.flatMap(({ readings }) => readings));
    const all = sumOf(strongest);
    const eastMetres = cell.reduce((sum, each) => sum + each.eastMetres, 0) / cell.length;
    const northMetres = cell.reduce((sum, each) => sum + each.northMetres, 0) / cell.length;
    const pattern = this.patterns.push({ contributor, floor, eastMetres, northMetres }) - 1;
    for (const [radio, strength] of strongest) {
      const heard = this.heard.get(radio) ?? { patterns: [], parts: [], contributor, isShared: false };
      this.heard.set(radio, heard);
      heard.isShared ||= heard.contributor !== contributor;
      heard.patterns.push(pattern);
      heard.parts.push(strength / all);
    }
  }

  private compare(
    strongest: readonly [radio: number, strength: number][],
    fingerprint: PlacedFingerprint,
    voice: number,
  ) {
    const { alike, touched } = this;
    const all = sumOf(strongest);
    let count = 0;
    for (const [radio, strength] of strongest) {
      const { patterns, parts } = this.heard.get(radio)!;
      const part = strength / all;
      for (let i = 0; i < patterns.length; i++) {
        const pattern = patterns[i];
        if (alike[pattern] === 0) touched[count++] = pattern;
        alike[pattern] += Math.min(part, parts[i]);
      }
    }
    const likeness = new Map<number, Likeness>();
    for (let t = 0; t < count; t++) {
      const pattern = this.patterns[touched[t]];
      const value = alike[touched[t]];
      alike[touched[t]] = 0;
      if (pattern.contributor === voice) continue;
      const most = likeness.get(pattern.contributor) ?? { here: 0, elsewhere: 0 };
      likeness.set(pattern.contributor, most);
      const where = isHere(pattern, fingerprint) ? 'here' : 'elsewhere';
      if (value > most[where]) most[where] = value;
    }
    return likeness;
  }
}

/** Who speaks by a fingerprint: its contributor, or all trusted ones. */
export function voiceOf({ contributor, isTrusted }: Pick<PlacedFingerprint, 'contributor' | 'isTrusted'>): number {
  return isTrusted ? TRUSTED : contributor;
}

function isHere(pattern: Pattern, { floor, eastMetres, northMetres }: PlacedFingerprint): boolean {
  return (
    pattern.floor === floor &&
    Math.hypot(pattern.eastMetres - eastMetres, pattern.northMetres - northMetres) <= HERE_METRES
  );
}

/** The radios that are heard best, with the sums of their strengths. */
function strongestOf(readings: PlacedFingerprint['readings']): [radio: number, strength: number][] {
  const sums = new Map<number, number>();
  for (const { radio, levelDbm } of readings) sums.set(radio, (sums.get(radio) ?? 0) + strengthOf(levelDbm));
  return [...sums]
    .filter(([, strength]) => strength > 0)
    .sort(([r, a], [s, b]) => b - a || r - s)
    .slice(0, RADIOS_MAX);
}

function sumOf(strongest: readonly [radio: number, strength: number][]): number {
  return strongest.reduce((sum, [, strength]) => sum + strength, 0);
}
