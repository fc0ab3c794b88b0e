// Attacks by one hostile account on what others have contributed.

import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/tables/observations/report.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { ATTACK_REPORTS, ATTACKS, attack, HOSTILE, inOrder } from '../kits/radio/attacks.ts';
import { drawn, metresTo, moved } from '../kits/radio/ground.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { cell, DAY, HOME, report, TRUSTED } from '../kits/radio/reports.ts';
import { macKey } from '../kits/radio/stations.ts';
import { normal, uniform } from '../kits/random.ts';

const AP = macKey(0x001122334455);

/** Sixty reports by three accounts around a station; `shares` of them and levels may differ. */
function honestReports(
  key: Buffer,
  spreadMetres: number,
  shares = [20, 20, 20],
  levels = [-60, -60, -60],
  from = HOME,
): Report[] {
  const random = uniform(41);
  const bell = normal(random);
  return shares.flatMap((count, i) =>
    Array.from({ length: count }, (_, n) => {
      const [north, east] = [bell() * spreadMetres, bell() * spreadMetres];
      return report(11 + i, moved(from, east, north), n * 3_600 + i * 60, [
        { key, dbm: Math.round(levels[i] + bell() * 5) },
      ]);
    }),
  );
}

function learn(reports: readonly Report[], world = new LearnedWorld(), batch = 500): LearnedWorld {
  for (let at = 0; at < reports.length; at += batch) world.fold(reports.slice(at, at + batch));
  return world;
}

describe.each([
  { what: 'an access point', key: AP, spread: 25, scale: 1 },
  { what: 'a cell', key: cell(77), spread: 400, scale: 40 },
])('one hostile account against $what that three others have seen', ({ key, spread, scale }) => {
  const evenly = { shares: [20, 20, 20], levels: [-60, -60, -60] };
  const unevenly = { shares: [40, 10, 10], levels: [-45, -75, -75] };
  test.each(
    Object.keys(ATTACKS).flatMap(name =>
      ['before', 'between', 'after'].flatMap(order => [
        { name, order, spreads: 'evenly', ...evenly },
        { name, order, spreads: 'unevenly', ...unevenly },
      ]),
    ),
  )('$name, $order, cannot move it by more than its r50, observed $spreads', ({ name, order, shares, levels }) => {
    const honest = honestReports(key, spread, shares, levels);
    const without = learn(honest).active(key)!;
    const attacked = learn(inOrder(order, honest, attack(key, name, 0, 36, scale)));
    const after = attacked.active(key);
    expect(after).toBeDefined();
    expect(metresTo(without, after!)).toBeLessThanOrEqual(without.r50Metres);
    // Who was there stays in the record; at most the first report was ever thought to be an outlier.
    const { main, candidates } = attacked.learned(key)!;
    const { contributors, points } = candidates[main];
    for (const who of [11, 12, 13]) {
      const slot = contributors.indexOf(who) + 1;
      expect(slot).toBeGreaterThan(0);
      expect(
        points.filter(point => point.slot === slot).reduce((sum, { count }) => sum + count, 0),
      ).toBeGreaterThanOrEqual(shares[who - 11] - 1);
    }
  });
});

describe('one hostile account alone', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => macKey(0x020000000000 + i));

  test('never gets a new station published, however much it sends', () => {
    const world = learn(
      Array.from({ length: ATTACK_REPORTS }, (_, n) =>
        report(HOSTILE, moved(HOME, (n % 11) * 700, (n % 7) * 900), n * 30, [
          { key: hundred[n % 100], dbm: -40 },
          { key: cell(n % 50), dbm: -80 },
        ]),
      ),
    );
    expect(world.stations.size).toBe(0);
    expect(world.learnedBytes.size).toBe(150);
  });

  test('a single report of a second account, or of a trusted one, is what it lacks', () => {
    for (const who of [12, TRUSTED]) {
      const world = learn([report(HOSTILE, HOME, 0, [{ key: AP }]), report(who, HOME, 60, [{ key: AP }])]);
      expect(world.active(AP)).toMatchObject({ samples: 2 });
    }
  });

  test('a trusted contributor suffices', () => {
    expect(learn([report(TRUSTED, HOME, 0, [{ key: AP }])]).active(AP)).toMatchObject({ samples: 1 });
    // SEXTANT_AGREEMENT=1: whoever reports is trusted at intake.
    expect(learn([report(17, HOME, 0, [{ key: AP }], { isTrusted: true })]).active(AP)).toMatchObject({ samples: 1 });
  });

  test('cannot have a known station blocked, wherever it claims to have seen it', () => {
    const random = uniform(8);
    const honest = honestReports(AP, 25);
    const hostile = Array.from({ length: ATTACK_REPORTS }, (_, n) =>
      report(HOSTILE, moved(HOME, (random() - 0.5) * 40_000, (random() - 0.5) * 40_000), n * 40, [
        { key: AP, dbm: -30 },
      ]),
    );
    for (const order of ['before', 'between', 'after']) {
      const world = learn(inOrder(order, honest, hostile));
      expect(world.actions.block).toBe(0);
      const without = learn(honest).active(AP)!;
      expect(metresTo(world.active(AP)!, without)).toBeLessThan(without.r50Metres);
    }
  });

  test('not even where one honest contributor has had a bad position twice, at one position or at two', () => {
    const { H, x, y } = drawn(
      `
      x.......H
      ...y.....`,
      1_000,
      HOME,
    );
    const honest = honestReports(AP, 25, [20, 20, 20], [-60, -60, -60], H);
    const bad = [report(11, x, 30 * DAY, [{ key: AP }]), report(11, x, 30 * DAY + 9, [{ key: AP }])];
    const hostile = Array.from({ length: 50 }, (_, n) =>
      report(HOSTILE, moved(H, 0, 9_000 + n * 2_000), 30 * DAY + n, [{ key: AP, dbm: -30 }]),
    );
    for (const reports of [
      [...bad, ...hostile],
      [...hostile, ...bad],
      [bad[0], report(11, y, 31 * DAY, [{ key: AP }]), ...hostile.slice(0, 1)],
    ])
      expect(learn([...honest, ...reports]).active(AP)).toBeDefined();
  });

  describe('against a station that was imported', () => {
    const imported = { ...stationAt(...HOME, 60, 150), samples: 20, lastSeenDay: 20_000 };

    test.each(Object.keys(ATTACKS))('%s: it stays within half of its radius', name => {
      const world = new LearnedWorld();
      world.import(AP, imported);
      learn(attack(AP, name, 0, 36), world);
      const after = world.active(AP)!;
      expect(metresTo(after, imported)).toBeLessThanOrEqual(30.1);
      expect(after.r50Metres).toBeGreaterThan(20);
    });

    test('who comes first at the edge does not make the others strangers', () => {
      const world = new LearnedWorld();
      world.import(AP, imported);
      learn(
        [...Array.from({ length: 100 }, (_, n) => report(HOSTILE, moved(HOME, 600, 0), n, [{ key: AP, dbm: -20 }]))],
        world,
      );
      learn(honestReports(AP, 25), world);
      expect(world.actions.block).toBe(0);
      expect(metresTo(world.active(AP)!, HOME)).toBeLessThan(60);
    });

    test('an import wins over its claims', () => {
      const world = learn(attack(AP, 'growing offsets', 0, 36));
      world.import(AP, imported);
      expect(metresTo(world.active(AP)!, imported)).toBeLessThanOrEqual(30.1);
      learn(attack(AP, 'growing offsets', 400_000, 36), world);
      expect(metresTo(world.active(AP)!, imported)).toBeLessThanOrEqual(30.1);
    });

    test('a second import elsewhere does not leave its claims in charge', () => {
      const world = new LearnedWorld();
      world.import(AP, imported);
      learn(attack(AP, 'all at one position near by', 0, 36), world);
      const elsewhere = moved(HOME, 0, 8_000);
      world.import(AP, { ...imported, latitude: elsewhere[0], longitude: elsewhere[1] });
      expect(metresTo(world.active(AP)!, elsewhere)).toBeLessThan(0.02);
    });
  });

  test('its own voice is one of two where a single honest account is the only other: halfway, and no further', () => {
    const honest = honestReports(AP, 25, [60]);
    let known = 0;
    for (const name of Object.keys(ATTACKS)) {
      // Who claims it in several places is no witness, so it may not become known at all.
      const found = learn(inOrder('between', honest, attack(AP, name, 0, 36))).active(AP);
      if (found !== undefined) expect(metresTo(found, HOME)).toBeLessThan(500);
      known += found === undefined ? 0 : 1;
    }
    expect(known).toBeGreaterThan(0);
  });

  test('against a trusted contributor it moves nothing beyond the radius, however few reports that one sent', () => {
    const honest = [0, 1, 2].map(n => report(TRUSTED, moved(HOME, 0, n * 20), n * 60, [{ key: AP, dbm: -60 }]));
    const without = learn(honest).active(AP)!;
    for (const name of Object.keys(ATTACKS)) {
      const after = learn([...honest, ...attack(AP, name, 200, 36)]).active(AP)!;
      expect(metresTo(after, without)).toBeLessThanOrEqual(without.r50Metres);
    }
  });
});
