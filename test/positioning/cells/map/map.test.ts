import { describe, expect, test } from 'vitest';
import { stationAt } from '../../../../src/tables/stations/station.ts';
import { metresTo, moved, type Position } from '../../../kits/radio/ground.ts';
import { HeardWorld } from '../../../kits/radio/heard_world.ts';

const HERE: Position = [49.87, 8.65];
const THERE = moved(HERE, 1_000, 0);

describe('places of one cell are told apart', () => {
  test('by its own level', async () => {
    const world = await HeardWorld.open();
    await world.hear(HERE, [{ cell: 1, level: -70 }], 3);
    await world.hear(THERE, [{ cell: 1, level: -100 }], 3);
    expect(metresTo(world.locate([{ cell: 1, level: -71 }]), HERE)).toBeLessThan(30);
    expect(metresTo(world.locate([{ cell: 1, level: -98 }]), THERE)).toBeLessThan(30);
  });

  test('by the levels of its neighbours', async () => {
    const world = await HeardWorld.open();
    await world.hear(
      HERE,
      [
        { cell: 1, level: -80 },
        { cell: 2, level: -85 },
        { cell: 3, level: -105 },
      ],
      3,
    );
    await world.hear(
      THERE,
      [
        { cell: 1, level: -80 },
        { cell: 2, level: -105 },
        { cell: 3, level: -85 },
      ],
      3,
    );
    const seen = [
      { cell: 1, level: -80, serving: true },
      { cell: 2, level: -87 },
      { cell: 3, level: -103 },
    ];
    const mirrored = [
      { cell: 1, level: -80, serving: true },
      { cell: 3, level: -87 },
      { cell: 2, level: -103 },
    ];
    expect(metresTo(world.locate(seen), HERE)).toBeLessThan(30);
    expect(metresTo(world.locate(mirrored), THERE)).toBeLessThan(30);
    expect(world.locate(seen)?.used).toBe(3);
  });

  test('by a cell that is heard at one of them only, and by its silence', async () => {
    const world = await HeardWorld.open();
    await world.hear(
      HERE,
      [
        { cell: 1, level: -80 },
        { cell: 2, level: -75 },
      ],
      3,
    );
    await world.hear(
      THERE,
      [
        { cell: 1, level: -80 },
        { cell: 3, level: -75 },
      ],
      3,
    );
    expect(
      metresTo(
        world.locate([
          { cell: 1, level: -80, serving: true },
          { cell: 2, level: -75 },
        ]),
        HERE,
      ),
    ).toBeLessThan(100);
    expect(
      metresTo(
        world.locate([
          { cell: 1, level: -80, serving: true },
          { cell: 3, level: -75 },
        ]),
        THERE,
      ),
    ).toBeLessThan(100);
  });

  test('by a device that hears everything louder', async () => {
    const world = await HeardWorld.open();
    await world.hear(
      HERE,
      [
        { cell: 1, level: -80 },
        { cell: 2, level: -90 },
        { cell: 3, level: -95 },
      ],
      3,
    );
    await world.hear(
      THERE,
      [
        { cell: 1, level: -74 },
        { cell: 2, level: -100 },
        { cell: 3, level: -89 },
      ],
      3,
    );
    const louder = [
      { cell: 1, level: -74, serving: true },
      { cell: 2, level: -84 },
      { cell: 3, level: -89 },
    ];
    expect(metresTo(world.locate(louder), HERE)).toBeLessThan(100);
  });
});

test('where nothing tells places near each other apart the answer is between them', async () => {
  const world = await HeardWorld.open();
  await world.hear(HERE, [{ cell: 1, level: -80 }], 4);
  await world.hear(moved(HERE, 120, 0), [{ cell: 1, level: -80 }], 4);
  expect(metresTo(world.locate([{ cell: 1, level: -80 }]), moved(HERE, 60, 0))).toBeLessThan(5);
});

test('of places kilometres apart that one is answered where most is, not their middle', async () => {
  const world = await HeardWorld.open();
  for (let i = 0; i < 5; i++) await world.hear(moved(HERE, 0, 40 * i), [{ cell: 1, level: -80 }], 2);
  await world.hear(moved(HERE, 6_000, 0), [{ cell: 1, level: -80 }], 2);
  const located = world.locate([{ cell: 1, level: -80 }]);
  expect(metresTo(located, moved(HERE, 0, 80))).toBeLessThan(60);
});

test('a level that was not sent is no evidence', async () => {
  for (const [quiet, loud] of [
    [4, 6],
    [6, 4],
  ]) {
    const world = await HeardWorld.open();
    await world.hear(HERE, [{ cell: 1, level: -95 }], quiet);
    await world.hear(moved(HERE, 120, 0), [{ cell: 1, level: -60 }], loud);
    const oftener = quiet > loud ? HERE : moved(HERE, 120, 0);
    expect(metresTo(world.locate([{ cell: 1 }]), oftener)).toBeLessThan(60);
  }
});

test('a cell that few observations of a place had is missed there at little cost', async () => {
  const world = await HeardWorld.open();
  await world.hear(HERE, [{ cell: 1, level: -80 }], 9);
  await world.hear(
    HERE,
    [
      { cell: 1, level: -80 },
      { cell: 2, level: -70 },
    ],
    3,
  );
  await world.hear(THERE, [{ cell: 1, level: -87 }], 12);
  expect(metresTo(world.locate([{ cell: 1, level: -80 }]), HERE)).toBeLessThan(100);
});

test('of two streets in a small cell the answer is near the likelier, and in a large cell more between them', async () => {
  const metresFromLikelier: number[] = [];
  for (const extent of [0, 2_000]) {
    const world = await HeardWorld.open();
    await world.hear(HERE, [{ cell: 1, level: -80 }], 4);
    await world.hear(moved(HERE, 120, 0), [{ cell: 1, level: -86 }], 4);
    if (extent > 0)
      for (const north of [-extent, extent]) await world.hear(moved(HERE, 0, north), [{ cell: 1, level: -120 }], 8);
    metresFromLikelier.push(metresTo(world.locate([{ cell: 1, level: -80 }]), HERE));
  }
  const [small, large] = metresFromLikelier;
  expect(small).toBeLessThan(20);
  expect(large).toBeGreaterThan(small + 5);
});

test('the radius falls with the observations and grows with what they leave open', async () => {
  const world = await HeardWorld.open();
  await world.hear(HERE, [{ cell: 1, level: -80 }]);
  await world.hear(HERE, [{ cell: 2, level: -80 }], 100);
  for (let i = 0; i < 6; i++) await world.hear(moved(HERE, 400 * i, 0), [{ cell: 3, level: -80 }], 5);
  const [once, often, wide] = [1, 2, 3].map(cell => world.locate([{ cell, level: -80 }])?.accuracyMetres ?? 0);
  expect(once).toBeGreaterThan(5 * often);
  expect(often).toBeLessThan(60);
  expect(wide).toBeGreaterThan(300);
});

test('the map of the serving cell counts, and of a neighbour where the serving cell has none', async () => {
  const world = await HeardWorld.open();
  await world.hear(HERE, [{ cell: 1, level: -90 }], 3);
  await world.hear(THERE, [{ cell: 2, level: -60 }], 3);
  expect(
    metresTo(
      world.locate([
        { cell: 2, level: -60 },
        { cell: 1, level: -90, serving: true },
      ]),
      HERE,
    ),
  ).toBeLessThan(5);
  expect(
    metresTo(
      world.locate([
        { cell: 2, level: -60 },
        { cell: 9, level: -90, serving: true },
      ]),
      THERE,
    ),
  ).toBeLessThan(5);
});

test('a distant observation of a single contributor is ignored', async () => {
  const world = await HeardWorld.open();
  const far = moved(HERE, 8_000, 0);
  await world.hear(HERE, [{ cell: 1, level: -80 }], 20);
  await world.hear(
    far,
    [
      { cell: 1, level: -60 },
      { cell: 2, level: -60 },
    ],
    60,
    7,
  );
  expect(metresTo(world.locate([{ cell: 1, level: -60, serving: true }]), HERE)).toBeLessThan(1_000);
  await world.hear(
    far,
    [
      { cell: 1, level: -60 },
      { cell: 2, level: -60 },
    ],
    20,
  );
  expect(metresTo(world.locate([{ cell: 1, level: -60, serving: true }]), far)).toBeLessThan(50);
});

test('an import of many samples stands until as much was observed', async () => {
  const world = await HeardWorld.open();
  await world.import(1, { ...stationAt(...THERE, 300, 700), samples: 40 });
  await world.hear(HERE, [{ cell: 1, level: -80 }], 2);
  expect(world.locate([{ cell: 1, level: -80 }])?.accuracyMetres).toBeGreaterThan(250);
  await world.hear(HERE, [{ cell: 1, level: -80 }], 40);
  expect(world.locate([{ cell: 1, level: -80 }])?.accuracyMetres).toBeLessThan(105);
});

test('the same question has the same answer whatever was asked before', async () => {
  const world = await HeardWorld.open();
  for (let i = 0; i < 20; i++)
    await world.hear(moved(HERE, 90 * i, 50 * (i % 3)), [
      { cell: 1, level: -70 - i },
      { cell: 2 + (i % 4), level: -100 + i },
    ]);
  const question = [
    { cell: 1, level: -80, serving: true },
    { cell: 3, level: -92 },
  ];
  const first = world.locate(question);
  world.locate([{ cell: 2, level: -60 }]);
  world.locate([
    { cell: 4, level: -60 },
    { cell: 1, level: -60 },
  ]);
  expect(world.locate(question)).toEqual(first);
});
