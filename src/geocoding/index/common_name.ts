// Names that places of two layers have in common, in whatever language and spelling of capitals and diacritics.

import type { Place } from '../../tables/places/place.ts';

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
