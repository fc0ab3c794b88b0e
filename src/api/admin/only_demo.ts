// Whether a data folder holds the demo town and its key, and nothing of anybody. It is asked anew each time: what comes
// in a moment later is somebody's. What was imported and is taken out again was never there; a key, a report and the
// end of the demo key remain.

import { FEATURE_TABLES } from '../../features.ts';
import { isOfDemo } from '../../folder/demo_town.ts';
import { readOptedOut } from '../../folder/opted_out.ts';
import { listSources } from '../../jobs/sources.ts';
import { readReports } from '../../metrics/folder_figures.ts';
import type { AccountTable } from '../../tables/accounts/accounts.ts';
import { openLiveGeneration } from '../../tables/stations/generation.ts';

/**
 * True while the demo key is valid, and there is no other key, tenant, import, report, station or objection.
 * @param folder data folder
 * @param accounts its keys
 * @throws Error when a table cannot be used
 */
export async function holdsOnlyDemo(folder: string, accounts: AccountTable): Promise<boolean> {
  const first = accounts.get(1);
  if (first?.loopbackOnly !== true || first.revoked || accounts.get(2) !== undefined) return false;
  if (accounts.tenants().length > 0 || readOptedOut(folder).length > 0) return false;
  if ((await readReports(folder)).stored > 0 || !(await hasOnlyTown(folder))) return false;
  if ((await listSources(folder)).length > 0) return false;
  const imported = await Promise.all(FEATURE_TABLES.map(({ list }) => list(folder)));
  return imported.every(({ length }) => length === 0);
}

/** Stations of anybody may be here without their source: those of a cluster. */
async function hasOnlyTown(folder: string): Promise<boolean> {
  const generation = openLiveGeneration(folder);
  if (generation === undefined) return true;
  try {
    const isOfTown = isOfDemo();
    for (const key of generation.stations.getKeys()) if (!isOfTown(key as Buffer)) return false;
    return true;
  } finally {
    await generation.root.close();
  }
}
