import { describe, expect, test } from 'vitest';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { HeardWorld } from '../../kits/radio/heard_world.ts';

const HERE: Position = [49.87, 8.65];
const FAR = moved(HERE, 60_000, 0);

describe('a neighbour known by its code alone', () => {
  test('places a device whose serving cell is unknown', async () => {
    const world = await HeardWorld.open();
    await world.hear(HERE, [{ cell: 1, level: -80, code: 17 }], 3);
    const located = world.locate([
      { cell: 8, level: -80, serving: true },
      { code: 17, level: -90 },
    ]);
    expect(metresTo(located, HERE)).toBeLessThan(5);
    expect(located?.used).toBe(1);
    expect(
      world.locate([
        { cell: 8, level: -80, serving: true },
        { code: 18, level: -90 },
      ]),
    ).toBeUndefined();
  });

  test('gives no position when its code is in use far apart', async () => {
    const world = await HeardWorld.open();
    await world.hear(HERE, [{ cell: 1, level: -80, code: 17 }], 3);
    await world.hear(FAR, [{ cell: 2, level: -80, code: 17 }], 3);
    expect(
      world.locate([
        { cell: 8, level: -80, serving: true },
        { code: 17, level: -90 },
      ]),
    ).toBeUndefined();
  });

  test('is the nearest of its code to a cell that is known', async () => {
    const world = await HeardWorld.open();
    await world.hear(moved(HERE, 800, 0), [{ cell: 1, level: -80, code: 17 }], 3);
    await world.hear(moved(HERE, 5_000, 0), [{ cell: 3, level: -80, code: 17 }], 3);
    await world.hear(FAR, [{ cell: 2, level: -80, code: 17 }], 3);
    await world.import(8, { ...stationAt(...HERE, 400, 900), samples: 20 });
    const alone = world.locate([{ cell: 8, level: -90, serving: true }]);
    const both = world.locate([
      { cell: 8, level: -90, serving: true },
      { code: 17, level: -90 },
    ]);
    expect(metresTo(alone, HERE)).toBeLessThan(1);
    expect(both?.used).toBe(2);
    expect(metresTo(both, moved(HERE, 800, 0))).toBeLessThan(300);
  });

  test('is not found under a code that the cell had before', async () => {
    const world = await HeardWorld.open();
    await world.hear(HERE, [{ cell: 1, level: -80, code: 17 }], 2);
    await world.hear(HERE, [{ cell: 1, level: -80, code: 18 }]);
    expect(
      world.locate([
        { cell: 8, serving: true },
        { code: 17, level: -90 },
      ]),
    ).toBeUndefined();
    expect(
      metresTo(
        world.locate([
          { cell: 8, serving: true },
          { code: 18, level: -90 },
        ]),
        HERE,
      ),
    ).toBeLessThan(5);
  });

  test('two of them are two cells', async () => {
    const world = await HeardWorld.open();
    await world.hear(HERE, [{ cell: 1, level: -80, code: 17 }], 3);
    await world.hear(moved(HERE, 600, 0), [{ cell: 2, level: -80, code: 18 }], 3);
    const located = world.locate([
      { cell: 8, serving: true },
      { code: 17, level: -90 },
      { code: 18, level: -90 },
    ]);
    expect(located?.used).toBe(2);
    expect(metresTo(located, moved(HERE, 300, 0))).toBeLessThan(30);
  });
});
