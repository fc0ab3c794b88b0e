import { expect, test } from 'vitest';
import { plansAt } from '../../src/indoor/plans_at.ts';
import { openOrCreateBuildings } from '../../src/indoor/tables/buildings/building_tables.ts';
import { putSource } from '../../src/indoor/tables/buildings/change_source.ts';
import { BuildingReader } from '../../src/indoor/tables/buildings/reader.ts';
import { degreesAt, drawnFloor, drawnModel, type Metres, rectangle, ring, unitsAt } from '../kits/buildings/drawn.ts';
import { uniform } from '../kits/random.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

/** A star of five points around a centre: as far from a box as a room can be. */
function star([east, north]: Metres, size: number): Metres[] {
  const points = Array.from({ length: 10 }, (_, i): Metres => {
    const radius = i % 2 === 0 ? size : size / 3;
    return [east + radius * Math.cos((i * Math.PI) / 5), north + radius * Math.sin((i * Math.PI) / 5)];
  });
  return [...points, points[0]];
}

/**
 * Whether a point is inside of a polygon: by the sum of the angles in which its sides are seen, which is a whole turn
 * inside, and none outside.
 */
function turnsAround(point: Metres, polygon: readonly Metres[]): boolean {
  // In units, in which the plan is stored.
  const [x, y] = unitsAt(point);
  const corners = polygon.map(unitsAt);
  let sum = 0;
  for (let i = 0; i + 1 < corners.length; i++) {
    const [ax, ay] = [corners[i][0] - x, corners[i][1] - y];
    const [bx, by] = [corners[i + 1][0] - x, corners[i + 1][1] - y];
    sum += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return Math.abs(sum) > Math.PI;
}

test('building, floors and room of drawn points are those of the drawing', async () => {
  const folder = temporaryFolder();
  const rooms = [0, 1, 2].flatMap(column =>
    [0, 1].map(row => ({ name: `${column}${row}`, points: star([10 + 20 * column, 10 + 20 * row], 9) })),
  );
  const hole = star([10, 10], 4).toReversed();
  const floors = [
    drawnFloor(0, {
      label: 'G',
      rooms: rooms.map(({ name, points }) => ({
        name,
        outline: [ring(points), ...(name === '00' ? [ring(hole)] : [])],
      })),
    }),
    drawnFloor(1),
  ];
  const tables = await openOrCreateBuildings(folder);
  putSource(tables, 'drawn', [drawnModel({ buildingId: 4, outline: [rectangle([0, 0], [60, 40])] }, floors)], () => {});
  await tables.root.close();
  const reader = new BuildingReader(folder);
  const random = uniform(3);
  let inRooms = 0;
  for (let i = 0; i < 3_000; i++) {
    const point: Metres = [-10 + 80 * random(), -10 + 60 * random()];
    const isInBuilding = point[0] > 0 && point[0] < 60 && point[1] > 0 && point[1] < 40;
    const room = rooms.find(
      ({ name, points }) => turnsAround(point, points) && !(name === '00' && turnsAround(point, hole)),
    )?.name;
    const [longitude, latitude] = degreesAt(point);
    const building = { modelId: undefined, buildingId: 4, name: '' };
    const expected = [
      {
        building,
        floors: [
          { index: 0, label: 'G', room },
          { index: 1, label: '', room: undefined },
        ],
      },
    ];
    expect(plansAt(reader, latitude, longitude)).toEqual(isInBuilding ? expected : []);
    if (room !== undefined) inRooms++;
  }
  expect(inRooms).toBeGreaterThan(300);
  await reader.close();
});
