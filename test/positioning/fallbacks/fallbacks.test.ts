import { describe, expect, test } from 'vitest';
import { type Answered, asking, type CellName, entry, worldOf } from '../../kits/radio/cell_world.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { uniform } from '../../kits/random.ts';

const MUNICH: Position = [48.14, 11.57];
const BERLIN: Position = [52.52, 13.4];

/** A place some metres to the north and to the east. */
function near(place: Position, north = 0, east = 0): Position {
  return moved(place, east, north);
}

function metres(answer: Answered, place: Position): number {
  return metresTo(answer?.position, place);
}

/** Cells of one area around a place, 1 km apart, on eNodeBs of their own: enough for the area to be known. */
function area(network: string, code: number, place: Position, count = 8): Record<CellName, Position> {
  const cells: Record<CellName, Position> = {};
  for (let i = 0; i < count; i++)
    cells[`${network}-${code}-${(900_000 + code * 20 + i) * 256}` as CellName] = near(place, (i - count / 2) * 1000);
  return cells;
}

const ENODEB = 100_000 * 256;

describe('nbcidf', () => {
  test('another sector of the eNodeB is answered, and named', async () => {
    const ask = await worldOf({
      [`lte 262-1-5001-${ENODEB + 1}`]: MUNICH,
      ...area('lte 262-1', 5001, near(MUNICH, 20_000)),
    });
    const answer = ask(asking(`lte 262-1-5001-${ENODEB + 2}`, 'nbcidf'));
    expect(answer?.fallback).toBe('nbcidf');
    expect(metres(answer, MUNICH)).toBeLessThan(1);
    expect(answer?.accuracy).toBeGreaterThan(500);
    expect(answer?.accuracy).toBeLessThan(10_000);
  });

  test('the same sector on another carrier goes before its neighbours, where the network numbers carriers so', async () => {
    const cells: Record<CellName, Position> = {};
    const sectors = (site: number, place: Position, left?: number) => {
      for (const carrier of [0, 10, 20])
        for (const sector of [1, 2, 3])
          if (carrier + sector !== left)
            cells[`lte 262-1-5001-${site * 256 + carrier + sector}`] = near(place, 0, sector * 2000);
    };
    for (let site = 1; site <= 30; site++) sectors(site, near(MUNICH, site * 3000));
    sectors(40, near(MUNICH, 120_000), 13);
    const answer = (await worldOf(cells))(asking(`lte 262-1-5001-${40 * 256 + 13}`, 'nbcidf'));
    expect(metres(answer, near(MUNICH, 120_000, 6000))).toBeLessThan(300);
    expect(answer?.accuracy).toBeLessThan(300);
  });

  test('ids apart by what the network adds for another carrier are of one site', async () => {
    const cells: Record<CellName, Position> = {};
    for (let site = 1; site <= 40; site++) {
      const place = near(MUNICH, ((site * 17) % 41) * 1500);
      cells[`wcdma 262-1-5001-${site * 211}`] = place;
      cells[`wcdma 262-1-5001-${site * 211 + 10_000}`] = place;
    }
    delete cells[`wcdma 262-1-5001-${20 * 211 + 10_000}`];
    const answer = (await worldOf(cells))(asking(`wcdma 262-1-5001-${20 * 211 + 10_000}`, 'nbcidf'));
    expect(metres(answer, cells[`wcdma 262-1-5001-${20 * 211}`])).toBeLessThan(300);
  });

  test('the id under an area code of another town is refused', async () => {
    const ask = await worldOf({
      [`lte 262-1-9000-${ENODEB + 1}`]: BERLIN,
      ...area('lte 262-1', 5001, MUNICH),
      ...area('lte 262-1', 9000, BERLIN),
    });
    expect(ask(asking(`lte 262-1-5001-${ENODEB + 2}`, 'nbcidf'))).toBeUndefined();
  });

  test('a cell of the area that lies in another town is left out', async () => {
    const cells = { [`lte 262-1-5001-${ENODEB + 1}`]: BERLIN, ...area('lte 262-1', 5001, MUNICH) };
    expect((await worldOf(cells))(asking(`lte 262-1-5001-${ENODEB + 2}`, 'nbcidf'))).toBeUndefined();
  });

  test('without an area code the neighbours must lie together', async () => {
    const cellTowers = [entry(`lte 262-1-1-${ENODEB + 3}`, { locationAreaCode: undefined })];
    const body = { cellTowers, fallbacks: { nbcidf: 1 } };
    const first: Record<CellName, Position> = { [`lte 262-1-5001-${ENODEB + 1}`]: MUNICH };
    expect(metres((await worldOf(first))(body), MUNICH)).toBeLessThan(1);
    expect((await worldOf({ ...first, [`lte 262-1-9000-${ENODEB + 2}`]: BERLIN }))(body)).toBeUndefined();
  });

  test('gsm ids far from each other are no neighbours', async () => {
    const cells: Record<CellName, Position> = {};
    for (let i = 0; i < 12; i++) cells[`gsm 262-1-5001-${1000 + i * 3000}`] = near(MUNICH, i * 4000);
    const ask = await worldOf({ ...cells, 'gsm 262-1-5001-20001': near(MUNICH, 500) });
    expect(metres(ask(asking('gsm 262-1-5001-20002', 'nbcidf')), near(MUNICH, 500))).toBeLessThan(500);
  });
});

describe('the trial on known cells', () => {
  /**
   * Sites of three sectors `apart` metres from each other, in an order of ids that says nothing of where they stand.
   */
  const sites = (apart: number): Record<CellName, Position> => {
    const cells: Record<CellName, Position> = {};
    for (let site = 0; site < 24; site++)
      for (const sector of [1, 2, 3])
        cells[`lte 262-1-5001-${(100_000 + site) * 256 + sector}`] = near(
          MUNICH,
          ((site * 7) % 24) * 2500,
          sector * apart,
        );
    return cells;
  };
  const asked = 'lte 262-1-5001-25603072' as const;
  const elsewhere = (apart: number) => {
    const cells: Record<CellName, Position> = {};
    for (let site = 0; site < 100; site++)
      for (const sector of [1, 2, 3])
        cells[`lte 262-1-7000-${(200_000 + site) * 256 + sector}`] = near(
          BERLIN,
          ((site * 37) % 100) * 1000,
          sector * apart,
        );
    return cells;
  };

  test('the radius of a guess comes from tested guesses around it, whatever the network is like elsewhere', async () => {
    const radius = async (here: number, there: number) => {
      const ask = await worldOf({ ...sites(here), ...elsewhere(there) });
      return ask(asking(asked, 'nbcidf'))!.accuracy;
    };
    expect(await radius(100, 1500)).toBeLessThan(0.7 * (await radius(1500, 1500)));
    expect(await radius(1500, 100)).toBeGreaterThan(1.4 * (await radius(100, 100)));
  });

  test('in an area of two regions that ids do not tell apart, nothing is guessed', async () => {
    const random = uniform(7);
    const cells: Record<CellName, Position> = {};
    for (let i = 0; i < 40; i++)
      cells[`gsm 262-1-5001-${1000 + i * 3}`] = near([MUNICH, BERLIN][random() < 0.5 ? 0 : 1], i * 100);
    expect((await worldOf(cells))(asking('gsm 262-1-5001-1061', 'all'))).toBeUndefined();
    const together = Object.fromEntries(Object.entries(cells).map(([name], i) => [name, near(MUNICH, i * 100)]));
    expect((await worldOf(together))(asking('gsm 262-1-5001-1061', 'all'))).toBeDefined();
  });
});

describe('cidf', () => {
  test('the only cell with the id is answered where the area is unknown', async () => {
    const ask = await worldOf({ [`lte 262-1-9000-${ENODEB + 1}`]: MUNICH });
    const answer = ask(asking(`lte 262-1-5001-${ENODEB + 1}`, 'cidf'));
    expect(answer?.fallback).toBe('cidf');
    expect(metres(answer, MUNICH)).toBeLessThan(1);
  });

  test('namesakes in two towns are refused, unless the area says which', async () => {
    const towns: Record<CellName, Position> = {
      [`lte 262-1-7000-${ENODEB + 1}`]: MUNICH,
      [`lte 262-1-9000-${ENODEB + 1}`]: BERLIN,
    };
    const body = asking(`lte 262-1-5001-${ENODEB + 1}`, 'cidf');
    expect((await worldOf(towns))(body)).toBeUndefined();
    const answer = (await worldOf({ ...towns, ...area('lte 262-1', 5001, near(BERLIN, 3000)) }))(body);
    expect(metres(answer, BERLIN)).toBeLessThan(1);
  });

  test(
    'an id that stands in its network once is answered under every area code, as unsurely as the code ' +
      'contradicts it',
    async () => {
      const towns = { ...area('lte 262-1', 5001, BERLIN), [`lte 262-1-9000-${ENODEB + 1}`]: MUNICH };
      const ask = await worldOf(towns);
      const unknown = ask(asking(`lte 262-1-6001-${ENODEB + 1}`, 'cidf'))!;
      const elsewhere = ask(asking(`lte 262-1-5001-${ENODEB + 1}`, 'cidf'))!;
      for (const answer of [unknown, elsewhere]) {
        expect(answer.fallback).toBe('cidf');
        expect(metres(answer, MUNICH)).toBeLessThan(1);
      }
      expect(unknown.accuracy).toBeLessThan(1_000);
      expect(elsewhere.accuracy).toBeGreaterThan(200_000);
      // The area itself is the better guess where it is allowed.
      const both = ask(asking(`lte 262-1-5001-${ENODEB + 1}`, 'cidf', 'lacf'));
      expect(both?.fallback).toBe('lacf');
      // Standing twice, it says nothing.
      const twice = await worldOf({ ...towns, [`lte 262-1-9500-${ENODEB + 1}`]: near(BERLIN, 90_000) });
      expect(twice(asking(`lte 262-1-5001-${ENODEB + 1}`, 'cidf'))).toBeUndefined();
    },
  );

  test('a short id says nothing without its area', async () => {
    const ask = await worldOf({ 'gsm 262-1-9000-4711': MUNICH, 'lte 262-1-9000-4711': MUNICH });
    for (const radio of ['gsm', 'lte'] as const)
      expect(ask(asking(`${radio} 262-1-5001-4711`, 'cidf'))).toBeUndefined();
  });
});

describe('mncf', () => {
  const home = area('lte 262-1', 5001, MUNICH);

  test('the same area and id in another network of the country is answered', async () => {
    const ask = await worldOf({
      ...home,
      [`lte 262-7-5001-${ENODEB}`]: near(MUNICH, 700),
      [`lte 232-7-5001-${ENODEB}`]: [48.2, 16.3],
    });
    const answer = ask(asking(`lte 262-1-5001-${ENODEB}`, 'mncf'));
    expect(answer?.fallback).toBe('mncf');
    expect(metres(answer, near(MUNICH, 700))).toBeLessThan(1);
  });

  test('a cell without a network code, or with one that cannot be, is as one that is not found', async () => {
    const ask = await worldOf({ ...home, [`lte 262-7-5001-${ENODEB}`]: near(MUNICH, 700) });
    for (const mobileNetworkCode of [2_147_483_647, undefined]) {
      const cell = { ...entry(`lte 262-1-5001-${ENODEB}`), mobileNetworkCode };
      expect(ask({ cellTowers: [cell] })).toBeUndefined();
      expect(ask({ cellTowers: [cell], fallbacks: { mncf: 1 } })?.fallback).toBe('mncf');
    }
  });

  test('outside the serving area it is refused, and so is another area code', async () => {
    const ask = await worldOf({ ...home, [`lte 262-7-5001-${ENODEB}`]: BERLIN, [`lte 262-3-9000-${ENODEB}`]: MUNICH });
    expect(ask(asking(`lte 262-1-5001-${ENODEB}`, 'mncf'))).toBeUndefined();
  });

  test('networks that disagree are refused', async () => {
    const ask = await worldOf({ [`lte 262-2-5001-${ENODEB}`]: MUNICH, [`lte 262-7-5001-${ENODEB}`]: BERLIN });
    expect(ask(asking(`lte 262-1-5001-${ENODEB}`, 'mncf'))).toBeUndefined();
  });
});

describe('ratf', () => {
  test('the same cell under another radio type is answered', async () => {
    const ask = await worldOf({ [`nbiot 262-1-5001-${ENODEB}`]: MUNICH });
    const answer = ask(asking(`lte 262-1-5001-${ENODEB}`, 'ratf'));
    expect(answer?.fallback).toBe('ratf');
    expect(metres(answer, MUNICH)).toBeLessThan(1);
  });

  test('another network, another area or another town is refused', async () => {
    const ask = await worldOf({
      [`wcdma 262-2-5001-${ENODEB}`]: MUNICH,
      [`nbiot 262-1-5002-${ENODEB}`]: MUNICH,
      [`nr 262-1-5001-${ENODEB}`]: BERLIN,
      ...area('lte 262-1', 5001, MUNICH),
    });
    expect(ask(asking(`lte 262-1-5001-${ENODEB}`, 'ratf'))).toBeUndefined();
  });
});

describe('rncidf', () => {
  const RNC = 200 * 65_536;

  test('the middle of the cells of the RNC is answered', async () => {
    const ask = await worldOf({
      [`wcdma 262-1-7-${RNC + 100}`]: near(MUNICH, 4000),
      [`wcdma 262-1-7-${RNC + 40_000}`]: MUNICH,
      [`wcdma 262-1-7-${RNC + 50_000}`]: near(MUNICH, -4000),
      [`wcdma 262-1-7-${RNC + 65_536}`]: BERLIN,
    });
    const answer = ask(asking(`wcdma 262-1-5001-${RNC + 20_000}`, 'rncidf'));
    expect(answer?.fallback).toBe('rncidf');
    expect(metres(answer, MUNICH)).toBeLessThan(1);
  });

  test('an RNC spread over the country is refused, as are ids without an RNC', async () => {
    const ask = await worldOf({
      [`wcdma 262-1-7-${RNC + 100}`]: MUNICH,
      [`wcdma 262-1-8-${RNC + 200}`]: BERLIN,
      'wcdma 262-1-9-100': MUNICH,
    });
    expect(ask(asking(`wcdma 262-1-5001-${RNC + 20_000}`, 'rncidf'))).toBeUndefined();
    expect(ask(asking('wcdma 262-1-5001-20000', 'rncidf'))).toBeUndefined();
    expect(ask(asking(`lte 262-1-5001-${RNC + 20_000}`, 'rncidf'))).toBeUndefined();
  });
});

describe('lacf', () => {
  test('the centre of the area is answered, with the distance of its cells', async () => {
    const answer = (await worldOf(area('lte 262-1', 5001, MUNICH, 21)))(asking(`lte 262-1-5001-${ENODEB}`, 'lacf'));
    expect(answer?.fallback).toBe('lacf');
    expect(metres(answer, near(MUNICH, -500))).toBeLessThan(100);
    expect(answer?.accuracy).toBeGreaterThan(4500);
    expect(answer?.accuracy).toBeLessThan(5500);
  });

  test('an area of another network or radio type does not count', async () => {
    const ask = await worldOf(area('lte 262-1', 5001, MUNICH));
    expect(ask(asking(`lte 262-2-5001-${ENODEB}`, 'lacf'))).toBeUndefined();
    expect(ask(asking('gsm 262-1-5001-77', 'lacf'))).toBeUndefined();
  });
});

describe('w4f', () => {
  const full = (rnc: number) => rnc * 65_536 + 0xabcd;

  test('a short id is completed in its area', async () => {
    const ask = await worldOf({
      [`wcdma 262-1-5001-${full(3)}`]: MUNICH,
      [`wcdma 262-1-5001-${full(3) + 1}`]: near(MUNICH, 1000),
      [`wcdma 262-1-9000-${full(900)}`]: BERLIN,
      ...area('wcdma 262-1', 5001, MUNICH),
    });
    const answer = ask(asking(`wcdma 262-1-5001-${0xabcd}`, 'w4f'));
    expect(answer?.fallback).toBe('w4f');
    expect(metres(answer, MUNICH)).toBeLessThan(1);
  });

  test('the area code alone decides between towns', async () => {
    const ask = await worldOf({ [`wcdma 262-1-5001-${full(3)}`]: MUNICH, [`wcdma 262-1-9000-${full(900)}`]: BERLIN });
    expect(metres(ask(asking(`wcdma 262-1-9000-${0xabcd}`, 'w4f')), BERLIN)).toBeLessThan(1);
  });

  test('one that two towns have is refused where nothing says which', async () => {
    const ask = await worldOf({ [`wcdma 262-1-7000-${full(3)}`]: MUNICH, [`wcdma 262-1-9000-${full(900)}`]: BERLIN });
    expect(ask(asking(`wcdma 262-1-5001-${0xabcd}`, 'w4f'))).toBeUndefined();
  });

  test('whole ids and other radio types are not compared so', async () => {
    const ask = await worldOf({ [`wcdma 262-1-5001-${full(3)}`]: MUNICH, [`lte 262-1-5001-${full(3)}`]: MUNICH });
    expect(ask(asking(`wcdma 262-1-5001-${full(4)}`, 'w4f'))).toBeUndefined();
    expect(ask(asking(`lte 262-1-5001-${0xabcd}`, 'w4f'))).toBeUndefined();
  });
});

describe('cidxf', () => {
  const name = `lte 262-1-5001-${ENODEB}` as const;

  test('the id in any network and area of the country is answered when it is named itself', async () => {
    const ask = await worldOf({ [`lte 262-7-9000-${ENODEB}`]: MUNICH });
    expect(ask(asking(name, 'all'))).toBeUndefined();
    const answer = ask(asking(name, 'all', 'cidxf'));
    expect(answer?.fallback).toBe('cidxf');
    expect(metres(answer, MUNICH)).toBeLessThan(1);
  });

  test('namesakes in two towns and ids of other countries are refused', async () => {
    const two = await worldOf({ [`lte 262-7-9000-${ENODEB}`]: MUNICH, [`lte 262-2-7000-${ENODEB}`]: BERLIN });
    expect(two(asking(name, 'cidxf'))).toBeUndefined();
    const abroad = await worldOf({ [`lte 232-7-9000-${ENODEB}`]: [48.2, 16.3] });
    expect(abroad(asking(name, 'cidxf'))).toBeUndefined();
  });
});

describe('which fallback', () => {
  const cells: Record<CellName, Position> = {
    [`lte 262-1-5001-${ENODEB + 1}`]: MUNICH,
    [`lte 262-1-7000-${ENODEB + 2}`]: near(MUNICH, 200),
    [`lte 262-7-5001-${ENODEB + 2}`]: near(MUNICH, 400),
    [`nbiot 262-1-5001-${ENODEB + 2}`]: near(MUNICH, 600),
    ...area('lte 262-1', 5001, MUNICH, 9),
  };
  const cellTowers = [entry(`lte 262-1-5001-${ENODEB + 2}`)];

  test('they are tried in their order, and a flag named itself wins over all', async () => {
    const ask = await worldOf(cells);
    const off: Record<string, number> = {};
    for (const fallback of ['nbcidf', 'cidf', 'mncf', 'ratf', 'lacf']) {
      expect(ask({ cellTowers, fallbacks: { all: 1, ...off } })?.fallback).toBe(fallback);
      off[fallback] = 0;
    }
    expect(ask({ cellTowers, fallbacks: { all: 1, ...off } })).toBeUndefined();
    expect(ask({ cellTowers, fallbacks: { all: 0, lacf: 1, mncf: 1 } })?.fallback).toBe('mncf');
    expect(ask({ cellTowers })).toBeUndefined();
    expect(ask({ cellTowers, fallbacks: {} })).toBeUndefined();
  });

  test('none where any cell of the request is known, or the device has a fix', async () => {
    const ask = await worldOf(cells);
    const known = entry(`lte 262-1-7000-${ENODEB + 2}`);
    const direct = ask({ cellTowers: [...cellTowers, known], fallbacks: { all: 1 } });
    expect(direct).toMatchObject({ fallback: undefined });
    expect(metres(direct, near(MUNICH, 200))).toBeLessThan(1);
    const gps = { latitude: BERLIN[0], longitude: BERLIN[1], accuracy: 10, age: 30 };
    const fixed = ask({ cellTowers, gps, fallbacks: { all: 1 } });
    expect(fixed).toMatchObject({ fallback: undefined });
    expect(metres(fixed, BERLIN)).toBeLessThan(1);
  });

  test('a neighbour is taken where the serving cell says nothing', async () => {
    const ask = await worldOf(cells);
    const unknown = entry('lte 262-1-4444-77777777', { serving: 1 });
    const answer = ask({ cellTowers: [unknown, ...cellTowers], fallbacks: { nbcidf: 1 } });
    expect(metres(answer, MUNICH)).toBeLessThan(1);
    expect(answer?.accuracy).toBeGreaterThan(ask({ cellTowers, fallbacks: { nbcidf: 1 } })!.accuracy);
  });

  test('cells without an id, and requests without cells, have none', async () => {
    const ask = await worldOf(cells);
    const nameless = entry(`lte 262-1-5001-${ENODEB}`, { cellId: undefined, primaryScramblingCode: 7 });
    expect(ask({ cellTowers: [nameless], fallbacks: { all: 1 } })).toBeUndefined();
    expect(ask({ fallbacks: { all: 1 } })).toBeUndefined();
  });

  test('a cell of an unsure radio type is looked for under each', async () => {
    const ask = await worldOf({ [`lte 262-1-5001-${ENODEB + 1}`]: MUNICH });
    const answer = ask({
      cellTowers: [entry(`lte 262-1-5001-${ENODEB + 2}`, { radioType: 'gsm' })],
      fallbacks: { nbcidf: 1 },
    });
    expect(metres(answer, MUNICH)).toBeLessThan(1);
  });
});

describe('the country of the network', () => {
  const STRASBOURG: Position = [48.58, 7.75];

  test('a guess does not leave it, not even by a little', async () => {
    const ask = await worldOf({ [`lte 262-1-5001-${ENODEB + 1}`]: STRASBOURG, ...area('lte 262-1', 5001, STRASBOURG) });
    expect(ask(asking(`lte 262-1-5001-${ENODEB + 2}`, 'all'))).toBeUndefined();
  });

  test('a known cell is used near the border, and not far behind it', async () => {
    const ask = await worldOf({
      [`lte 262-1-5001-${ENODEB}`]: STRASBOURG,
      [`lte 262-1-5001-${ENODEB + 1}`]: [48.86, 2.35],
    });
    const cell = (id: number) => ({ cellTowers: [entry(`lte 262-1-5001-${id}`)] });
    for (let round = 0; round < 2; round++) {
      expect(metres(ask(cell(ENODEB)), STRASBOURG)).toBeLessThan(1);
      expect(ask(cell(ENODEB + 1))).toBeUndefined();
    }
  });

  test('test networks and international ones have none', async () => {
    const cells: Record<CellName, Position> = {
      [`lte 1-1-1-${ENODEB}`]: [1.25, -2.5],
      [`lte 901-1-1-${ENODEB}`]: MUNICH,
    };
    const ask = await worldOf(cells);
    for (const [name, place] of Object.entries(cells) as [CellName, Position][]) {
      expect(metres(ask({ cellTowers: [entry(name)] }), place)).toBeLessThan(1);
      expect(metres(ask(asking(name.replace(/\d+$/, String(ENODEB + 1)) as CellName, 'nbcidf')), place)).toBeLessThan(
        1,
      );
    }
  });
});
