import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenHash } from '../../../src/api/admin/token.ts';
import { runSextant } from '../../kits/service_process.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { administered } from './administered.ts';

test('a backup does not hold the token, and a service on what is restored makes another', async () => {
  const { service } = await administered();
  const [backup, restored] = ['backup', 'restored'].map(name => join(temporaryFolder(), name));
  expect((await runSextant('backup', backup, '--data', service.folder)).code).toBe(0);
  expect([existsSync(join(backup, 'secret')), existsSync(join(backup, 'admin.token'))]).toEqual([true, false]);
  expect((await runSextant('restore', backup, '--data', restored)).code).toBe(0);
  tokenHash(restored, 'admin.token');
  const [old, other] = [service.folder, restored].map(folder => readFileSync(join(folder, 'admin.token'), 'utf8'));
  expect(other).not.toBe(old);
});
