import { expect, onTestFinished, test } from 'vitest';
import { SOURCE_CELL, SOURCE_WIFI } from '../../../src/radio/query/layout.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { moved } from '../../kits/radio/ground.ts';
import { deviceMac } from '../../kits/radio/stations.ts';
import { World } from '../../kits/radio/world.ts';
import { uniform } from '../../kits/random.ts';

test('two access points place the device between them', async () => {
  const world = await World.draw({ metres: 10, map: 'A..x..B' });
  const answer = world.ask().wifi('A', -65).wifi('B', -65).answer();
  expect(world.metresTo(answer, 'x')).toBeLessThan(3);
  expect(answer).toMatchObject({ sources: SOURCE_WIFI, used: 2, fallback: 0 });
  expect(answer?.accuracyMetres).toBeGreaterThan(5);
  expect(answer?.accuracyMetres).toBeLessThan(60);
});

test('the stronger of two access points is the nearer one', async () => {
  const world = await World.draw({ metres: 10, map: 'A......B' });
  const answer = world.ask().wifi('A', -50).wifi('B', -80).answer();
  expect(world.metresTo(answer, 'A')).toBeLessThan(25);
  expect(world.metresTo(answer, 'B')).toBeGreaterThan(45);
});

test('levels that were not sent do not keep access points from placing the device', async () => {
  const world = await World.draw({ metres: 20, map: 'A.B\n.x.\nC.D' });
  const answer = world.ask().wifi('A').wifi('B').wifi('C').wifi('D').answer();
  expect(world.metresTo(answer, 'x')).toBeLessThan(3);
});

test('one known access point among unknown ones gives nothing, whatever the levels and ages', async () => {
  const world = await World.draw({ metres: 100, map: 'A.B.C\n.....\nD.E.F' });
  const random = uniform(7);
  for (let pair = 0; pair < 500; pair++) {
    const question = world.ask();
    const addKnown = () =>
      question.wifi('ABCDEF'[Math.floor(random() * 6)], -30 - Math.floor(random() * 65), {
        ageMs: Math.floor(random() * 5000),
      });
    const addUnknown = () => question.unknownWifi(-30 - Math.floor(random() * 65));
    if (random() < 0.5) {
      addKnown();
      addUnknown();
    } else {
      addUnknown();
      addKnown();
    }
    for (let more = Math.floor(random() * 4); more > 0; more--) addUnknown();
    expect(question.answer()).toBeUndefined();
  }
});

test('a single access point gives nothing, and neither does the same one twice', async () => {
  const world = await World.draw({ metres: 10, map: 'A' });
  expect(world.ask().wifi('A', -50).answer()).toBeUndefined();
  expect(world.ask().wifi('A', -50).wifi('A', -60).answer()).toBeUndefined();
});

test('virtual networks of one radio count as one access point', async () => {
  const world = await World.draw({ metres: 10, map: 'A...x...B' });
  const one = () =>
    world.ask().wifi('A', -60, { network: 0 }).wifi('A', -60, { network: 1 }).wifi('A', -61, { network: 2 });
  expect(one().answer()).toBeUndefined();
  expect(one().unknownWifi().answer()).toBeUndefined();
  const answer = one().wifi('B', -60).answer();
  expect(answer?.used).toBe(2);
  expect(world.metresTo(answer, 'x')).toBeLessThan(5);
});

test('addresses that a vendor gives one device are one access point', async () => {
  const world = new World();
  onTestFinished(() => world.close());
  const home = [49.87, 8.65] as const;
  const victim = 0x0014bfaabb10;
  const siblings = [
    ...Array.from({ length: 16 }, (_, n) => victim - 8 + n),
    victim + 0xe0,
    victim - 0x800000,
    victim + 0x020000000000,
  ];
  for (const mac of siblings) world.addWifi(mac, stationAt(...home, 30, 70));
  const neighbour = 0x0014c0010203;
  world.addWifi(neighbour, stationAt(...moved(home, 20, 0), 30, 70));
  await world.build();
  const battery = () => siblings.reduce((question, mac) => question.wifiByMac(mac, -60), world.ask());
  expect(battery().answer()).toBeUndefined();
  expect(battery().wifiByMac(neighbour, -60).answer()?.used).toBeGreaterThan(1);
});

test('a list of access points from all over a town, beside the one that is sought, is no scan', async () => {
  const world = new World();
  onTestFinished(() => world.close());
  const sought = 0x0014bfaabb10;
  world.addWifi(sought, stationAt(49.87, 8.65, 30, 70));
  const ghosts = Array.from({ length: 400 }, (_, n) => deviceMac(n));
  for (const [n, mac] of ghosts.entries()) {
    world.addWifi(
      mac,
      stationAt(...moved([49.87, 8.65], 700 * (n % 20) - 6_900, 700 * Math.floor(n / 20) - 6_900), 30, 230),
    );
  }
  await world.build();
  const question = world.ask().wifiByMac(sought, -30);
  for (const mac of ghosts) question.wifiByMac(mac, -95);
  expect(question.answer()).toBeUndefined();
});

test('one between groups that do not hear each other is not placed', async () => {
  // Each pair may be heard at A, none where another is. So A has all others around it, and they have a third.
  const world = await World.draw({ metres: 32, map: 'B.......D\nC.......E\n....A\n.\n.\n.\n....F\n....G' });
  const pairs = (...names: string[]) =>
    names
      .join('')
      .split('')
      .reduce((all, name) => all.wifi(name, -90), world.ask());
  for (const pair of ['BC', 'DE', 'FG']) expect(pairs(pair).wifi('A', -30).answer()?.used, pair).toBe(3);
  expect(pairs('BC', 'DE', 'FG').wifi('A', -30).answer()).toBeUndefined();
});

test('two known access points far apart do not agree', async () => {
  const world = await World.draw({ metres: 1000, map: 'A.....B' });
  expect(world.ask().wifi('A', -60).wifi('B', -60).answer()).toBeUndefined();
});

test('an access point that has moved by some streets is an outlier', async () => {
  // M was at its position when the list was made. Now it is near x, which hears it loudest.
  const world = await World.draw({ metres: 20, map: 'A.B..............M\n.x.\nC.D' });
  const without = world.ask().wifi('A', -68).wifi('B', -68).wifi('C', -68).wifi('D', -68).answer();
  const answer = world.ask().wifi('M', -45).wifi('A', -68).wifi('B', -68).wifi('C', -68).wifi('D', -68).answer();
  expect(world.metresTo(without, 'x')).toBeLessThan(3);
  expect(world.metresTo(answer, 'x')).toBeLessThan(15);
  expect(answer?.used).toBe(4);
});

test('the place is that of more than half of the devices, and of at least three, whichever is left out', async () => {
  const world = await World.draw(
    { metres: 20, map: 'A.B\n.x.\nC.D' },
    { metres: 9_000, map: 'F.G.H', origin: [52.5, 13] },
  );
  const used = (names: string) => {
    const question = world.ask();
    for (const name of names) question.wifi(name, -68);
    return question.answer()?.used;
  };
  expect(['AB', 'ABC', 'ABCF', 'ABCFG', 'ABCDFGH'].map(used)).toEqual([2, 3, 3, 3, 4]);
  // Without one of them two of three, two of five and two of five remain.
  expect(['A', 'AF', 'ABF', 'ABFG', 'ABCFGH'].map(used)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('devices of one block of addresses are one, unless one of another takes part', async () => {
  const world = new World();
  onTestFinished(() => world.close());
  const home = [49.87, 8.65] as const;
  const block = [0x0014bfaa1001, 0x0014bfaa3305, 0x0014bfaa7709];
  for (const [n, mac] of block.entries()) world.addWifi(mac, stationAt(...moved(home, 10 * n, 0), 30, 70));
  const other = 0x0014bfab2002;
  world.addWifi(other, stationAt(...moved(home, 20, 0), 30, 70));
  await world.build();
  const ask = (macs: readonly number[]) =>
    macs.reduce((question, mac) => question.wifiByMac(mac, -60), world.ask()).answer()?.used;
  expect([block.slice(0, 2), block].map(ask)).toEqual([undefined, undefined]);
  expect(
    [
      [block[0], other],
      [...block, other],
    ].map(ask),
  ).toEqual([2, 4]);
});

test('a foreign access point far away is ignored', async () => {
  const world = await World.draw({ metres: 20, map: 'A.B\n.x.\nC.D' }, { metres: 20, map: 'F', origin: [52.5, 13.4] });
  const answer = world.ask().wifi('F', -40).wifi('A', -68).wifi('B', -68).wifi('C', -68).answer();
  const without = world.ask().wifi('A', -68).wifi('B', -68).wifi('C', -68).answer();
  expect(world.metresTo(answer, 'x')).toBeCloseTo(world.metresTo(without, 'x'), 3);
  expect(answer?.used).toBe(3);
});

test('of two groups the better supported one is answered', async () => {
  const world = await World.draw(
    { metres: 20, map: 'A.B\n.x.\n..C' },
    { metres: 20, map: 'F.y.G', origin: [49.95, 8.65] },
  );
  const answer = world.ask().wifi('F', -50).wifi('G', -50).wifi('A', -75).wifi('B', -75).wifi('C', -75).answer();
  expect(world.metresTo(answer, 'x')).toBeLessThan(20);
});

test('between groups of like support nothing decides, and a cell is answered alone', async () => {
  const world = await World.draw(
    { metres: 20, map: 'A.x.B\n..1..' },
    { metres: 20, map: 'F.y.G\n..2..', origin: [49.95, 8.65] },
  );
  const both = () => world.ask().wifi('F', -60).wifi('G', -60).wifi('A', -61).wifi('B', -61);
  expect(both().answer()).toBeUndefined();
  for (const [cell, name] of [
    ['1', 'x'],
    ['2', 'y'],
  ]) {
    const answer = both().cell(cell, -80).answer();
    expect(answer?.sources).toBe(SOURCE_CELL);
    expect(world.metresTo(answer, name)).toBeLessThan(30);
  }
});

test('readings much older than the youngest are stale', async () => {
  const world = await World.draw({ metres: 20, map: 'A.x.B' }, { metres: 20, map: 'F.G.H', origin: [49.95, 8.65] });
  const old = { ageMs: 120_000 };
  const answer = world
    .ask()
    .wifi('F', -50, old)
    .wifi('G', -50, old)
    .wifi('H', -50, old)
    .wifi('A', -60)
    .wifi('B', -60, { ageMs: 900 })
    .answer();
  expect(world.metresTo(answer, 'x')).toBeLessThan(10);
  expect(world.ask().wifi('A', -60).wifi('B', -60, old).answer()).toBeUndefined();
});

test('a scan that is old as a whole still places the device, with less accuracy, for ten minutes', async () => {
  const world = await World.draw({ metres: 20, map: 'A.x.B' });
  const aged = (ageMs: number) => world.ask().wifi('A', -60, { ageMs }).wifi('B', -60, { ageMs }).answer();
  expect(world.metresTo(aged(120_000), 'x')).toBeLessThan(10);
  expect(aged(120_000)?.accuracyMetres).toBeGreaterThan(2 * (aged(0)?.accuracyMetres ?? 0));
  expect(aged(600_000)).toBeDefined();
  expect(aged(600_001)).toBeUndefined();
});

test('a blocked station counts as unknown', async () => {
  const world = await World.draw({ metres: 20, map: 'A.x.B', stations: { B: { state: 3 } } });
  expect(world.ask().wifi('A', -60).wifi('B', -60).answer()).toBeUndefined();
});

test('a station with a path loss of its own is ranged by it', async () => {
  const fitted = { referenceDbm: -20, exponent: 2 };
  const world = await World.draw({ metres: 10, map: 'A.......B', stations: { A: fitted, B: fitted } });
  // By -20 dBm and exponent 2, -60 dBm is 100 m and -46 dBm 20 m.
  const answer = world.ask().wifi('A', -46).wifi('B', -56).answer();
  expect(world.metresTo(answer, 'A')).toBeLessThan(world.metresTo(answer, 'B'));
});

test.for([
  ['near the date line', [-17.5, 179.9997]],
  ['on the date line, from the other side', [-17.5, -179.9997]],
  ['near the north pole', [89.5, 20]],
  ['near the south pole', [-89.5, -170]],
] as const)('the device is placed %s', async ([, origin]) => {
  const world = await World.draw({ metres: 20, map: 'A...B\n..x..\nC...D', origin });
  const answer = world.ask().wifi('A', -65).wifi('B', -65).wifi('C', -65).wifi('D', -65).answer();
  expect(world.metresTo(answer, 'x')).toBeLessThan(5);
  expect(Math.abs(answer?.longitude ?? 999)).toBeLessThanOrEqual(180);
  expect(Math.abs(answer?.latitude ?? 999)).toBeLessThanOrEqual(90);
});

test('three hundred access points in one body are answered, and of more nothing is answered by them', async () => {
  const world = new World();
  onTestFinished(() => world.close());
  const random = uniform(3);
  const macs = Array.from({ length: 10_000 }, (_, i) => deviceMac(i));
  for (const mac of macs) {
    const [latitude, longitude] = moved([49.87, 8.65], random() * 300, random() * 300);
    world.addWifi(mac, stationAt(latitude, longitude, 30, 70));
  }
  await world.build();
  const ask = (count: number) => {
    const question = world.ask();
    for (const mac of macs.slice(0, count)) question.wifiByMac(mac, -40 - Math.floor(random() * 50));
    return question.answer();
  };
  expect(ask(300)?.used).toBeGreaterThan(100);
  expect(ask(301)).toBeUndefined();
  expect(ask(10_000)).toBeUndefined();
});

test('many faint access points on one side do not pull the device away from a loud one', async () => {
  const world = await World.draw({ metres: 8, map: 'x.....BDFHJL\nA.....CEGIKM' });
  const question = world.ask().wifi('A', -66);
  // At 48 to 88 m, a level each by the usual path loss.
  for (const [column, pair] of ['BC', 'DE', 'FG', 'HI', 'JK', 'LM'].entries())
    for (const name of pair) question.wifi(name, Math.round(-38 - 31 * Math.log10(48 + 8 * column)));
  expect(world.metresTo(question.answer(), 'x')).toBeLessThan(25);
});

test('two of six that have moved together are outliers', async () => {
  const world = await World.draw({ metres: 20, map: 'A.B...............M\n.x................\nC.D...............N' });
  const answer = world
    .ask()
    .wifi('M', -60)
    .wifi('N', -60)
    .wifi('A', -66)
    .wifi('B', -66)
    .wifi('C', -66)
    .wifi('D', -66)
    .answer();
  expect(world.metresTo(answer, 'x')).toBeLessThan(20);
  expect(answer?.used).toBe(4);
});

test('a longer list of another town, replayed with the real one, loses to the cell', async () => {
  const world = await World.draw(
    { metres: 20, map: 'A.x.B\n..1..' },
    { metres: 20, map: 'F.G.H\n..y..\nI...J', origin: [52.5, 13.4] },
  );
  const question = world.ask().wifi('A', -70).wifi('B', -70);
  for (const name of 'FGHIJ') question.wifi(name, -50);
  expect(world.metresTo(question.answer(), 'y')).toBeLessThan(30);
  const answer = question.cell(1, -80).answer();
  expect(answer?.sources).toBe(SOURCE_CELL);
  expect(world.metresTo(answer, 'x')).toBeLessThan(30);
});

test('a reading some seconds behind the youngest says less', async () => {
  const world = await World.draw({ metres: 10, map: 'A..x..B' });
  const answer = world.ask().wifi('A', -65).wifi('B', -65, { ageMs: 9_000 }).answer();
  expect(world.metresTo(answer, 'A')).toBeLessThan(world.metresTo(answer, 'B') - 10);
});

test('access points learned from few observations give a larger radius than those learned from many', async () => {
  const radius = async (samples: number) => {
    const learned = { isLearned: true, samples };
    const world = await World.draw({
      metres: 20,
      map: 'A.B\n.x.\nC.D',
      stations: { A: learned, B: learned, C: learned, D: learned },
    });
    const answer = world.ask().wifi('A', -68).wifi('B', -68).wifi('C', -68).wifi('D', -68).answer();
    expect(world.metresTo(answer, 'x')).toBeLessThan(3);
    return answer?.accuracyMetres ?? 0;
  };
  expect(await radius(1)).toBeGreaterThan(2 * (await radius(1000)));
});

test('access points that were heard all over a hall and seem to stand together give no small radius', async () => {
  const hall = { isLearned: true, samples: 1000 };
  const world = await World.draw({ metres: 2, map: 'AxB', r50: { A: 60, B: 60 }, stations: { A: hall, B: hall } });
  expect(world.ask().wifi('A', -60).wifi('B', -60).answer()?.accuracyMetres).toBeGreaterThan(20);
});
