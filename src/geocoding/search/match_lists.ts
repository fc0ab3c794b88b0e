// Lists of matches: each document once, the best of many, and their order.

import type { Match } from './match.ts';

/** The best match of each document, which may be found by its name and by its kind. */
export function bestOfEach(matches: readonly Match[]): Match[] {
  const best = new Map<number, Match>();
  for (const match of matches) {
    const known = best.get(match.document);
    if (known === undefined || match.penalty < known.penalty) best.set(match.document, match);
  }
  return [...best.values()];
}

/** The best so many matches, best first. */
export function best(matches: readonly Match[], most: number): Match[] {
  const found: Match[] = [];
  for (const match of matches) {
    if (found.length >= most && (most <= 0 || byPenalty(match, found[most - 1]) >= 0)) continue;
    let at = Math.min(found.length, most - 1);
    for (; at > 0 && byPenalty(match, found[at - 1]) < 0; at--) found[at] = found[at - 1];
    found[at] = match;
  }
  return found;
}

/** Orders matches, the better first. */
export function byPenalty(a: Match, b: Match): number {
  return a.penalty - b.penalty || a.document - b.document;
}
