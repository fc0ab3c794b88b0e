import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BuildingModel } from '../../../../src/indoor/tables/buildings/building.ts';
import { readImdf } from '../../../../src/indoor/transfer/buildings/imdf.ts';
import { corners, degreesAt, type Metres } from '../../../kits/buildings/drawn.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';
import { zipOf } from '../../../transfer/formats/zip_of.ts';

type Properties = Record<string, unknown>;

function area(id: string, properties: Properties, southWest: Metres, northEast: Metres): object {
  return {
    type: 'Feature',
    id,
    properties,
    geometry: { type: 'Polygon', coordinates: [corners(southWest, northEast).map(degreesAt)] },
  };
}

function bare(id: string, properties: Properties): object {
  return { type: 'Feature', id, properties, geometry: null };
}

function opening(id: string, level_id: string, ...points: Metres[]): object {
  return {
    type: 'Feature',
    id,
    properties: { level_id },
    geometry: { type: 'LineString', coordinates: points.map(degreesAt) },
  };
}

const en = (text: string) => ({ en: text });

/** A mall of one building: its collections by their names. */
const MALL: Record<string, object[]> = {
  venue: [area('v', { name: en('Mall') }, [0, 0], [100, 80])],
  building: [bare('b1', { name: { de: 'Kaufhaus', en: 'Mall' } })],
  footprint: [
    area('f1', { category: 'aerial', building_ids: ['b1'] }, [0, 0], [60, 50]),
    area('f2', { category: 'ground', building_ids: ['b1'] }, [0, 0], [40, 30]),
  ],
  level: [
    area('l0', { ordinal: 0, name: en('Ground floor'), short_name: en('G'), building_ids: ['b1'] }, [0, 0], [40, 30]),
    area('l1', { ordinal: 1, name: en('First'), short_name: null, building_ids: ['b1'] }, [0, 0], [40, 30]),
    area('lx', { ordinal: 0, name: en('Square'), outdoor: true, building_ids: ['b1'] }, [0, 0], [100, 80]),
  ],
  unit: [
    area('u1', { level_id: 'l0', name: { de: 'Halle' } }, [0, 0], [20, 30]),
    area('u2', { level_id: 'l0', name: null }, [20, 0], [30, 30]),
    area('u3', { level_id: 'l1', name: null }, [0, 0], [9, 9]),
    area('u4', { level_id: 'lx', name: en('Fountain') }, [70, 50], [80, 60]),
  ],
  opening: [opening('o1', 'l0', [20, 5], [20, 7]), opening('o2', 'lx', [70, 50], [71, 50])],
  occupant: [
    bare('oc', { name: en('Bakery'), anchor_id: 'a' }),
    bare('od', { name: en('Closed'), anchor_id: 'other' }),
  ],
  anchor: [bare('a', { unit_id: 'u2' })],
};

function archive(
  collections: Record<string, object[]>,
  manifest: object | string = { version: '1.0.0', language: 'en' },
  folder = '',
): string {
  const path = join(temporaryFolder(), 'mall.zip');
  const files = Object.entries(collections).map(([type, features]) => ({
    name: `${folder}${type}.geojson`,
    content: JSON.stringify({ type: 'FeatureCollection', features }),
  }));
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  writeFileSync(path, zipOf({ name: `${folder}manifest.json`, content: text }, ...files));
  return path;
}

async function read(...call: Parameters<typeof archive>): Promise<BuildingModel[]> {
  return (await readImdf(archive(...call), () => {})).map(draft => draft.finish());
}

const roomsOf = ({ floors }: BuildingModel) =>
  floors.map(({ index, label, rooms }) => [index, label, rooms.map(({ name }) => name)]);

test('a building has the floors, rooms and openings of its levels', async () => {
  const [model, ...others] = await read(MALL);
  expect(others).toEqual([]);
  expect(model.building).toMatchObject({ modelId: undefined, buildingId: undefined, name: 'Mall' });
  // The roof does not cover the ground.
  expect(model.building.outline).toHaveLength(1);
  expect(roomsOf(model)).toEqual([
    [0, 'G', ['Halle', 'Bakery']],
    [1, 'First', []],
  ]);
  expect(model.floors.map(({ outline, doors }) => [outline.length, doors.length / 4])).toEqual([
    [1, 1],
    [1, 0],
  ]);
});

test('units of some categories are stairs and lifts, with or without a name', async () => {
  const unit = [
    area('s1', { level_id: 'l0', category: 'stairs', name: en('Stairs A') }, [1, 1], [4, 4]),
    area('s2', { level_id: 'l0', category: 'elevator', name: null }, [10, 1], [12, 3]),
    area('s3', { level_id: 'l1', category: 'escalator' }, [1, 1], [4, 4]),
    area('s4', { level_id: 'l1', category: 'room', name: en('Room') }, [10, 1], [12, 3]),
  ];
  const [model] = await read({ ...MALL, unit });
  expect(roomsOf(model)).toEqual([
    [0, 'G', ['Stairs A']],
    [1, 'First', ['Room']],
  ]);
  expect(model.floors.map(({ stairs }) => stairs.length / 4)).toEqual([8, 4]);
});

test('names are in the language of the archive, and its files may lie in a folder', async () => {
  const [model] = await read(MALL, { language: 'de' }, 'mall/');
  expect(model.building.name).toBe('Kaufhaus');
});

test('a level that several buildings share has the rooms of each in its own', async () => {
  const [west, east] = await read({
    ...MALL,
    building: [bare('b1', { name: en('West') }), bare('b2', { name: en('East') })],
    footprint: [
      area('f1', { category: 'ground', building_ids: ['b1'] }, [0, 0], [40, 30]),
      area('f2', { category: 'ground', building_ids: ['b2'] }, [40, 0], [80, 30]),
    ],
    level: [area('l0', { ordinal: 0, name: en('Ground'), building_ids: ['b1', 'b2'] }, [0, 0], [80, 30])],
    unit: [
      area('u1', { level_id: 'l0', name: en('a') }, [1, 1], [9, 9]),
      area('u2', { level_id: 'l0', name: en('b') }, [51, 1], [59, 9]),
    ],
    opening: [opening('o1', 'l0', [50, 5], [50, 7])],
  });
  expect([roomsOf(west), roomsOf(east)]).toEqual([[[0, 'Ground', ['a']]], [[0, 'Ground', ['b']]]]);
  expect([west.floors[0].doors.length, east.floors[0].doors.length]).toEqual([0, 4]);
});

test('without a footprint on the ground, that of what lies above counts, and not what lies below', async () => {
  const footprint = (category: string, side: number) =>
    area(category, { category, building_ids: ['b1'] }, [0, 0], [side, side]);
  const of = async (...footprints: object[]) =>
    (
      await read({
        ...MALL,
        building: [bare('b1', { name: en('Tower') })],
        footprint: footprints,
        level: [],
        unit: [],
        opening: [],
      })
    )[0].building.outline;
  const [aerial, below] = [footprint('aerial', 60), footprint('subterranean', 90)];
  expect(await of(below, aerial)).toEqual(await of(aerial));
});

describe('a mistake is told with file, feature and member:', () => {
  const bad = (type: string, ...features: object[]) => ({ ...MALL, [type]: features });
  test.each([
    ['no levels', { building: MALL.building }, '{}', 'mall.zip is no IMDF archive: it lacks level.geojson.'],
    ['a broken manifest', MALL, '{', 'manifest.json is not JSON'],
    ['no footprint', bad('footprint'), '{}', 'mall.zip, building b1: it has no footprint in footprint.geojson.'],
    [
      'a footprint of no building',
      bad('footprint', area('f', { building_ids: ['x'] }, [0, 0], [9, 9])),
      '{}',
      'footprint.geojson, feature 1 (f): properties.building_ids names "x", which is no building of the archive.',
    ],
    [
      'ids that are no list',
      bad('footprint', area('f', { building_ids: 'b1' }, [0, 0], [9, 9])),
      '{}',
      'properties.building_ids must be a list of ids, not "b1".',
    ],
    [
      'a level without an ordinal',
      bad('level', area('l', { building_ids: ['b1'] }, [0, 0], [9, 9])),
      '{}',
      'level.geojson, feature 1 (l): properties.ordinal must be a whole number from -50 to 200, not nothing.',
    ],
    [
      'a unit of no level',
      bad('unit', area('u', { level_id: 'x', name: en('a') }, [0, 0], [9, 9])),
      '{}',
      'unit.geojson, feature 1 (u): properties.level_id names "x", which is no level of the archive.',
    ],
    [
      'a name that is a text',
      bad('unit', area('u', { level_id: 'l0', name: 'a' }, [0, 0], [9, 9])),
      '{}',
      'properties.name must be labels by language, not "a".',
    ],
    [
      'a label that is no text',
      bad('unit', area('u', { level_id: 'l0', name: { en: 7 } }, [0, 0], [9, 9])),
      '{}',
      'properties.name must be a text of at most 200 printable characters, not 7.',
    ],
    [
      'a unit elsewhere',
      bad('unit', area('u', { level_id: 'l0', name: en('a') }, [400, 0], [409, 9])),
      '{}',
      'unit.geojson, feature 1 (u): it lies outside of its building.',
    ],
    [
      'a unit without an outline',
      bad('unit', bare('u', { level_id: 'l0', name: en('a') })),
      '{}',
      'unit.geojson, feature 1 (u): geometry.type must be',
    ],
    [
      'a level without an id',
      bad('level', { type: 'Feature', properties: { ordinal: 0 }, geometry: null }),
      '{}',
      'level.geojson, feature 1: id is missing.',
    ],
  ] as [string, Record<string, object[]>, string, string][])('%s', async (_, collections, manifest, message) => {
    await expect(read(collections, manifest)).rejects.toThrow(message);
  });
});

test('an archive that is cut is refused', async () => {
  const path = join(temporaryFolder(), 'cut.zip');
  writeFileSync(path, zipOf({ name: 'manifest.json', content: '{}' }).subarray(0, 40));
  await expect(readImdf(path, () => {})).rejects.toThrow('cut.zip cannot be read as a ZIP archive');
});
