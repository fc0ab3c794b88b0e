// A service whose disk is full: it goes on answering, says so once, and stores again when there is space.

import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FEW_THREADS } from '../kits/served_service.ts';
import { expectError, runSextant, ServiceProcess } from '../kits/service_process.ts';
import { CAN_MOUNT, smallDisk } from '../kits/small_disk.ts';

const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

function batch(number: number): object {
  const timestamp = Date.now() - 60_000 - number * 1000;
  const wifiAccessPoints = [1, 2].map(n => ({
    macAddress: `06112233${n}${(1000 + number).toString(16).padStart(3, '0')}`,
    signalStrength: -50,
  }));
  return {
    items: [{ timestamp, position: { latitude: 50 + number / 1000, longitude: 8, accuracy: 10 }, wifiAccessPoints }],
  };
}

describe.skipIf(!CAN_MOUNT)('a full disk', () => {
  test('is 503 for contributions and one sentence for the operator, and positions go on', async () => {
    const disk = smallDisk(8 * 1024);
    const service = await ServiceProcess.start(join(disk, 'data'), ...FEW_THREADS);
    onTestFinished(async () => void (await service.stop()));
    const contribute = (number: number) =>
      service.request({ path: `/v2/geosubmit?key=${service.demoKey}`, body: batch(number) });
    expect((await contribute(0)).status).toBe(200);
    const { bavail, bsize } = statfsSync(disk);
    const filler = join(disk, 'filler');
    // What is left takes what the service is still writing, and no contribution.
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 524_288));
    for (let number = 1; number <= 50; number++) {
      const refused = await contribute(number);
      expectError(refused, 503, 'backendError', 'global', 'The service cannot store anything now; try again later.');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await service.post(service.demoKey, POINTS)).status).toBe(200);
    }
    rmSync(filler);
    expect((await contribute(51)).status).toBe(200);
    const { code, stderr } = await service.stop();
    expect(code).toBe(0);
    const told = stderr
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).msg);
    expect(told).toEqual([
      expect.stringMatching(
        /^The \S.* could not be written: no space is left \(the disk is full or failing\)\. Nothing was changed\.$/,
      ),
      'Stopping on SIGTERM.',
    ]);
  });

  test('is a sentence for a first start, which leaves nothing in the way of the next', async () => {
    const disk = smallDisk(3 * 1024);
    const folder = join(disk, 'deep/data');
    const { code, stdout, stderr } = await runSextant('serve', '--port', '0', '--data', folder);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `The data folder ${folder} cannot be made: its disk has 3,072 KB left, and at least 4096 KB are needed.\n`,
    );
    const larger = smallDisk(8 * 1024);
    const service = await ServiceProcess.start(join(larger, 'deep/data'), ...FEW_THREADS);
    expect((await service.post(service.demoKey, POINTS)).status).toBe(200);
    await service.stop();
  });
});
