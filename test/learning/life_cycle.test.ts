import { describe, expect, test } from 'vitest';
import type { Sighting } from '../../src/learning/candidate.ts';
import { observe, rebase } from '../../src/learning/life_cycle.ts';
import { type Action, type Event, TRANSITIONS } from '../../src/learning/transitions.ts';
import { KIND_LTE, KIND_WIFI } from '../../src/radio/kind.ts';
import {
  LEARNED_BLOCKED,
  LEARNED_KNOWN,
  LEARNED_NEW,
  type Learned,
  newLearned,
} from '../../src/tables/stations/learned_record.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { drawn, moved, type Position } from '../kits/radio/ground.ts';
import { DAY, HOME, START } from '../kits/radio/reports.ts';
import { recordOf } from '../kits/radio/stations.ts';

const POSITIONS = drawn(
  `
  A..B..C
  .......
  D..E..F`,
  1_000,
  HOME,
);
const STATES: { [name: string]: number } = {
  none: 0,
  new: LEARNED_NEW,
  known: LEARNED_KNOWN,
  blocked: LEARNED_BLOCKED,
};

/** `A1@3`: account 1 hears the station at A on day 3; T is a trusted one. */
function sighting(text: string): Sighting {
  const [, letter, who, day] = /^([A-F])(\d|T)@([\d.]+)$/.exec(text)!;
  return {
    latitudeE7: Math.round(POSITIONS[letter][0] * 1e7),
    longitudeE7: Math.round(POSITIONS[letter][1] * 1e7),
    accuracyMetres: 10,
    weight: 1,
    levelDbm: -60,
    seconds: START + Number(day) * DAY,
    contributor: who === 'T' ? 0 : Number(who),
    isTrusted: who === 'T',
    claimDay: Math.floor(Number(day)),
    heard: [],
  };
}

function live(
  texts: string,
  learned = newLearned(undefined),
): { learned: Learned; last: ReturnType<typeof observe>; before: number } {
  let last: ReturnType<typeof observe> | undefined;
  let before = 0;
  for (const text of texts.split(' ')) {
    before = learned.candidates.length === 0 && learned.base === undefined ? 0 : learned.state;
    last = observe(learned, KIND_WIFI, sighting(text));
  }
  return { learned, last: last!, before };
}

function imported(at: Position): Uint8Array {
  return recordOf(stationAt(...at, 50, 100));
}

const WORLDS: readonly (readonly [string, Event, string, Action, string])[] = [
  ['none', 'unbacked', 'A1@0', 'new', 'new'],
  ['none', 'backed', 'AT@0', 'new', 'known'],
  ['new', 'unbacked', 'A1@0 A1@1', 'change', 'new'],
  ['new', 'backed', 'A1@0 A2@1', 'confirm', 'known'],
  ['new', 'stray', 'A1@0 B1@1', 'keep', 'new'],
  ['new', 'moved', 'A1@0 B2@1 B3@1', 'replace', 'known'],
  ['new', 'outdated', 'A1@0 BT@400 BT@400', 'replace', 'known'],
  ['new', 'travelling', 'A1@0 BT@1 CT@1', 'block', 'blocked'],
  ['known', 'backed', 'A1@0 A2@0 A1@1', 'change', 'known'],
  ['known', 'stray', 'AT@0 BT@1', 'keep', 'known'],
  ['known', 'moved', 'AT@0 BT@1 BT@1', 'block', 'blocked'],
  ['known', 'outdated', 'AT@0 BT@400 BT@400', 'replace', 'known'],
  ['known', 'travelling', 'A1@0 A2@0 B1@1 C1@1 D2@2 E2@2', 'block', 'blocked'],
  ['blocked', 'unbacked', 'AT@0 BT@1 BT@1 C1@2 C1@2', 'change', 'blocked'],
  ['blocked', 'backed', 'AT@0 BT@1 BT@1 BT@1.5', 'change', 'blocked'],
  ['blocked', 'stray', 'AT@0 BT@1 BT@1 C1@2', 'change', 'blocked'],
  ['blocked', 'settled', 'AT@0 BT@1 BT@1 BT@1.5 BT@2', 'replace', 'known'],
];

describe('the transition table', () => {
  test.each(WORLDS)('%s, %s: %s', (state, event, texts, action, next) => {
    const { learned, last, before } = live(texts);
    expect(before).toBe(STATES[state]);
    expect([last.event, last.action, learned.state]).toEqual([event, action, STATES[next]]);
  });

  test('has no row that no world reaches', () => {
    const rows = Object.entries(TRANSITIONS).flatMap(([state, events]) =>
      Object.keys(events).map(event => `${state} ${event}`),
    );
    expect(WORLDS.map(([state, event]) => `${STATES[state]} ${event}`).sort()).toEqual(rows.sort());
  });
});

describe('candidates', () => {
  test('the main one is asked first: what lies within its reach is no other candidate', () => {
    const { learned } = live('AT@0 AT@1 A1@2');
    expect(learned.candidates).toHaveLength(1);
  });

  test('who claims many positions keeps out nobody else', () => {
    const { learned } = live('AT@0 B1@1 C1@1 D1@1 E1@1 F2@2 B1@2 C1@2 D1@3 E1@3 B1@4');
    expect(learned.candidates.filter(({ contributors }) => contributors[0] === 2)).toHaveLength(1);
    expect(learned.candidates).toHaveLength(5);
    expect(learned.main).toBe(0);
  });

  test('of several claims of one account the oldest goes', () => {
    const { learned } = live('AT@0 B1@1 C1@2 D1@3 E1@4 B1@4.5 F1@5');
    const seconds = learned.candidates.slice(1).map(({ firstSeconds }) => (firstSeconds - START) / DAY);
    expect(seconds).toEqual([1, 3, 4, 5]);
  });

  test('show for thirty days that the station travels', () => {
    expect(live('A1@0 A2@0 B1@1 C1@1 D2@31 E2@31').last.event).toBe('travelling');
    expect(live('A1@0 A2@0 B1@1 C1@1 D2@31 E2@31.1').last.event).toBe('stray');
  });

  test('the station stands for an imported record until somebody sees it there', () => {
    const learned = newLearned(imported(POSITIONS.A));
    live('B1@0', learned);
    expect(learned).toMatchObject({ main: -1, state: LEARNED_KNOWN });
    live('A2@1', learned);
    expect(learned).toMatchObject({ main: 1, state: LEARNED_KNOWN });
  });
});

describe('an imported record', () => {
  test('makes known what one account has seen where it has it', () => {
    const { learned } = live('A1@0');
    rebase(learned, KIND_WIFI, imported(POSITIONS.A));
    expect(learned).toMatchObject({ state: LEARNED_KNOWN, main: 0, isBaseDisowned: false });
  });

  test('wins against one account', () => {
    const { learned } = live('A1@0');
    rebase(learned, KIND_WIFI, imported(POSITIONS.B));
    expect(learned).toMatchObject({ state: LEARNED_KNOWN, main: -1, isBaseDisowned: false });
  });

  test('loses against two, or a trusted one', () => {
    for (const texts of ['A1@0 A2@0', 'AT@0']) {
      const { learned } = live(texts);
      rebase(learned, KIND_WIFI, imported(POSITIONS.B));
      expect(learned).toMatchObject({ state: LEARNED_KNOWN, main: 0, isBaseDisowned: true });
    }
  });

  test('counts no more when the station is seen elsewhere', () => {
    const { learned, last } = live('BT@0 BT@0', newLearned(imported(POSITIONS.A)));
    expect(last.event).toBe('outdated');
    expect(learned).toMatchObject({ state: LEARNED_KNOWN, isBaseDisowned: true });
  });

  test('joined a second time changes nothing', () => {
    for (const texts of ['A1@0', 'A1@0 A2@0', 'B1@0', 'B1@0 B2@0', 'AT@0 BT@1 BT@1']) {
      const { learned } = live(texts);
      rebase(learned, KIND_WIFI, imported(POSITIONS.A));
      const once = structuredClone(learned);
      rebase(learned, KIND_WIFI, imported(POSITIONS.A));
      expect(learned).toEqual(once);
    }
  });
});

describe('a cell with many samples', () => {
  const sampled = (samples: number) => newLearned(recordOf({ ...stationAt(...POSITIONS.A, 50, 100), samples }));
  /** Hears a cell at places that are hundreds of kilometres apart. */
  const far = (texts: string, learned = newLearned(undefined)) => {
    const events = texts.split(' ').map(text => {
      const { longitudeE7, ...rest } = sighting(text);
      const east = 30_000_000 * 'ABCDEF'.indexOf(text[0]);
      return observe(learned, KIND_LTE, { ...rest, longitudeE7: longitudeE7 + east }).event;
    });
    return { learned, last: { event: events.at(-1) } };
  };
  const SEVEN_MINUTES = 'BT@1 BT@1.001 BT@1.002 BT@1.003 BT@1.005';

  test('is not left for one track, whoever reports it', () => {
    const { learned, last } = far(SEVEN_MINUTES, sampled(20));
    expect([last.event, learned.state, learned.isBaseDisowned]).toEqual(['stray', LEARNED_KNOWN, false]);
    expect(far(SEVEN_MINUTES, sampled(19)).last.event).not.toBe('stray');
    expect(far(`${SEVEN_MINUTES} C1@1 C2@1.1 CT@1.2 B2@1.3`, sampled(79)).learned.state).toBe(LEARNED_KNOWN);
  });

  test('is left once another day shows the same, at least half a day later', () => {
    expect(far(`${SEVEN_MINUTES} BT@2`, sampled(79)).learned).toMatchObject({ isBaseDisowned: true });
    expect(far('BT@0.9 BT@1.1 BT@1.35', sampled(79)).last.event).toBe('stray');
    expect(far('BT@0.2 BT@0.9', sampled(79)).last.event).toBe('stray');
    expect(far('BT@0.9 BT@1.41', sampled(79)).last.event).not.toBe('stray');
  });

  test('may be learned as well', () => {
    const home = Array.from({ length: 20 }, (_, i) => `AT@0.${i + 10}`).join(' ');
    expect(far(`${home} BT@1 BT@1`).last.event).toBe('stray');
    expect(far(`${home} BT@1 BT@1 BT@2`).last.event).toBe('moved');
  });

  test('that is imported wins against what a trusted key has reported within a track', () => {
    for (const [texts, main] of [['BT@0 BT@0.1', -1] as const, ['BT@0 BT@1', 0] as const]) {
      const { learned } = far(texts);
      rebase(learned, KIND_LTE, sampled(79).base!);
      expect(learned.main).toBe(main);
    }
  });
});

describe('the second witness of an access point', () => {
  /** What accounts claim, each at so many metres east of home; the state of the station after it. */
  function stateAfter(...claims: readonly (readonly [who: number, east: number])[]): number {
    const learned = newLearned(undefined);
    for (const [n, [contributor, east]] of claims.entries()) {
      const [latitude, longitude] = moved(HOME, east, 0);
      const at = { latitudeE7: Math.round(latitude * 1e7), longitudeE7: Math.round(longitude * 1e7) };
      observe(learned, KIND_WIFI, { ...sighting('A1@0'), ...at, contributor, seconds: START + n });
    }
    return learned.state;
  }

  test('agrees within 150 metres', () => {
    expect(stateAfter([1, 0], [2, 149])).toBe(LEARNED_KNOWN);
    expect(stateAfter([1, 0], [2, 152])).toBe(LEARNED_NEW);
    expect(stateAfter([1, 0], [2, 300], [3, 100])).toBe(LEARNED_KNOWN);
  });

  test('is no account that claims the station elsewhere as well, before or after', () => {
    expect(stateAfter([1, 0], [2, 2_000], [2, 20])).toBe(LEARNED_NEW);
    expect(stateAfter([1, 0], [2, 700], [2, 1_400], [2, 2_100], [2, 2_800], [2, 20])).toBe(LEARNED_NEW);
    expect(stateAfter([1, 0], [2, 2_000], [2, 20], [3, 30])).toBe(LEARNED_KNOWN);
  });

  test('of a grid over a town, whose every point one account claims, makes nothing known', () => {
    const grid = Array.from({ length: 841 }, (_, n) => [2, 700 * n - 300_000] as const);
    expect(stateAfter([1, 50], ...grid)).toBe(LEARNED_NEW);
  });

  test('does not move a new station to where the other one is, having claimed it first elsewhere', () => {
    expect(stateAfter([2, 2_000], [1, 0], [2, 20], [2, 30])).toBe(LEARNED_NEW);
  });

  test('may come from anywhere for a cell', () => {
    const learned = newLearned(undefined);
    for (const at of ['A1@0', 'B2@1']) observe(learned, KIND_LTE, sighting(at));
    expect(learned.state).toBe(LEARNED_KNOWN);
  });
});

describe('a blocked access point', () => {
  /**
   * Two accounts hear it at A; two others say that it travels, one of whom then claims it elsewhere and at last at A,
   * for days.
   */
  const blocked = 'A1@0 A2@1 B3@2 C3@2.1 B4@2.2 C4@2.3';

  test('is not brought back by an account that tries one place after the other', () => {
    const { learned, last } = live(`${blocked} D3@3 D3@3.6 D3@4.1 E3@5 E3@5.6 E3@6.1 A3@7 A3@7.6 A3@8.1 A3@12`);
    expect(last.event).toBe('backed');
    expect(learned.state).toBe(LEARNED_BLOCKED);
    expect(live('A1@13', learned).learned.state).toBe(LEARNED_KNOWN);
  });

  test('is not brought back by a claim some hundred metres away, which agrees with where it is', () => {
    const { learned } = live(blocked);
    const claimAway = (east: number, contributor: number, day: number) => {
      const [latitude, longitude] = moved(POSITIONS.A, east, 0);
      const at = { latitudeE7: Math.round(latitude * 1e7), longitudeE7: Math.round(longitude * 1e7) };
      return observe(learned, KIND_WIFI, { ...sighting('A1@0'), ...at, contributor, seconds: START + day * DAY }).event;
    };
    for (const day of [3, 3.6, 4.1]) expect(claimAway(400, 5, day)).not.toBe('settled');
    expect(claimAway(100, 6, 4.2)).toBe('settled');
  });

  test('is not brought back by an account with one that does so', () => {
    expect(live(`${blocked} F3@3 F5@3.6 F5@4.1`).last.event).toBe('backed');
    expect(live(`${blocked} F6@3 F5@3.6 F5@4.1`).last.event).toBe('settled');
  });

  test('takes no notice of where it was before', () => {
    expect(live('AT@0 BT@5 BT@5 CT@4 BT@5.5 BT@6').learned.state).toBe(LEARNED_KNOWN);
  });

  test.each([
    [1, 1],
    [2, 2],
    [7, 64],
    [8, 64],
    [255, 64],
  ])('comes back, if blocked for the %i. time, after %i days and three reports', (blocks, days) => {
    const { learned } = live('AT@0 BT@1 BT@1');
    learned.blocks = blocks;
    const other = structuredClone(learned);
    expect(live(`BT@1.5 BT@${days + 0.9} BT@${days + 1}`, learned).learned.state).toBe(LEARNED_KNOWN);
    expect(live(`BT@1.5 BT@${days + 0.9}`, other).learned.state).toBe(LEARNED_BLOCKED);
    const { learned: heardTwice } = live('AT@0 BT@1 BT@1');
    heardTwice.blocks = blocks;
    expect(live(`BT@${days + 1}`, heardTwice).last.event).toBe('backed');
  });

  test('comes back where those who saw it elsewhere before see it now', () => {
    expect(live('A1@0 A2@0 B1@2 B2@2 B1@3 B2@3.1 B2@3.2').learned.state).toBe(LEARNED_KNOWN);
    expect(live(`${blocked} AT@3 AT@3.5 AT@4.1`).learned.state).toBe(LEARNED_KNOWN);
  });
});
