// Makes tables of a feature those of the other nodes of a cluster, in any thread or process.

import type { FeatureJob, FeatureTables } from '../feature.ts';
import { closeEnvironment } from '../tables/environment/commit.ts';
import { takePieces } from '../tables/environment/table_pieces.ts';

/** Runs the job. @throws Error when it fails; the tables stay as they were */
export async function takeTables(
  { name, openOrCreate }: FeatureTables,
  { hashes, from }: Extract<FeatureJob, { action: 'take' }>,
  folder: string,
): Promise<undefined> {
  const tables = await openOrCreate(folder);
  try {
    takePieces(tables, `The ${name}`, hashes, from);
  } finally {
    await closeEnvironment(tables.root);
  }
}
