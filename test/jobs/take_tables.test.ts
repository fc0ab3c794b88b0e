import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { featureTables } from '../../src/features.ts';
import { takeTables } from '../../src/jobs/take_tables.ts';
import { piecesOf } from '../../src/tables/environment/table_pieces.ts';
import { runSextant } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test('tables become those of another node: what that one does not have goes', async () => {
  const [folder, other, survey] = [temporaryFolder(), temporaryFolder(), join(temporaryFolder(), 'survey.csv')];
  writeFileSync(survey, 'floor,latitude,longitude,building,mac,level\n0,47.1,9.5,House,02:00:00:00:00:01,-50\n');
  expect((await runSextant('import', 'fingerprints', survey, '--data', join(folder, 'var'))).code).toBe(0);
  const tables = featureTables('fingerprints')!;
  expect(await tables.list(join(folder, 'var'))).toHaveLength(1);
  const empty = await tables.openOrCreate(other);
  const hashes = [];
  for (const { hash, bytes } of piecesOf(empty)) {
    writeFileSync(join(other, hash), bytes);
    hashes.push(hash);
  }
  await empty.root.close();
  await takeTables(tables, { verb: 'fingerprints', action: 'take', from: other, hashes }, join(folder, 'var'));
  expect(await tables.list(join(folder, 'var'))).toEqual([]);
});
