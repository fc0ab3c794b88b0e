// The name of a place in the caller's language, and names that places of two layers have in common.

import type { Place } from '../../tables/places/place.ts';

/** Keys that replace a missing name, best first. */
const STAND_INS = [
  'brand',
  'name:left',
  'name:right',
  'official_name',
  'short_name',
  'ref',
  'int_name',
  'loc_name',
  'alt_name',
  'old_name',
];

/**
 * The name in the first language for which the place has one; otherwise its plain name, then a replacement.
 * @param languages BCP 47 tags, best first; `de-AT` also accepts `de`
 * @returns empty if it has none
 */
export function nameIn(names: Readonly<Record<string, string>>, languages: readonly string[]): string {
  for (const language of languages) {
    const name = names[`name:${language}`] ?? names[`name:${language.split('-', 1)[0]}`];
    if (name) return name;
  }
  if (names.name) return names.name;
  for (const key of STAND_INS) if (names[key]) return names[key];
  return '';
}

/** The names of a place in lower case, without diacritics. */
export function foldedNames({ names }: Place): ReadonlySet<string> {
  return new Set(Object.values(names).map(folded));
}

/** True if two sets of names have one in common. */
export function haveCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const name of a) if (b.has(name)) return true;
  return false;
}

/** True if two places have a name in common. */
export function haveCommonName(a: Place, b: Place): boolean {
  return haveCommon(foldedNames(a), foldedNames(b));
}

function folded(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
