import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { questionAt, writeLand } from '../../../bench/capacity/drawn_land.ts';
import { drawScenarios, mixScenarios, type Scenario } from '../../../bench/capacity/scenarios.ts';
import { createWorld } from '../../../bench/world.ts';
import { takeFolder } from '../../../src/folder/data_folder.ts';
import { importExtracts } from '../../../src/geocoding/import/import_extracts.ts';
import { NAMES } from './drawn_report.ts';

const world = createWorld(2000, 3);
let scenarios: Scenario[];
let folder: string;
beforeAll(() => {
  scenarios = drawScenarios(world, 'sx_k');
  folder = mkdtempSync(join(tmpdir(), 'capacity-land-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function textOf(name: string, arrivals = 1): string[] {
  return scenarios
    .find(scenario => scenario.name === name)!
    .requests(arrivals)
    .map(request => request.toString());
}

test('the scenarios are those of the targets', () => {
  expect(scenarios.map(({ name }) => name)).toEqual(NAMES);
});

test('each scenario asks for what it is named after', () => {
  const members = (name: string) => Object.keys(JSON.parse(textOf(name)[0].split('\r\n\r\n')[1]));
  expect(members('trackers')).toEqual(['radioType', 'wifiAccessPoints']);
  expect(members('phones')).toEqual(['radioType', 'cellTowers', 'wifiAccessPoints']);
  expect(members('cells')).toEqual(['radioType', 'cellTowers']);
  expect(members('addresses')).toEqual(['radioType', 'cellTowers', 'wifiAccessPoints', 'address']);
  expect(textOf('reverse')[0]).toMatch(/^GET \/reverse\?key=sx_k&lat=\d+\.\d{7}&lon=\d+\.\d{7} HTTP/);
  expect(textOf('search')[0]).toMatch(/^GET \/search\?key=sx_k&limit=1&q=\S+ HTTP/);
});

test('one request in ten contributes, and no report comes twice', () => {
  const drawn = [...textOf('contributions', 200), ...textOf('contributions', 200)];
  const reports = drawn.filter(text => text.startsWith('POST /v2/geosubmit?key=sx_k '));
  expect(reports).toHaveLength(40);
  expect(new Set(reports).size).toBe(40);
});

test('a mix asks for its parts in turn', () => {
  const parts = ['trackers', 'reverse'].map(name => scenarios.find(scenario => scenario.name === name)!);
  const drawn = mixScenarios(parts).requests(1);
  expect(drawn).toHaveLength(4000);
  expect(drawn.slice(0, 4).map(request => request.toString().split(/[ ?]/)[1])).toEqual([
    '/',
    '/reverse',
    '/',
    '/reverse',
  ]);
});

test('questions are addresses, a quarter of them mistyped, and towns', () => {
  const questions = Array.from({ length: 400 }, (_, number) => questionAt(world, number));
  const addresses = questions.filter(question => / \d+, 7\d{4} /.test(question));
  expect(addresses.length).toBeGreaterThan(250);
  expect(addresses.length).toBeLessThan(350);
  expect(new Set(questions).size).toBeGreaterThan(200);
});

test('the land is an extract that can be imported', async () => {
  const file = join(folder, 'land.osm.pbf');
  const houses = writeLand(file, world);
  const data = join(folder, 'data');
  const owned = takeFolder(data, true)!;
  const summary = await importExtracts({ folder: data, files: [file], onProgress: () => {} });
  owned.release();
  expect(houses).toBe(2500);
  expect(summary).toMatchObject({ houses: 2500, roads: 50, skipped: [] });
});
