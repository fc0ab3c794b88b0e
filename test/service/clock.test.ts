// A service whose clock is ahead at its start, which is when everything that is old is dropped. The clock is that of
// faults.c, in front of the C library.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { CAN_HARM, compileFaults } from '../torture/faults.ts';

const DAY_SECONDS = 86_400;

test.skipIf(!CAN_HARM).each([8, 416])(
  'a start %i days ahead loses neither requests nor usage, and log and status say so',
  async days => {
    const folder = temporaryFolder();
    const control = join(folder, 'control');
    const setClock = (seconds: number) => writeFileSync(control, Buffer.from(Int32Array.of(0, seconds).buffer));
    for (const [name, value] of Object.entries({ LD_PRELOAD: compileFaults(folder), TORTURE_CONTROL: control })) {
      process.env[name] = value;
      onTestFinished(() => void delete process.env[name]);
    }
    const data = join(folder, 'var');
    const start = async (seconds: number): Promise<ServiceProcess> => {
      setClock(seconds);
      const service = await ServiceProcess.start(data, ...FEW_THREADS);
      onTestFinished(async () => void (await service.stop()));
      return service;
    };
    const first = await start(0);
    const { id, key } = await first.key({ name: 'one' });
    const { json } = await first.post(key, {});
    await first.stop();

    const ahead = await start(days * DAY_SECONDS);
    const sentence = `The clock is ${days} days ahead of the time by which old records are dropped: `;
    expect((await runSextant('status', '--data', data)).stdout).toContain(`! ${sentence}`);
    expect(ahead.printed).toContain(sentence);
    expect((await ahead.post(key, {})).status).toBe(404);
    await ahead.stop();

    const again = await start(0);
    expect(await again.logged(json.logId)).toMatchObject({ logId: json.logId });
    expect(await again.job({ verb: 'keys', action: 'show', id })).toMatchObject({ usage: { today: { requests: 1 } } });
    expect((await runSextant('status', '--data', data)).stdout).toContain('Nothing is wrong.');
  },
);
