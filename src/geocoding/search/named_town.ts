// A town whose name others have, too: the community or county around it. A street in the town that is named, without
// the number, is nearer to what was asked for than a house with that number elsewhere, unless the house's own address
// has the name.

import { isRoad } from '../../tables/places/ranks.ts';
import { byPenalty, type Result } from './hits.ts';
import type { Matcher } from './match.ts';
import { noteOtherTown } from './match_record.ts';
import { OTHER_TOWN } from './rank.ts';

/** Puts houses elsewhere behind the best street of the town that is named. @param answers best first; changed */
export function putNamedTownFirst(matcher: Matcher, answers: Result[]): void {
  const [{ house, document, said }] = answers;
  if (house === undefined) return;
  const rank = matcher.namedRank(document);
  const areaMask = matcher.areaMask(document);
  const street = answers.find(
    answer =>
      answer.house === undefined &&
      isRoad(matcher.index.searchRank(answer.document)) &&
      answer.said >= said &&
      (matcher.areaMask(answer.document) & ~areaMask) === 0 &&
      matcher.namedRank(answer.document) > rank,
  );
  if (street === undefined) return;
  const named = matcher.namedRank(street.document);
  for (const answer of answers) {
    const cost = street.penalty + OTHER_TOWN - answer.penalty;
    if (answer.house === undefined || cost <= 0 || matcher.namedRank(answer.document) >= named) continue;
    if ((matcher.areaMask(street.document) & ~matcher.areaMask(answer.document)) !== 0) continue;
    answer.penalty += cost;
    noteOtherTown(answer.record, cost, answer.penalty);
  }
  answers.sort(byPenalty);
}
