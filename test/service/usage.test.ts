// What keys have used, as the operator reads it.

import { expect, test } from 'vitest';
import { FEW_THREADS, serve } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';

const HEARD = {
  wifiAccessPoints: [
    { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
    { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
  ],
};

test('usage is what was answered, over a clean stop, and is exported as CSV', async () => {
  const service = await serve();
  const { id, key } = await service.key({ name: 'fleet, "north"', credits: 1000 });
  const { key: free } = await service.key({ name: '=1+1' });
  for (const device of ['a', 'b', 'a']) expect((await service.post(key, HEARD, `&id=${device}`)).status).toBe(200);
  expect((await service.post(key, {})).status).toBe(404);
  expect((await service.post(free, { ...HEARD, address: true })).status).toBe(200);
  expect((await service.request({ path: `/v1/geolocate/batch?key=${key}`, body: [HEARD, HEARD, {}] })).status).toBe(
    200,
  );
  const points = [
    { lat: 47.14, lon: 9.52 },
    { lat: 48.2, lon: 16.37 },
  ];
  const reversed = await service.request({ path: `/reverse?key=${key}`, body: points });
  expect(reversed.status).toBe(200);
  await service.post('sx_wrong', HEARD);
  const shown = await service.job<{ credits: number; usage: { today: object; lastUse: string } }>({
    verb: 'keys',
    action: 'show',
    id,
  });
  const spent = 1000 - shown.credits;
  // Four positions, a batch with three, and points.
  expect(shown.usage).toMatchObject({ today: { requests: 9, answered: 7, credits: spent } });
  expect(Math.abs(Date.parse(shown.usage.lastUse) - Date.now())).toBeLessThan(60_000);
  await service.stop();

  const today = new Date().toISOString().slice(0, 10);
  const words = ['usage', 'export', '--data', service.folder];
  const exported = await runSextant(...words);
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  const lines = exported.stdout
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/,[^,]*$/, ''));
  const row = `${today},${id},"fleet, ""north"""`;
  expect(lines).toEqual([
    'day,key,name,route,requests,answered,credits,devices',
    `${row},position,8,6,5,2`,
    `${row},reverse,1,1,${spent - 5},0`,
    `${today},${id + 1},'=1+1,position,1,1,${lines[3].split(',')[6]},0`,
  ]);
  expect((await runSextant(...words, '--to', '2026-01-01')).stdout.split('\n')).toHaveLength(2);
  const again = await ServiceProcess.start(service.folder, ...FEW_THREADS);
  expect(await again.job({ verb: 'keys', action: 'show', id })).toMatchObject({ usage: shown.usage });
  await again.stop();
});
