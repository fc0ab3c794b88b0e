import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { BuildingModel } from '../../../../src/indoor/tables/buildings/building.ts';
import {
  floorsOfLevel,
  floorsOfTags,
  type OsmBuildings,
  readOsmBuildings,
} from '../../../../src/indoor/transfer/buildings/osm_indoor.ts';
import { corners, degreesAt, type Metres, rectangle, unitsAt } from '../../../kits/buildings/drawn.ts';
import { type DrawnObject, writeOsmPbf } from '../../../kits/places/osm_pbf.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

type Tags = Record<string, string>;

/** A map drawn in metres. */
class DrawnMap {
  private readonly nodes: DrawnObject[] = [];
  private readonly ways: DrawnObject[] = [];
  private readonly relations: DrawnObject[] = [];

  node(at: Metres, tags: Tags = {}): number {
    const [lon, lat] = degreesAt(at);
    const id = this.nodes.length + 1;
    this.nodes.push({ type: 'node', id, lat, lon, tags });
    return id;
  }

  way(tags: Tags, ...points: readonly Metres[]): number {
    return this.wayOf(
      tags,
      points.map(at => this.node(at)),
    );
  }

  area(tags: Tags, southWest: Metres, northEast: Metres): number {
    const nodes = corners(southWest, northEast)
      .slice(0, -1)
      .map(at => this.node(at));
    return this.wayOf(tags, [...nodes, nodes[0]]);
  }

  relation(tags: Tags, members: [way: number, role: string][]): void {
    const refs = members.map(([ref, role]) => ({ type: 'way' as const, ref, role }));
    this.relations.push({
      type: 'relation',
      id: 500 + this.relations.length,
      members: refs,
      tags: { type: 'multipolygon', ...tags },
    });
  }

  private wayOf(tags: Tags, nodes: readonly number[]): number {
    const id = 100 + this.ways.length;
    this.ways.push({ type: 'way', id, nodes, tags });
    return id;
  }

  async read(): Promise<{ models: BuildingModel[]; skipped: OsmBuildings['skipped'] }> {
    const path = join(folder, 'map.osm.pbf');
    writeOsmPbf(path, [...this.nodes, ...this.ways, ...this.relations]);
    const { drafts, skipped } = await readOsmBuildings([path], folder, () => {});
    return { models: drafts.map(draft => draft.finish()), skipped };
  }
}

let folder: string;
let map: DrawnMap;
beforeEach(() => {
  folder = temporaryFolder();
  map = new DrawnMap();
});

test('a building with a plan has its floors, rooms, walls and doors', async () => {
  const house = map.area({ building: 'yes', name: 'Rathaus' }, [0, 0], [40, 30]);
  map.area({ indoor: 'level', level: '0', 'level:ref': 'EG' }, [0, 0], [40, 30]);
  map.area({ indoor: 'room', level: '0', name: 'Saal' }, [1, 1], [20, 20]);
  map.area({ indoor: 'corridor', level: '0-1', ref: 'K' }, [20, 1], [25, 29]);
  map.area({ indoor: 'area', level: '1', name: 'Empore' }, [1, 1], [20, 20]);
  map.area({ indoor: 'room', level: '1' }, [30, 1], [39, 9]);
  map.way({ indoor: 'wall', level: '0' }, [25, 10], [40, 10]);
  map.area({ indoor: 'wall', level: '-1' }, [5, 5], [6, 6]);
  map.node([10, 10], { door: 'hinged', level: '0;1' });
  const { models, skipped } = await map.read();
  expect(skipped).toEqual([]);
  const [{ building, floors }] = models;
  expect(building).toEqual({
    modelId: undefined,
    buildingId: house,
    name: 'Rathaus',
    outline: [rectangle([0, 0], [40, 30])],
  });
  expect(floors.map(({ index, label, rooms }) => [index, label, rooms.map(({ name }) => name)])).toEqual([
    [-1, '', []],
    [0, 'EG', ['Saal', 'K']],
    [1, '', ['K', 'Empore']],
  ]);
  expect(floors.map(({ walls, doors }) => [walls.length / 4, doors.length / 4])).toEqual([
    [4, 0],
    [1, 1],
    [0, 1],
  ]);
  expect(floors[1].outline).toHaveLength(1);
  expect([...floors[1].doors.subarray(0, 2)]).toEqual(unitsAt([10, 10]));
});

test('what repeats on floors, or spans them, is on all of them', async () => {
  map.area({ building: 'yes' }, [0, 0], [40, 30]);
  map.area({ indoor: 'room', level: '1', repeat_on: '2-3', name: 'Toilet' }, [1, 1], [5, 5]);
  map.area({ indoor: 'room', min_level: '0', max_level: '1', name: 'Hall' }, [10, 1], [20, 9]);
  map.node([30, 20], { highway: 'elevator', min_level: '0', max_level: '3' });
  const { models } = await map.read();
  const [{ floors }] = models;
  expect(floors.map(({ index, rooms, stairs }) => [index, rooms.map(({ name }) => name), stairs.length / 4])).toEqual([
    [0, ['Hall'], 1],
    [1, ['Toilet', 'Hall'], 1],
    [2, ['Toilet'], 1],
    [3, ['Toilet'], 1],
  ]);
});

test('stairs, escalators and lifts are those of their floors, and what is outside is none', async () => {
  map.area({ building: 'yes' }, [0, 0], [40, 30]);
  map.area({ indoor: 'room', level: '0-1', room: 'stairs', name: 'Treppe' }, [1, 1], [5, 5]);
  map.area({ indoor: 'area', level: '1', stairs: 'yes' }, [10, 1], [14, 5]);
  map.way({ highway: 'steps', level: '0' }, [20, 10], [25, 10]);
  map.way({ highway: 'steps' }, [30, 10], [35, 10]);
  map.node([30, 20], { highway: 'elevator', level: '0;1;2' });
  map.node([31, 20], { highway: 'elevator' });
  const { models, skipped } = await map.read();
  expect(skipped).toEqual([]);
  const [{ floors }] = models;
  expect(
    floors.map(({ index, stairs, walls, doors }) => [index, stairs.length / 4, walls.length, doors.length]),
  ).toEqual([
    [0, 6, 0, 0],
    [1, 9, 0, 0],
    [2, 1, 0, 0],
  ]);
  expect(floors.map(({ rooms }) => rooms.map(({ name }) => name))).toEqual([['Treppe'], ['Treppe'], []]);
  expect([...floors[2].stairs]).toEqual([...unitsAt([30, 20]), ...unitsAt([30, 20])]);
});

test('an entrance on the wall of a building is a door of its ground floor', async () => {
  map.way({}, [0, 0]);
  map.area({ building: 'yes' }, [0, 0], [40, 30]);
  map.area({ indoor: 'room', level: '0', name: 'a' }, [1, 1], [9, 9]);
  map.node([40, 30], { entrance: 'main' });
  map.node([40, 20], { door: 'no', level: '0' });
  map.node([300, 20], { entrance: 'yes' });
  const { models } = await map.read();
  expect(models[0].floors.map(({ doors }) => [...doors])).toEqual([[...unitsAt([40, 30]), ...unitsAt([40, 30])]]);
});

test('buildings without a plan are left out, and of two around a room the smaller one is meant', async () => {
  map.area({ building: 'yes', name: 'Site' }, [-50, -50], [90, 80]);
  map.area({ building: 'yes', name: 'House' }, [0, 0], [40, 30]);
  map.area({ building: 'yes', name: 'Shed' }, [60, 0], [70, 9]);
  map.area({ building: 'no', name: 'Ruin' }, [1, 1], [10, 10]);
  map.area({ indoor: 'room', level: '0', name: 'a' }, [2, 2], [9, 9]);
  expect((await map.read()).models.map(({ building }) => building.name)).toEqual(['House']);
});

test('a building may be a multipolygon with a yard', async () => {
  const outer = map.area({}, [0, 0], [60, 50]);
  const inner = map.area({}, [20, 15], [40, 35]);
  map.relation({ building: 'yes', name: 'Court' }, [
    [outer, 'outer'],
    [inner, 'inner'],
  ]);
  map.area({ indoor: 'room', level: '2', name: 'a' }, [2, 2], [9, 9]);
  const { models } = await map.read();
  expect(models[0].building).toMatchObject({ name: 'Court', buildingId: 500 });
  expect(models[0].building.outline).toHaveLength(2);
});

test('what lies in no building is told, and what is on no floor is no part of one', async () => {
  map.area({ building: 'yes' }, [0, 0], [40, 30]);
  map.area({ indoor: 'room', level: '0', name: 'a' }, [1, 1], [9, 9]);
  const lost = map.area({ indoor: 'room', level: '0', name: 'b' }, [100, 1], [109, 9]);
  map.area({ indoor: 'room', level: '0.5', name: 'c' }, [1, 1], [9, 9]);
  map.area({ indoor: 'room', name: 'd' }, [1, 1], [9, 9]);
  const { models, skipped } = await map.read();
  expect(models[0].floors.map(({ rooms }) => rooms.map(({ name }) => name))).toEqual([['a']]);
  expect(skipped).toEqual([{ type: 2, id: lost, reason: 'It lies in no building.' }]);
});

test('a floor with two labels keeps the first, and the mistake is told', async () => {
  map.area({ building: 'yes' }, [0, 0], [40, 30]);
  map.area({ indoor: 'level', level: '0', 'level:ref': 'G' }, [0, 0], [20, 30]);
  map.area({ indoor: 'level', level: '0', 'level:ref': 'E' }, [20, 0], [40, 30]);
  const { models, skipped } = await map.read();
  expect(models[0].floors[0].label).toBe('G');
  expect(skipped.map(({ reason }) => reason)).toEqual([
    'Floor 0 of its building has the label "G" and cannot have "E" as well.',
  ]);
});

test('a building with a floor that is drawn twice is left out and told, and the others come in', async () => {
  const twice = map.area({ building: 'yes', name: 'Twice' }, [0, 0], [40, 30]);
  for (const level of ['0;1', '1']) map.area({ indoor: 'level', level }, [0, 0], [40, 30]);
  map.area({ building: 'yes', name: 'Once' }, [100, 0], [140, 30]);
  map.area({ indoor: 'room', level: '0', name: 'Saal' }, [101, 1], [120, 20]);
  const { models, skipped } = await map.read();
  expect(models.map(({ building }) => building.name)).toEqual(['Once']);
  expect(skipped).toEqual([expect.objectContaining({ id: twice, reason: expect.stringMatching(/cover each other/) })]);
});

test.each([
  ['0', [0]],
  ['-1', [-1]],
  ['0;1', [0, 1]],
  ['0-2', [0, 1, 2]],
  ['-2--1', [-2, -1]],
  ['-1-1', [-1, 0, 1]],
  ['3; 0 - 1 ;3', [3, 0, 1]],
  ['0.5', []],
  ['0;0.5;1', [0, 1]],
  ['2-1', []],
  ['G', []],
  ['', []],
  [undefined, []],
  ['-99', []],
  ['199-999', [199, 200]],
])('the level %s is on the floors %j', (level, floors) => {
  expect(floorsOfLevel(level)).toEqual(floors);
});

test.each([
  [{ level: '1', repeat_on: '2-3' }, [1, 2, 3]],
  [{ level: '1', repeat_on: '1;5' }, [1, 5]],
  [{ repeat_on: '2' }, [2]],
  [{ min_level: '-1', max_level: '1' }, [-1, 0, 1]],
  [{ min_level: '-1', max_level: '1', repeat_on: '4' }, [-1, 0, 1, 4]],
  [{ level: '0', min_level: '-1', max_level: '1' }, [0]],
  [{ min_level: '2' }, []],
  [{ min_level: '2', max_level: 'roof' }, []],
  [{ min_level: '0', max_level: '1;7' }, []],
  [{}, []],
])('the tags %j are on the floors %j', (tags, floors) => {
  expect(floorsOfTags(tags as Record<string, string>)).toEqual(floors);
});
