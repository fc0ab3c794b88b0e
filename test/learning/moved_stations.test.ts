// Stations that move: routers that change house, hotspots that travel, and what only looks like it.

import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/tables/observations/report.ts';
import { STATE_BLOCKED, stationAt } from '../../src/tables/stations/station.ts';
import { drawn, metresTo, moved, type Position } from '../kits/radio/ground.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { cell, DAY, HOME, report, TRUSTED, type Who } from '../kits/radio/reports.ts';
import { macKey, stationOf } from '../kits/radio/stations.ts';

const AP = macKey(0x0a1b2c3d4e5f);
const HOUR = 3_600;

/** The old house and the new one, five kilometres apart, and a third. */
const { O, N, T } = drawn(
  `
  O....N
  ......
  T.....`,
  1_000,
  HOME,
);

/** Reports by each of some contributors, one an hour, at one position. */
function seen(at: Position, who: readonly Who[], startSeconds: number, count: number, stepSeconds = HOUR): Report[] {
  return Array.from({ length: count }, (_, n) =>
    report(who[n % who.length], moved(at, (n % 3) * 9 - 9, (n % 5) * 8 - 16), startSeconds + n * stepSeconds, [
      { key: AP, dbm: -60 },
    ]),
  );
}

function learn(reports: readonly Report[], world = new LearnedWorld()): LearnedWorld {
  for (const each of reports) world.fold([each]);
  return world;
}

/** Where lookups have the station. */
function house(world: LearnedWorld): string {
  const found = world.active(AP);
  if (found === undefined) return 'nowhere';
  return (Object.entries({ O, N, T }).find(([, at]) => metresTo(found, at) < 100) ?? ['elsewhere'])[0];
}

describe('a router that moves house', () => {
  test.each([
    { by: 'two accounts', who: [1, 2] },
    { by: 'a trusted account', who: [TRUSTED] },
    { by: 'many', who: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
  ])('seen by $by: blocked, back after a day, and the old candidate is forgotten', ({ who }) => {
    const world = learn(seen(O, who, 0, 40));
    expect(house(world)).toBe('O');
    learn(seen(N, who, 10 * DAY, 2), world);
    expect(house(world)).toBe('nowhere');
    expect(stationOf(world.stations.get(AP.toString('hex'))!)).toMatchObject({ state: STATE_BLOCKED });
    learn(seen(N, who, 10 * DAY + 2 * HOUR, 20), world);
    expect(house(world)).toBe('nowhere');
    learn(seen(N, who, 11 * DAY + 2 * HOUR, 1), world);
    expect(house(world)).toBe('N');
    expect(world.learned(AP)!.candidates).toHaveLength(1);
    expect(world.actions).toMatchObject({ block: 1, replace: 1 });
  });

  test('the second time it takes two days, the third time four', () => {
    const world = learn(seen(O, [1, 2], 0, 10));
    let now = 10 * DAY;
    for (const { at, name, days } of [
      { at: N, name: 'N', days: 1 },
      { at: T, name: 'T', days: 2 },
      { at: O, name: 'O', days: 4 },
    ]) {
      learn(seen(at, [1, 2], now, 2), world);
      expect(house(world)).toBe('nowhere');
      learn(seen(at, [1, 2], now + 2 * HOUR, days * 24 - 3), world);
      expect(house(world)).toBe('nowhere');
      learn(seen(at, [1, 2], now + days * DAY + HOUR, 2), world);
      expect(house(world)).toBe(name);
      now += (days + 5) * DAY;
    }
    expect(world.learned(AP)!.blocks).toBe(3);
  });

  test('one account alone does not show that it moved', () => {
    const world = learn([...seen(O, [1, 2], 0, 20), ...seen(N, [1], 5 * DAY, 100)]);
    expect(house(world)).toBe('O');
    learn(seen(N, [2], 20 * DAY, 1), world);
    expect(house(world)).toBe('nowhere');
  });

  test('blocked for as long as it is seen here and there', () => {
    const world = learn(seen(O, [1, 2], 0, 20));
    for (let day = 10; day < 40; day++) {
      learn(seen(day % 2 === 0 ? N : O, [1, 2], day * DAY, 3), world);
      if (day > 10) expect(house(world)).toBe('nowhere');
    }
  });

  test('nobody has seen it for over a year: the new candidate replaces it at once', () => {
    const world = learn([...seen(O, [1, 2], 0, 20), ...seen(N, [1, 2], 400 * DAY, 2)]);
    expect(house(world)).toBe('N');
    expect(world.actions).toMatchObject({ block: 0, replace: 1 });
  });

  test('reports from before the move that come late do not block it', () => {
    const world = learn([...seen(O, [1, 2], 0, 10), ...seen(N, [1, 2], 10 * DAY, 30)]);
    expect(house(world)).toBe('N');
    learn(seen(O, [3, 4], 2 * DAY, 40), world);
    learn(seen(O, [TRUSTED], 5 * DAY, 40), world);
    expect(house(world)).toBe('N');
    expect(world.actions.block).toBe(1);
  });

  test('reports from before its first sighting that come late do not block it', () => {
    const world = learn([...seen(N, [1, 2], 10 * DAY, 30), ...seen(O, [3, 4], 0, 40), ...seen(T, [TRUSTED], 0, 40)]);
    expect(house(world)).toBe('N');
    expect(world.actions.block).toBe(0);
  });
});

describe('what only looks like a move', () => {
  test.each([1, TRUSTED])('one bad position two kilometres off, by %i', who => {
    const world = learn([
      ...seen(O, [1, 2, TRUSTED], 0, 40),
      ...seen(moved(O, 0, 2_000), [who], 3 * DAY, 1),
      ...seen(O, [1, 2], 4 * DAY, 5),
    ]);
    expect(house(world)).toBe('O');
    expect(world.actions.block).toBe(0);
  });

  test('bad positions of a trusted account, each elsewhere and months apart', () => {
    const world = learn(seen(O, [TRUSTED], 0, 40));
    for (let n = 1; n < 12; n++) {
      learn(seen(moved(O, 0, n * 2_000), [TRUSTED], n * 60 * DAY, 1), world);
      learn(seen(O, [TRUSTED], n * 60 * DAY + DAY, 3), world);
      expect(house(world)).toBe('O');
    }
    expect(world.actions.block).toBe(0);
  });

  test('a campus whose observations reach five hundred metres', () => {
    const world = new LearnedWorld();
    for (let n = 0; n < 60; n++)
      learn(seen(moved(O, Math.floor(n / 10) * 40, (n % 10) * 48 - 216), [1 + (n % 3)], n * HOUR, 1), world);
    expect(world.actions.block).toBe(0);
    expect(world.learned(AP)!.candidates).toHaveLength(1);
  });

  test('a cell that is heard over forty kilometres', () => {
    const key = cell(9);
    const world = new LearnedWorld();
    for (let n = 0; n < 80; n++) world.fold([report(1 + (n % 2), moved(O, 0, n * 500), n * 60, [{ key, dbm: -90 }])]);
    expect(world.actions.block).toBe(0);
    expect(world.active(key)!.r50Metres).toBeGreaterThan(8_000);
  });
});

describe('a hotspot in a bus', () => {
  /** Rides along one line, a report every 300 m and 30 s, by one contributor after the other. */
  function rides(who: readonly Who[], count: number, headingOf: (ride: number) => [number, number]): Report[] {
    return Array.from({ length: count }, (_, ride) => {
      const [north, east] = headingOf(ride);
      return Array.from({ length: 40 }, (_, stop) =>
        report(who[ride % who.length], moved(O, stop * 300 * east, stop * 300 * north), ride * 5 * HOUR + stop * 30, [
          { key: AP, dbm: -55 },
        ]),
      );
    }).flat();
  }
  const oneLine = (): [number, number] => [0, 1];
  const manyLines = (ride: number): [number, number] => [Math.cos(ride), Math.sin(ride)];

  test.each([
    { by: 'one trusted contributor', who: [TRUSTED] },
    { by: 'two others', who: [1, 2] },
    { by: 'many', who: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  ])('ridden by $by: never in the tables for longer than a ride, on one line or many', ({ who }) => {
    for (const lines of [oneLine, manyLines]) {
      const world = new LearnedWorld();
      let first: number | undefined;
      for (const [n, each] of rides(who, 30, lines).entries()) {
        world.fold([each]);
        if (world.active(AP) !== undefined) first ??= n;
        if (first !== undefined && n > first + 40) expect(world.active(AP), `report ${n}`).toBeUndefined();
      }
      expect(world.active(AP)).toBeUndefined();
    }
  });

  test('two who ride different lines from one stop', () => {
    const world = learn([
      ...seen(O, [1, 2], 0, 6),
      ...rides([1, 2], 8, ride => (ride % 2 === 0 ? [0, 1] : [1, 0])).map(each => ({
        ...each,
        timeMs: each.timeMs + DAY * 1000,
      })),
    ]);
    expect(world.active(AP)).toBeUndefined();
    expect(world.actions.block).toBeGreaterThan(0);
  });

  test('ridden by one account that nobody trusts, it is never in the tables at all', () => {
    const world = learn(rides([1], 20, manyLines));
    expect(world.stations.size).toBe(0);
  });
});

describe('a station that was imported', () => {
  const imported = { ...stationAt(...O, 50, 120), samples: 30, lastSeenDay: 20_240 };

  test('and is then seen elsewhere by two accounts: blocked, and back there', () => {
    const world = new LearnedWorld();
    world.import(AP, imported);
    learn(seen(N, [1], 10 * DAY, 20), world);
    expect(house(world)).toBe('O');
    learn(seen(N, [2], 11 * DAY, 1), world);
    expect(house(world)).toBe('nowhere');
    learn(seen(N, [1, 2], 11 * DAY + HOUR, 30), world);
    expect(house(world)).toBe('N');
    expect(world.learned(AP)).toMatchObject({ isBaseDisowned: true });
  });

  test('and imported again while it is blocked: it stays blocked until it settles', () => {
    const world = new LearnedWorld();
    world.import(AP, imported);
    learn(seen(N, [1, 2], 10 * DAY, 4), world);
    world.import(AP, imported);
    expect(house(world)).toBe('nowhere');
    learn(seen(N, [1, 2], 10 * DAY + 4 * HOUR, 30), world);
    expect(house(world)).toBe('N');
  });

  test('over what several have seen elsewhere: they know better', () => {
    const world = learn(seen(N, [1, 2], 10 * DAY, 20));
    world.import(AP, imported);
    expect(house(world)).toBe('N');
    learn(seen(N, [1, 2], 12 * DAY, 20), world);
    expect(house(world)).toBe('N');
    expect(world.actions.block).toBe(0);
  });

  test('over what one has seen elsewhere: the import counts, and that one alone has no say', () => {
    const world = learn(seen(N, [1], 10 * DAY, 20));
    world.import(AP, imported);
    expect(house(world)).toBe('O');
    learn(seen(N, [1], 12 * DAY, 20), world);
    expect(house(world)).toBe('O');
    learn(seen(O, [1], 13 * DAY, 20), world);
    expect(house(world)).toBe('O');
  });

  test('and is seen there: one record of both', () => {
    const world = new LearnedWorld();
    world.import(AP, imported);
    learn(seen(O, [1, 2], 10 * DAY, 20), world);
    expect(world.active(AP)).toMatchObject({ samples: 50, isLearned: true });
    expect(house(world)).toBe('O');
  });
});
