// `sextant demo remove`: it says what it took, and what to do where it took the only key.

import { expect, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import { runSextant } from '../kits/service_process.ts';

const REMOVED = 'Took out the demo town of 449 stations, and the demo key.';
const NO_KEY = 'No key is valid now, so every request is refused. Make one: sextant keys create --name NAME';

test('the removal of the only key says how to make another; that key ends the message', async () => {
  const service = await serve();
  // Neither of them is valid.
  await service.key({ expires: '2020-01-01' });
  const { id } = await service.key();
  await service.job({ verb: 'keys', action: 'revoke', id });
  const only = await runSextant('demo', 'remove', '--data', service.folder);
  expect(only.stderr).toBe(`${REMOVED}\n${NO_KEY}\n`);
  expect(JSON.parse(only.stdout)).toEqual({ stations: 449, keys: 1, noKeyLeft: true });
  const { code } = await runSextant('keys', 'create', '--name', 'NAME', '--data', service.folder);
  expect(code).toBe(0);
  const again = await runSextant('demo', 'remove', '--data', service.folder);
  expect([again.code, again.stderr, JSON.parse(again.stdout)]).toEqual([
    0,
    'Took out the demo town of 449 stations. There was no demo key.\n',
    { stations: 449, keys: 0 },
  ]);
});
