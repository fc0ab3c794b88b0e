import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, runProgram, ServiceProcess } from './kits/service_process.ts';

// A checkout without the folder of the feature, and without its line in the list.
const root = mkdtempSync(join(tmpdir(), 'sextant-features-'));
const program = join(root, 'src/sextant.js');
let service: ServiceProcess;

const run = (...words: string[]): Promise<Ended> => runProgram(program, ...words, '--data', service.folder);

beforeAll(async () => {
  cpSync('src', join(root, 'src'), { recursive: true, filter: path => !/^src[\\/]indoor/.test(path) });
  for (const name of ['build', 'data', 'node_modules', 'package.json', 'wasm'])
    symlinkSync(join(process.cwd(), name), join(root, name));
  const list = readFileSync('src/features.ts', 'utf8').split('\n');
  const others = list.filter(line => !line.includes('./indoor/feature.ts'));
  expect(others).toHaveLength(list.length - 1);
  writeFileSync(join(root, 'src/features.ts'), others.join('\n'));
  service = await ServiceProcess.startProgram(program, join(root, 'var'));
});

afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

test('access points and cells are located, contributed and imported', async () => {
  const wifiAccessPoints = ['d3', 'd4', 'e7'].map(last => ({ macAddress: `02:00:5e:00:00:${last}` }));
  const found = await service.post(service.demoKey, { wifiAccessPoints, considerIp: false });
  expect(found).toMatchObject({ status: 200, json: { location: { lat: expect.any(Number) } } });
  expect((await run('import', 'cells', 'docs/examples/cells.csv')).stdout).toContain('Accepted');
  expect((await run('sources', 'list')).stdout).toContain('cells');
});

test('places are searched', async () => {
  const { key } = await service.key();
  const answer = await service.request({ method: 'GET', path: `/search?q=Vaduz&key=${encodeURIComponent(key)}` });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('Vaduz');
});

test('the status, a check, a backup and forgetting do their work', async () => {
  expect((await run('status')).stdout).toContain('Nothing is wrong.');
  expect((await run('forget', 'station', '02:00:5e:00:00:d3')).code).toBe(0);
  expect((await run('backup', join(root, 'backup'))).code).toBe(0);
  expect(existsSync(join(root, 'backup/stations'))).toBe(true);
  expect((await run('check')).code).toBe(0);
});

test.each([[['import', 'buildings', 'a.geojson']], [['import', 'fingerprints', 'a.csv']], [['buildings', 'list']]])(
  'what the feature has is not known: %j',
  async words => {
    expect((await run(...words)).code).toBe(2);
  },
);
