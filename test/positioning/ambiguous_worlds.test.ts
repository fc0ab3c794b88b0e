// Worlds in which the observations have more than one explanation. The truth is drawn in each of them: does the answer
// choose the right place and lie near it?

import { describe, expect, test } from 'vitest';
import { SOURCE_CELL, SOURCE_GPS, SOURCE_WIFI } from '../../src/radio/query/layout.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { asking, type CellName, entry, worldOf } from '../kits/radio/cell_world.ts';
import { metresTo, moved, type Position } from '../kits/radio/ground.ts';
import { HeardWorld } from '../kits/radio/heard_world.ts';
import type { Answer } from '../kits/radio/station_folder.ts';
import { World } from '../kits/radio/world.ts';

/** Level of an access point or beacon at a distance by the usual path loss, without noise. */
function levelAt(metres: number): number {
  return Math.round(-38 - 31 * Math.log10(Math.max(1, metres)));
}

/** Locates a device at `name` of the map by the named access points within 200 m. */
function heardAt(world: World, name: string, accessPoints: string) {
  const question = world.ask();
  const here = world.positions.get(name)!;
  for (const heard of accessPoints) question.wifi(heard, levelAt(metresTo(here, world.positions.get(heard)!)));
  return question;
}

function expectInside(world: World, answer: Answer | undefined, name: string): void {
  expect(world.metresTo(answer, name)).toBeLessThanOrEqual(answer?.accuracyMetres ?? 0);
}

describe('two clusters', () => {
  // The access points of the second town came along: in an old cache, or on a truck.
  const here = { metres: 20, map: 'A.B\n.x.\n..C' };
  const there = { metres: 20, map: 'F.G\n.y.\n..H', origin: [49.9, 8.65] as const };

  test('as many and as loud: none is answered, and no middle', async () => {
    const world = await World.draw(here, there);
    expect(heardAt(world, 'x', 'ABC').wifi('F', -70).wifi('G', -70).wifi('H', -71).answer()).toBeUndefined();
  });

  test('a coarse fix does not decide between them, and is answered alone', async () => {
    const world = await World.draw(here, there);
    for (const name of ['x', 'y']) {
      const question = heardAt(world, 'x', 'ABC');
      for (const heard of 'FGH')
        question.wifi(heard, levelAt(metresTo(world.positions.get('y')!, world.positions.get(heard)!)));
      const fix = moved(world.positions.get(name)!, 150, 0);
      const answer = question.gps(fix, 200).answer();
      expect(world.metresTo(answer, name)).toBeCloseTo(150, 0);
      expect(answer?.sources).toBe(SOURCE_GPS);
      expectInside(world, answer, name);
    }
  });

  test('one more of one town outweighs any loudness of the other', async () => {
    const world = await World.draw(here, there);
    const answer = heardAt(world, 'x', 'ABC').wifi('F', -30).wifi('G', -30).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(10);
    expectInside(world, answer, 'x');
  });

  test('of cells: the town of the serving one, with no part of the other', async () => {
    const world = await World.draw({ metres: 100, map: '1...2' }, { metres: 100, map: '3...4', origin: [50.4, 8.65] });
    const both = (serving: number) => {
      const question = world.ask();
      for (const cell of [1, 2, 3, 4]) question.cell(cell, -80, { serving: cell === serving });
      return question.answer();
    };
    for (const [serving, other] of [
      [1, 2],
      [3, 4],
    ]) {
      const answer = both(serving);
      expect(world.metresTo(answer, String(serving))).toBeCloseTo(200, -1);
      expect(world.metresTo(answer, String(other))).toBeCloseTo(200, -1);
      expect(answer).toMatchObject({ sources: SOURCE_CELL, used: 2 });
      expectInside(world, answer, String(serving));
    }
  });
});

describe('access points that are not where they were', () => {
  // N and M are listed far down the street on either side. Now they are next to the device, and by their levels they
  // are the nearest.
  const street = {
    metres: 20,
    map: '..............A.B.C.D..............\nN................x................M\n..............E.F.G.H..............',
  };

  test('two of ten, the loudest, move nothing', async () => {
    const world = await World.draw(street);
    const without = heardAt(world, 'x', 'ABCDEFGH').answer();
    const answer = heardAt(world, 'x', 'ABCDEFGH').wifi('M', -45).wifi('N', -47).answer();
    expect(world.metresTo(without, 'x')).toBeLessThan(5);
    expect(world.metresTo(answer, 'x')).toBeLessThan(12);
    expect(answer?.used).toBe(8);
    expectInside(world, answer, 'x');
  });

  test('of two access points the moved one cannot be identified, so neither is used', async () => {
    const world = await World.draw(street);
    expect(heardAt(world, 'x', 'BC').answer()?.used).toBe(2);
    expect(heardAt(world, 'x', 'B').wifi('M', levelAt(40)).answer()).toBeUndefined();
  });

  test('a home that has moved to another town is found by what its neighbours there say', async () => {
    const world = await World.draw(
      { metres: 15, map: 'M' },
      { metres: 15, map: 'A.B\n.x.\nC.D', origin: [48.14, 11.57] },
    );
    const answer = heardAt(world, 'x', 'ABCD').wifi('M', -35).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(5);
    expect(answer).toMatchObject({ used: 4 });
    expectInside(world, answer, 'x');
  });

  test('a spoofed list, louder and longer, loses against the cells and the fix that it contradicts', async () => {
    const spoofed = { metres: 20, map: 'P.Q.R\nS.T.U', origin: [50.11, 8.68] as const };
    const world = await World.draw({ metres: 20, map: 'A.x.B\n..1.2' }, spoofed);
    const question = heardAt(world, 'x', 'AB');
    for (const name of 'PQRSTU') question.wifi(name, -40);
    expect(world.metresTo(question.answer(), 'Q')).toBeLessThan(40);
    question.cell(1, -80, { serving: true }).cell(2, -85);
    expect(world.metresTo(question.answer(), 'x')).toBeLessThan(60);
    const answer = question.gps('x', 30).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(20);
    expectInside(world, answer, 'x');
    const alone = world.ask().cell(1, -80, { serving: true }).cell(2, -85).gps('x', 30);
    for (const name of 'PQRSTU') alone.wifi(name, -40);
    const withoutReal = alone.answer();
    expect(withoutReal?.sources).toBe(SOURCE_GPS | SOURCE_CELL);
    expect(world.metresTo(withoutReal, 'x')).toBeLessThan(20);
  });
});

describe('a tunnel of cells', () => {
  // Six cells in a row, each heard for 1.2 km and 200 m into the next, loud at its middle and equally loud on both
  // sides.
  const CELLS = 6;
  const SPACING = 1_000;
  const REACH = 600;
  const PORTAL: Position = [47.3, 11.4];
  const along = (metres: number): Position => moved(PORTAL, metres, 0);

  function heardIn(metres: number): { cell: number; level: number; code: number }[] {
    const heard = [];
    for (let i = 0; i < CELLS; i++) {
      const away = Math.abs(metres - i * SPACING);
      // Codes are reused after three cells, as in real networks.
      if (away <= REACH) heard.push({ cell: 256 * (i + 1), level: Math.round(-60 - away / 15), code: i % 3 });
    }
    return heard.sort((a, b) => b.level - a.level);
  }

  async function tunnel(): Promise<HeardWorld> {
    const world = await HeardWorld.open(232);
    for (let metres = 0; metres <= (CELLS - 1) * SPACING; metres += 50)
      await world.hear(along(metres), heardIn(metres), 2);
    return world;
  }

  test('a train is placed between the right cells, forwards all the way, and half of the time within the radius', async () => {
    const world = await tunnel();
    let inside = 0;
    let asked = 0;
    for (let metres = 25; metres < (CELLS - 1) * SPACING; metres += 100) {
      const located = world.locate(heardIn(metres));
      // Where one is heard alone, at most on the other side of its middle.
      expect(metresTo(located, along(metres))).toBeLessThan(2 * (SPACING - REACH));
      // Where two cells overlap there is no other side.
      if (heardIn(metres).length === 2) expect(metresTo(located, along(metres))).toBeLessThan(100);
      if (metresTo(located, along(metres)) <= (located?.accuracyMetres ?? 0)) inside++;
      asked++;
    }
    expect(inside).toBeGreaterThanOrEqual(asked / 2);
  });

  test('a cell that is heard to the east says east, though its level says both', async () => {
    const world = await tunnel();
    for (const side of [-450, 450]) {
      const located = world.locate(heardIn(2 * SPACING + side));
      expect(metresTo(located, along(2 * SPACING + side))).toBeLessThan(100);
      expect(metresTo(located, along(2 * SPACING - side))).toBeGreaterThan(700);
    }
  });

  test('a code that is reused in the tunnel is that of the cell next to the serving one', async () => {
    const world = await tunnel();
    for (const cell of [1, 2, 3, 4]) {
      // A new cell, known by an import alone, 200 m before the next one.
      const metres = (cell + 1) * SPACING - 200;
      const next = { level: -75, code: (cell + 1) % 3 };
      await world.import(9_000 + cell, stationAt(...along(metres), 400, 800));
      const serving = { cell: 9_000 + cell, level: -75, serving: true };
      expect(metresTo(world.locate([serving]), along(metres))).toBeLessThan(1);
      const located = world.locate([serving, next]);
      expect(located?.used).toBe(2);
      expect(metresTo(located, along(metres))).toBeGreaterThan(20);
      expect(metresTo(located, along(metres + 200))).toBeLessThan(200);
    }
  });
});

describe('border towns', () => {
  const KEHL: Position = [48.575, 7.815];
  const STRASBOURG: Position = [48.58, 7.75];
  const PARIS: Position = [48.86, 2.35];
  /** West of the Rhine, which is the border: 24 km, and 40 km. */
  const NEAR: Position = [48.58, 7.47];
  const FAR: Position = [48.58, 7.25];
  const BADEN: Position = [48.58, 8.4];
  const german = (cell: number): CellName => `lte 262-1-5001-${cell}`;
  const french = (cell: number): CellName => `lte 208-1-7001-${cell}`;

  test('a cell is used up to the margin behind the border of its network, on either side', async () => {
    const ask = await worldOf({ [german(256)]: NEAR, [german(512)]: FAR, [french(256)]: KEHL, [french(512)]: BADEN });
    const place = (name: CellName) => ask({ cellTowers: [entry(name)] })?.position;
    expect(metresTo(place(german(256))!, NEAR)).toBeLessThan(1);
    expect(place(german(512))).toBeUndefined();
    expect(metresTo(place(french(256))!, KEHL)).toBeLessThan(1);
    expect(place(french(512))).toBeUndefined();
  });

  test('a device between the towns hears both countries and is placed between both', async () => {
    const ask = await worldOf({ [german(256)]: KEHL, [french(256)]: STRASBOURG });
    const answer = ask({
      cellTowers: [
        entry(german(256), { signalStrength: -90, serving: 1 }),
        entry(french(256), { signalStrength: -90 }),
      ],
    });
    const bridge: Position = [48.5775, 7.7825];
    expect(metresTo(answer!.position, bridge)).toBeLessThan(50);
    expect(answer!.accuracy).toBeGreaterThan(metresTo(answer!.position, bridge));
  });

  test('a serving cell that is listed in the wrong country leaves the place to the neighbour of the other network', async () => {
    const ask = await worldOf({ [german(256)]: PARIS, [french(256)]: STRASBOURG });
    const answer = ask({ cellTowers: [entry(german(256), { serving: 1 }), entry(french(256))] });
    expect(metresTo(answer!.position, STRASBOURG)).toBeLessThan(1);
    expect(ask({ cellTowers: [entry(german(256))] })).toBeUndefined();
  });

  test('the sector next to an unknown one is guessed in its country, not over the border', async () => {
    const ask = await worldOf({
      [german(25_600_001)]: KEHL,
      [german(25_600_257)]: STRASBOURG,
      [french(25_600_001)]: STRASBOURG,
    });
    const kehl = ask(asking(german(25_600_002), 'nbcidf'));
    expect(metresTo(kehl!.position, KEHL)).toBeLessThan(1);
    expect(kehl?.fallback).toBe('nbcidf');
    expect(ask(asking(german(25_600_258), 'nbcidf'))).toBeUndefined();
    const strasbourg = ask(asking(french(25_600_002), 'nbcidf'));
    expect(metresTo(strasbourg!.position, STRASBOURG)).toBeLessThan(1);
  });
});

describe('the date line', () => {
  /** On Taveuni, in Fiji, which it crosses. */
  const LINE: Position = [-16.8, 180];

  test('access points on both sides are one group, and outnumber a stranger on one of them', async () => {
    const world = await World.draw({
      metres: 20,
      map: 'A.B.C\n..x..\nD.E.F..............................................................M',
      origin: moved(LINE, -40, 20),
    });
    const answer = heardAt(world, 'x', 'ABCDEF').wifi('M', -40).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(5);
    expect(answer?.used).toBe(6);
    expectInside(world, answer, 'x');
  });

  test('a fix on one side and access points on the other agree', async () => {
    const world = await World.draw({ metres: 20, map: 'A.B\n.x.\nC.D', origin: moved(LINE, 10, 20) });
    const answer = heardAt(world, 'x', 'ABCD')
      .gps(moved(LINE, -15, 0), 40)
      .answer();
    expect(answer?.sources).toBe(SOURCE_GPS | SOURCE_WIFI);
    expect(world.metresTo(answer, 'x')).toBeLessThan(20);
    expectInside(world, answer, 'x');
  });

  test('positions where a cell was heard on both sides are neighbours', async () => {
    const world = await HeardWorld.open(542);
    for (const east of [-60, -20, 20, 60]) await world.hear(moved(LINE, east, 0), [{ cell: 1, level: -80 }], 3);
    const located = world.locate([{ cell: 1, level: -80 }]);
    expect(metresTo(located, LINE)).toBeLessThan(5);
    expect(located?.accuracyMetres).toBeLessThan(300);
  });

  test('the area of cells on both sides has its middle on it', async () => {
    const cells: Record<CellName, Position> = {};
    for (let i = 0; i < 8; i++) cells[`lte 542-1-11-${(700 + i) * 256 + 1}`] = moved(LINE, (i - 3.5) * 2_000, 0);
    const ask = await worldOf(cells);
    const answer = ask(asking('lte 542-1-11-999999', 'lacf'));
    expect(answer?.fallback).toBe('lacf');
    expect(metresTo(answer!.position, LINE)).toBeLessThan(1_100);
    expect(answer?.accuracy).toBeLessThan(8_000);
  });
});

describe.for([
  ['north', 1],
  ['south', -1],
] as const)('the %s pole', ([, sign]) => {
  /** So many metres from the pole. */
  const around = (longitude: number, metres: number): Position => [sign * (90 - metres / 111_195), longitude];

  test('twelve kilometres away, access points, a fix and cells are placed as anywhere, also where longitudes wrap', async () => {
    const camp = around(179.99, 12_000);
    const world = await World.draw(
      { metres: 20, map: 'A.B\n.x.\nC.D', origin: camp },
      { metres: 200, map: '1..\n...\n..2', origin: moved(camp, -200, 200), r50: { 1: 300, 2: 300 } },
    );
    const heard = () => heardAt(world, 'x', 'ABCD');
    const here = world.positions.get('x')!;
    expect(world.metresTo(heard().answer(), 'x')).toBeLessThan(5);
    const cells = world.ask().cell(1, -85, { serving: true }).cell(2, -85).answer();
    expect(cells?.used).toBe(2);
    expect(world.metresTo(cells, 'x')).toBeLessThan(100);
    const answer = heard()
      .gps(moved(here, 25, 0), 40)
      .cell(1, -85, { serving: true })
      .cell(2, -85)
      .answer();
    expect(answer?.sources).toBe(SOURCE_GPS | SOURCE_WIFI | SOURCE_CELL);
    expect(world.metresTo(answer, 'x')).toBeLessThan(20);
    expectInside(world, answer, 'x');
  });

  test('itself has no directions: a fix is answered as it came, whatever is heard around', async () => {
    const world = await World.draw(
      ...[0, 90, 180, -90].map((longitude, i) => ({ metres: 1, map: 'ABCD'[i], origin: around(longitude, 40) })),
      ...[45, -135].map((longitude, i) => ({ metres: 1, map: '12'[i], origin: around(longitude, 900) })),
    );
    const question = world.ask().cell(1, -85, { serving: true }).cell(2, -85);
    for (const name of 'ABCD') question.wifi(name, levelAt(40));
    const answer = question.gps([sign * 90, 0], 15).answer();
    expect(Math.abs(answer!.latitude)).toBeLessThanOrEqual(90);
    expect(metresTo([answer!.latitude, answer!.longitude], [sign * 90, 0])).toBeLessThan(15);
    expect(answer?.accuracyMetres).toBeLessThan(30);
  });
});
