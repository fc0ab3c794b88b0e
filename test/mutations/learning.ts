// How the rules of the life-cycle, and of who earns by a report, may break.

import type { Mutations } from './mutations.ts';

const NEW_AND_KNOWN = '  },\n  [LEARNED_KNOWN]';
const KNOWN_AND_BLOCKED = '  },\n  [LEARNED_BLOCKED]';
const OUTDATED = "outdated: ['replace', LEARNED_KNOWN],\n    travelling: ['block', LEARNED_BLOCKED],\n";
const STILL_OUTDATED = "outdated: ['replace', LEARNED_KNOWN],\n    travelling: ['keep', LEARNED_KNOWN],\n";
const BLOCKS_OUTDATED = "outdated: ['block', LEARNED_BLOCKED],\n    travelling: ['block', LEARNED_BLOCKED],\n";

export const LEARNING: readonly Mutations[] = [
  {
    file: 'src/learning/transitions.ts',
    tests: ['test/learning/life_cycle.test.ts'],
    rows: [
      ['none, unbacked: begins as new', "unbacked: ['new', LEARNED_NEW]", "unbacked: ['new', LEARNED_KNOWN]"],
      ['none, backed: begins as known', "backed: ['new', LEARNED_KNOWN]", "backed: ['new', LEARNED_NEW]"],
      ['new, unbacked: stays new', "unbacked: ['change', LEARNED_NEW]", "unbacked: ['change', LEARNED_KNOWN]"],
      ['new, backed: is known', "backed: ['confirm', LEARNED_KNOWN]", "backed: ['change', LEARNED_NEW]"],
      ['new, stray: nothing changes', "stray: ['keep', LEARNED_NEW]", "stray: ['keep', LEARNED_KNOWN]"],
      ['new, moved: is known there', "moved: ['replace', LEARNED_KNOWN]", "moved: ['block', LEARNED_BLOCKED]"],
      ['new, outdated: is known there', `${OUTDATED}${NEW_AND_KNOWN}`, `${BLOCKS_OUTDATED}${NEW_AND_KNOWN}`],
      ['new, travelling: is blocked', `${OUTDATED}${NEW_AND_KNOWN}`, `${STILL_OUTDATED}${NEW_AND_KNOWN}`],
      ['known, backed: stays known', "backed: ['change', LEARNED_KNOWN]", "backed: ['change', LEARNED_NEW]"],
      ['known, stray: nothing changes', "stray: ['keep', LEARNED_KNOWN]", "stray: ['keep', LEARNED_NEW]"],
      ['known, moved: is blocked', "moved: ['block', LEARNED_BLOCKED]", "moved: ['replace', LEARNED_KNOWN]"],
      ['known, outdated: is known there', `${OUTDATED}${KNOWN_AND_BLOCKED}`, `${BLOCKS_OUTDATED}${KNOWN_AND_BLOCKED}`],
      ['known, travelling: is blocked', `${OUTDATED}${KNOWN_AND_BLOCKED}`, `${STILL_OUTDATED}${KNOWN_AND_BLOCKED}`],
      ['blocked, unbacked: stays so', "unbacked: ['change', LEARNED_BLOCKED]", "unbacked: ['change', LEARNED_NEW]"],
      ['blocked, backed: stays so', " backed: ['change', LEARNED_BLOCKED]", " backed: ['change', LEARNED_KNOWN]"],
      ['blocked, stray: stays so', "stray: ['change', LEARNED_BLOCKED]", "stray: ['change', LEARNED_NEW]"],
      ['blocked, settled: is known', "settled: ['replace', LEARNED_KNOWN]", "settled: ['change', LEARNED_BLOCKED]"],
    ],
  },
  {
    file: 'src/learning/life_cycle.ts',
    tests: ['test/learning/life_cycle.test.ts', 'test/learning/moved_stations.test.ts'],
    rows: [
      ['five candidates are kept', 'CANDIDATES = 5', 'CANDIDATES = 6'],
      ['witnesses agree within 150 m', 'WITNESS_METRES = 150', 'WITNESS_METRES = 160'],
      ['one report elsewhere moves nothing', 'MOVED_REPORTS = 2', 'MOVED_REPORTS = 1'],
      ['twenty samples outweigh a track', 'WELL_SAMPLED = 20', 'WELL_SAMPLED = 21'],
      ['a track ends with half a day', 'TRACK_SECONDS = 43_200', 'TRACK_SECONDS = 36_000'],
      ['two tracks are of two days', ' && spansDays(first, last)', ''],
      [
        'what is well sampled does not travel within a track',
        'isTravelling(recent) && outweighs(recent)',
        'isTravelling(recent)',
      ],
      ['what travels is seen elsewhere within 30 days', 'TRAVEL_SECONDS = 30 *', 'TRAVEL_SECONDS = 31 *'],
      ['what is a year old gives way', 'OUTDATED_SECONDS = 365 *', 'OUTDATED_SECONDS = 410 *'],
      ['a block lasts a day', 'SETTLING_SECONDS = 86_400', 'SETTLING_SECONDS = 43_000'],
      ['the time of a block doubles six times', 'SETTLING_DOUBLINGS = 6', 'SETTLING_DOUBLINGS = 7'],
      ['three reports end a block', 'SETTLING_REPORTS = 3', 'SETTLING_REPORTS = 2'],
      [
        'any two make a cell known',
        'if (isCell(kind) || hasTrusted(candidate)) return',
        'if (hasTrusted(candidate)) return',
      ],
      ['who claims elsewhere is no witness', '.filter(contributor => !isElsewhere(contributor))', ''],
      ['who tries many places ends no block', 'if (claims(contributor) > 1) return false;', ''],
      ['nor does one who did with another', 'who !== contributor && claims(who) <= 1', 'who !== contributor'],
      ['an old report settles nothing', "if (seconds < learned.settlingSince) return 'stray';", ''],
      ['where it came from is no evidence', ' && other.lastSeconds >= mainFirst', ''],
      ['one account alone shows no travel', 'witnesses.length >= 2', 'witnesses.length >= 1'],
      ['a trusted account alone does', ' || witnesses.includes(TRUSTED)', ''],
      ['unless it is well sampled', 'if (isBacked(candidate) && outweighs)', 'if (isBacked(candidate))'],
      [
        'an import loses against two',
        'if (isBacked(candidate) && outweighs) learned.isBaseDisowned = true;\n  else ',
        '',
      ],
      ['an import ends no block', 'if (learned.state === LEARNED_BLOCKED) return;', ''],
      ['each block is counted', 'Math.min(learned.blocks + 1, 255)', '1'],
      [
        'an import is disowned by a move',
        'learned.isBaseDisowned = learned.base !== undefined;\n  learned.settlingSince = 0',
        'learned.settlingSince = 0',
      ],
      [
        'an import is disowned by a block',
        'learned.isBaseDisowned = learned.base !== undefined;\n  learned.main = index',
        'learned.main = index',
      ],
      ['many claims push out their own', '2 * claims.get(claimant)! +', ''],
      ['of equal claims the oldest goes', 'candidate.lastSeconds < worst.lastSeconds', 'false'],
    ],
  },
  {
    file: 'src/learning/life_cycle.ts',
    tests: ['test/learning/confirmation.test.ts'],
    rows: [
      ['only the main candidate earns', 'if (candidate !== learned.candidates[learned.main]) return NOBODY;', ''],
      [
        'who hears it far from others earns nothing',
        'if (isSettled && !isCell(kind) && !isNearOthers(candidate, sighting)) return NOBODY;',
        '',
      ],
      [
        'who is no witness earns nothing',
        'if (!isSettled && claimant !== sighting.contributor && !isWitnessed(learned, candidate, kind)) return NOBODY;',
        '',
      ],
      ['a blocked station earns nobody', 'next === LEARNED_BLOCKED ? NOBODY : ', ''],
    ],
  },
  {
    file: 'src/learning/confirmation.ts',
    tests: ['test/learning/confirmation.test.ts'],
    rows: [
      [
        'a claim is settled on another day of report',
        ' || !spansDays(candidate.firstSeconds, candidate.lastSeconds)',
        '',
      ],
      ['and of arrival', 'claimDay === candidate.claimDay || ', ''],
      [
        'who claims elsewhere earns nothing',
        ' && !candidates.some(other => other !== candidate && other.contributors.includes(account))',
        '',
      ],
      ['nobody earns twice by one station', 'isFirst && mayEarn(contributor)', 'mayEarn(contributor)'],
      ['all who saw it earn when it is settled', '[claimant, ...candidate.contributors, contributor]', '[contributor]'],
      ['a report earns once', 'this.accounts.clear();', ''],
    ],
  },
];
