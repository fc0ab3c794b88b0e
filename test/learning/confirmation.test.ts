// Who earns by which report. B is 100 m east of A and close enough for a second witness; C, 300 m, is not; D is another
// place, E one more.

import { describe, expect, test } from 'vitest';
import { claimDayOf } from '../../src/learning/candidate.ts';
import { Earners } from '../../src/learning/confirmation.ts';
import { observe } from '../../src/learning/life_cycle.ts';
import { KIND_WIFI } from '../../src/radio/kind.ts';
import {
  decodeLearned,
  encodeLearned,
  LEARNED_BLOCKED,
  type Learned,
  newLearned,
} from '../../src/tables/stations/learned_record.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { drawn } from '../kits/radio/ground.ts';
import { DAY, HOME, START } from '../kits/radio/reports.ts';
import { recordOf } from '../kits/radio/stations.ts';

const AT = drawn(`AB.C${'.'.repeat(26)}D${'.'.repeat(26)}E`, 100, HOME);

/**
 * What a station earns whom. `A7@3`: account 7 hears it at A on day 3, and the report arrives that day; `A7@3+1` a
 * day later; `T7` is a trusted one.
 * @returns the accounts that earn, for each of the reports
 */
function earners(texts: string, learned: Learned = newLearned(undefined)): string[] {
  return texts.split(' ').map(text => {
    const [, letter, trusted, who, day, late = '0'] = /^([A-E])(T?)(\d+)@([\d.]+)(?:\+(\d+))?$/.exec(text)!;
    const { earners } = observe(learned, KIND_WIFI, {
      latitudeE7: Math.round(AT[letter][0] * 1e7),
      longitudeE7: Math.round(AT[letter][1] * 1e7),
      accuracyMetres: 10,
      weight: 1,
      levelDbm: -60,
      seconds: START + Number(day) * DAY,
      contributor: Number(who),
      isTrusted: trusted === 'T',
      claimDay: claimDayOf((START + (Math.floor(Number(day)) + Number(late)) * DAY) * 1000),
      heard: [],
    });
    return [...earners].sort((a, b) => a - b).join('+');
  });
}

describe('what one account says', () => {
  test('earns nothing, however often on one day', () => {
    expect(earners('A7@3 A7@3.1 A7@3.9 A7@3.5')).toEqual(['', '', '', '']);
  });

  test('earns once on another day', () => {
    expect(earners('A7@3 A7@3.4 A7@4.2 A7@4.3 A7@9')).toEqual(['', '', '7', '', '']);
  });

  test('of several days that arrives on one of them earns nothing: its times are its own', () => {
    expect(earners('A7@3+6 A7@4+5 A7@5+4 A7@8+1')).toEqual(['', '', '', '']);
    expect(earners('A7@3+6 A7@4+5 A7@5+5')).toEqual(['', '', '7']);
  });

  test('of one day that arrives on several earns nothing', () => {
    expect(earners('A7@3 A7@3.2+1 A7@3.4+5')).toEqual(['', '', '']);
  });

  test('earns nothing where it says another thing as well', () => {
    expect(earners('A7@3 D7@4 D7@5')).toEqual(['', '', '']);
    expect(earners('A7@3 D7@4 A7@5')).toEqual(['', '', '']);
  });

  test('earns nothing where the station is known to be elsewhere', () => {
    expect(earners('A7@3 A8@3 D9@4 D9@5')).toEqual(['', '7+8', '', '']);
  });
});

describe('another account that agrees', () => {
  test('earns both their credits, once', () => {
    expect(earners('A7@3 A8@3 A8@3.1 A7@4 A8@5')).toEqual(['', '7+8', '', '', '']);
  });

  test('elsewhere, or not closely, earns nobody any', () => {
    expect(earners('A7@3 D8@3')).toEqual(['', '']);
    expect(earners('A7@3 C8@3')).toEqual(['', '']);
    expect(earners('A7@3 B8@3')).toEqual(['', '7+8']);
  });

  test('earns with all who have seen it there', () => {
    expect(earners('A7@3 C8@3 B9@3')).toEqual(['', '', '7+8+9']);
  });

  test('has one guess: who claims the station elsewhere too earns nothing, now or once it is known', () => {
    expect(earners('A7@3 D8@3 A8@3 A8@4')).toEqual(['', '', '', '']);
    expect(earners('A7@3 D8@3 A8@3 A9@3')).toEqual(['', '', '', '7+9']);
    expect(earners('A7@3 A9@3 D8@3 E8@3 A8@3')).toEqual(['', '7+9', '', '', '']);
    expect(earners('D7@3 A8@3 A7@3 D9@3')).toEqual(['', '', '', '']);
  });

  test('earns the first nothing more than its own day has', () => {
    expect(earners('A7@3 A7@4 A8@5 A8@6')).toEqual(['', '7', '8', '']);
  });

  test('as a third earns for itself, up to the sixth', () => {
    expect(earners('A1@1 A2@1 A3@1 A4@1 A5@1 A6@1 A7@1 A8@1 A3@2')).toEqual([
      '',
      '1+2',
      '3',
      '4',
      '5',
      '6',
      '',
      '',
      '',
    ]);
  });

  test(
    'as a third earns nothing by what it claims some hundred metres away: its balance would tell who lives ' +
      'around there',
    () => {
      expect(earners('A7@3 A8@3 C9@3')).toEqual(['', '7+8', '']);
      expect(earners('A7@3 A8@3 B9@3')).toEqual(['', '7+8', '9']);
      expect(earners('A7@3 A8@3 C9@3 A9@4')).toEqual(['', '7+8', '', '']);
    },
  );

  test('may be trusted, or be confirmed by one that is', () => {
    expect(earners('AT7@3 AT7@3.1 A8@3')).toEqual(['', '', '7+8']);
    expect(earners('A7@3 AT8@3 AT9@3')).toEqual(['', '7+8', '']);
    expect(earners('AT7@3 AT8@3')).toEqual(['', '7+8']);
    expect(earners('AT7@3 AT7@4')).toEqual(['', '7']);
  });

  test('may be a file of the operator, which earns nothing itself', () => {
    expect(earners('A7@3 AT0@3')).toEqual(['', '7']);
    expect(earners('AT0@3 A7@3 A7@4 A8@4')).toEqual(['', '7', '', '8']);
  });
});

test('an imported station is no witness', () => {
  const imported = () => newLearned(recordOf(stationAt(...HOME, 50, 100)));
  expect(earners('A7@3 A7@3.1', imported())).toEqual(['', '']);
  expect(earners('A7@3 A8@3', imported())).toEqual(['', '7+8']);
});

test('a station that has moved earns nothing until it is settled', () => {
  const learned = newLearned(undefined);
  expect(earners('A1@1 A2@1 D7@2 D8@2.1', learned)).toEqual(['', '1+2', '', '']);
  expect(learned.state).toBe(LEARNED_BLOCKED);
  expect(earners('D8@2.5 D7@3', learned)).toEqual(['', '']);
  expect(earners('D8@3.5', learned)).toEqual(['7+8']);
});

test('it is the same after each report was stored and read', () => {
  const texts = 'A7@3 A7@3.1 A7@4 A8@4.2 A9@5 D1@5 A1@6'.split(' ');
  let learned = newLearned(undefined);
  const stored = texts.flatMap(text => {
    const found = earners(text, learned);
    learned = decodeLearned(encodeLearned(learned));
    return found;
  });
  expect(stored).toEqual(earners(texts.join(' ')));
});

test('a report earns an account once, however many stations it confirms', () => {
  const earning = new Earners();
  const NOON = Date.parse('2025-11-10T12:00:00Z');
  earning.add([7, 8]);
  earning.add([9, 8]);
  earning.endReport(5, NOON);
  earning.endReport(6, NOON);
  earning.add([8]);
  earning.endReport(7, NOON + 86_400_000);
  expect(earning.reports).toEqual([
    ...[7, 8, 9].map(account => ({ account, sequence: 5, day: 20_402 })),
    { account: 8, sequence: 7, day: 20_403 },
  ]);
});
