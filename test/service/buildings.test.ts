// Building models in a running service: imported, answered, backed up, checked and removed without a restart.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collection, polygon } from '../indoor/transfer/buildings/plan.ts';
import { degreesAt } from '../kits/buildings/drawn.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const base = folderOfFile();
const folder = join(base, 'var');
const plan = join(base, 'campus.geojson');
/** A field that the fast lane does not know. */
const ASIDE = { 'x-aside': '1' };
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  writeFileSync(
    plan,
    collection(
      polygon({ buildingId: 5, building: 'Lab' }, [0, 0], [40, 30]),
      polygon({ floorIndex: 0, room: 'a' }, [0, 0], [9, 9]),
    ),
  );
  service = await ServiceProcess.start(folder, '--http-threads', '1', '--workers', '1');
  ({ key } = await service.key({ indoor: true, credits: 1_000 }));
});
afterAll(() => service?.stop());

const [longitude, latitude] = degreesAt([20, 15]);
const body = { gps: { latitude, longitude, accuracy: 6, age: 9 } };

async function indoor(): Promise<unknown> {
  return (await service.post(key, body)).json.indoor;
}

test('an import takes effect at once, in both ways that a request can take', async () => {
  expect(await indoor()).toBeUndefined();
  const { stdout, stderr } = await runSextant('import', 'buildings', plan, '--data', folder);
  expect(stderr).toBe('writing buildings 100 %, 1 building\n');
  expect(stdout).toBe(
    'Imported 1 building with 1 floor, 1 room, 0 walls, 0 doors as "campus".\nThe tables hold 1 building.\n',
  );
  const kept = [];
  for (const headers of [{}, ASIDE]) {
    const { json, text, ...answer } = await service.request({
      path: `/?key=${key}`,
      headers: headers as Record<string, string>,
      body,
    });
    expect(json.indoor).toEqual({ buildingId: 5, building: 'Lab', floorIndex: 0 });
    const { response } = (await service.logged(json.logId)) as unknown as { response: { indoor: object } };
    expect(response.indoor).toEqual(json.indoor);
    const { date, ...fields } = answer.headers;
    kept.push(JSON.stringify([answer.status, fields, text]).replaceAll(String(json.logId), 'ID'));
  }
  expect(kept[0]).toBe(kept[1]);
});

test('the models say what is at a point, and which imports there are', async () => {
  const [east, north] = degreesAt([5, 5]);
  expect((await runSextant('buildings', 'find', '--at', `${north},${east}`, '--data', folder)).stdout).toBe(
    '"Lab", buildingId 5\n  floor 0: "a"\n',
  );
  expect((await runSextant('buildings', 'find', '--at', '-1,-2.5', '--data', folder)).stdout).toBe(
    'There is no building.\n',
  );
  expect((await runSextant('buildings', 'find', '--at', '91,0', '--data', folder)).code).toBe(2);
  const { stdout } = await runSextant('buildings', 'list', '--json', '--data', folder);
  expect(JSON.parse(stdout)).toMatchObject([{ name: 'campus', buildings: 1, floors: 1, rooms: 1 }]);
});

test('a backup has the buildings, and a restored folder answers them', async () => {
  const backup = join(base, 'backup');
  const restored = join(base, 'restored');
  expect((await runSextant('backup', backup, '--data', folder)).code).toBe(0);
  // The second one takes them over.
  expect((await runSextant('backup', backup, '--data', folder)).code).toBe(0);
  expect((await runSextant('restore', backup, '--data', restored)).stdout).toContain('all is sound');
  expect((await runSextant('buildings', 'list', '--data', restored)).stdout).toContain(
    '1 building, 1 floor, 1 room  campus',
  );
});

test('a mistake is told, and a removal takes effect at once', async () => {
  const bad = join(base, 'bad.geojson');
  writeFileSync(bad, collection(polygon({ buildingId: 'x' }, [0, 0], [40, 30])));
  const refused = await runSextant('import', 'buildings', bad, '--source', 'campus', '--data', folder);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `${bad}, feature 1: properties.buildingId must be a whole number from 0 to 9007199254740991, not "x"; ` +
      `leave it out where it is not known.\n`,
  ]);
  expect(await indoor()).toEqual({ buildingId: 5, building: 'Lab', floorIndex: 0 });
  expect((await runSextant('buildings', 'remove', 'campus', '--data', folder)).stdout).toBe(
    'Removed 1 building. The tables hold 0 buildings.\n',
  );
  expect(await indoor()).toBeUndefined();
  expect((await runSextant('buildings', 'remove', 'campus', '--data', folder)).stderr).toContain(
    'There are no buildings "campus"',
  );
  expect((await runSextant('check', '--data', folder)).code).toBe(0);
});
