// How the rules may break by which no answer tells where a station is.

import type { Mutations } from './mutations.ts';

const GUESSES_TESTS = ['test/tables/stations/guesses.test.ts', 'test/tables/stations/guesses_stress.test.ts'];
const GUESSER_TESTS = [
  'test/positioning/transmitters/guesser.test.ts',
  'test/privacy/worlds/indistinguishable.test.ts',
];

export const PRIVACY: readonly Mutations[] = [
  {
    file: 'src/tables/stations/guesses.ts',
    tests: GUESSES_TESTS,
    rows: [
      ['three places', 'PLACES_MAX = 3', 'PLACES_MAX = 4'],
      ['a hundred wrong guesses', 'WRONG_MAX = 100', 'WRONG_MAX = 101'],
      ['one is forgiven in 864 s', 'WRONG_SECONDS = 864', 'WRONG_SECONDS = 863'],
      ['a half by an answer', 'ANSWERS_A_GUESS = 2', 'ANSWERS_A_GUESS = 1'],
      ['so many are saved', 'SAVED_MAX = 900', 'SAVED_MAX = 1_900'],
      ['ten accounts', 'ACCOUNTS_MAX = 10', 'ACCOUNTS_MAX = 9'],
      ['trusted accounts count for themselves', 'if (!isTrusted) this.countAccount(', 'this.countAccount('],
      ['an account counts once', '& COUNTED) !== 0) return;', '& COUNTED) !== 0 && nowMs < 0) return;'],
      ['a node has its share', 'Math.floor(WRONG_MAX / this.nodes)', 'WRONG_MAX'],
      ['what was found may be wrong', 'if (isFound || (known', 'if ((known'],
      [
        'a place is taken by one thread',
        'entries, at + ENTRY_COUNT, count, count + 1) !== count)',
        'entries, at + ENTRY_COUNT, count, count + 1) < 0)',
      ],
    ],
  },
  {
    file: 'src/tables/stations/guess_entries.ts',
    tests: GUESSES_TESTS,
    rows: [
      ['an entry is claimed by one thread', 'if (this.writtenAt(at) === account &&', 'if (nowMs < 0 &&'],
      [
        'entries of an earlier week are free',
        'if (isOver(words, at, nowMs)) none = NONE;',
        'if (nowMs < 0) none = NONE;',
      ],
    ],
  },
  {
    file: 'src/tables/requests/guess_entry.ts',
    tests: GUESSES_TESTS,
    rows: [['places 200 m apart', 'PLACE_METRES = 200', 'PLACE_METRES = 205']],
  },
  {
    file: 'src/positioning/transmitters/guesser.ts',
    tests: GUESSER_TESTS,
    rows: [
      ['the operator does not guess', 'if (account === 0) return false;', ''],
      ['who may not guess is left out', '!memory.mayGuess(this.account, radio, nowMs)', 'nowMs < 0'],
      ['what is elsewhere is noted', 'if (elsewhere.length > 0)', 'if (elsewhere.length > 1)'],
      ['what was found is noted', 'if (!this.hasEntriesNow()) return;\n    for', 'if (nowMs > 0) return;\n    for'],
      ['what is not answered is noted', '} else if (selected.canWin) {', '} else if (count < 0) {'],
    ],
  },
  {
    file: 'src/positioning/locate.ts',
    tests: GUESSER_TESTS,
    rows: [
      [
        'who may guess no more is refused',
        ' && this.asking.allowance < DEVICES_MIN',
        ' && this.asking.allowance < -1_000',
      ],
      ['but for cells', ' && query.firstCell > 0)', ')'],
    ],
  },
  {
    file: 'src/tables/stations/cell_area.ts',
    tests: ['test/tables/stations/cell_area.test.ts'],
    rows: [
      ['trusted cells are where they are', ' && isUntrustedAt(record)', ''],
      ['an area has 500 m', 'AREA_METRES = 500', 'AREA_METRES = 499'],
      ['a square is a kilometre', 'SQUARE_E7 = 90_000', 'SQUARE_E7 = 180_000'],
    ],
  },
];
