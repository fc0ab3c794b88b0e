// Each version that was released keeps a small data folder here (keep.ts). This version must open all of them, answer
// as they did, write into them, and go back by the way that is promised: a backup (docs/upgrading.md).

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { differences } from './compare.ts';
import type { KeptAnswers } from './questions.ts';
import { askAgain } from './reopen.ts';

const HERE = join(import.meta.dirname, 'samples');
const VERSIONS = readdirSync(HERE).flatMap(name =>
  name.endsWith('.tar.gz') ? [name.slice(0, -'.tar.gz'.length)] : [],
);

test('a folder is kept', () => expect(VERSIONS).not.toEqual([]));

test.each(VERSIONS)(
  'a folder of %s opens, answers as it did, takes reports, and comes back from a backup',
  async version => {
    const kept: KeptAnswers = JSON.parse(readFileSync(join(HERE, `${version}.json`), 'utf8'));
    if (kept.architecture !== process.arch) {
      console.warn(`The folder of ${version} is one of ${kept.architecture}; it is not opened here.`);
      return;
    }
    const base = temporaryFolder();
    execFileSync('tar', ['--extract', '--gzip', '--file', join(HERE, `${version}.tar.gz`), '--directory', base]);
    const folder = join(base, version);
    const run = async (...words: string[]) => {
      const { code, stderr } = await runSextant(...words);
      expect([code, stderr.split('\n').filter(line => line.startsWith('error'))]).toEqual([0, []]);
    };
    await run('check', '--data', folder);
    const backup = join(base, 'backup');
    await run('backup', backup, '--data', folder);
    expect(differences(kept, await askAgain(folder, kept))).toEqual([]);

    const service = await ServiceProcess.start(folder, '--http-threads', '1');
    const key = /key=(sx_\w+)/.exec(kept.questions[0].path)![1];
    const report = { timestamp: Date.now() - 1_000, position: { latitude: 47.2, longitude: 9.52, accuracy: 5 } };
    const wifiAccessPoints = [1, 2].map(i => ({ macAddress: `02:00:5e:60:0${i}:07`, signalStrength: -50 - i }));
    const sent = await service.request({
      path: `/v2/geosubmit?key=${key}`,
      body: { items: [{ ...report, wifiAccessPoints }] },
    });
    expect(sent.status).toBe(200);
    await service.job({ verb: 'aggregate', action: 'all' });
    const found = await service.post(key, { wifiAccessPoints });
    expect(found.json.location).toMatchObject({ lat: expect.closeTo(47.2, 3), lng: expect.closeTo(9.52, 3) });
    await service.stop();
    await run('check', '--data', folder);

    const restored = join(base, 'restored');
    await run('restore', backup, '--data', restored);
    expect(differences(kept, await askAgain(restored, kept))).toEqual([]);
  },
);

test('what an earlier version said must be there, and numbers may move a little', () => {
  const before = { list: [1, { lat: 47.1, accuracy: 100, name: 'a' }] };
  expect(differences(before, { list: [1, { lat: 47.10005, accuracy: 104, name: 'a', more: 1 }] })).toEqual([]);
  expect(differences(before, { list: [1, { lat: 47.102, accuracy: 110 }, 2] })).toEqual([
    '/list: more than 2 entries',
    '/list/1/lat: 47.1, now 47.102',
    '/list/1/accuracy: 100, now 110',
    '/list/1/name: "a", now undefined',
  ]);
});
