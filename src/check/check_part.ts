// The check of one part of a data folder: its secret, an environment, the tables of a feature, or its figures.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { featureTables } from '../features.ts';
import { FIGURES_FILE } from '../folder/data_folder.ts';
import { demoChanges } from '../folder/demo_town.ts';
import { readSecrets } from '../folder/secret.ts';
import { isAddressFileSound } from '../geocoding/import/houses/address_file.ts';
import { checkGeneration } from '../learning/check_knowledge.ts';
import { readFigureFile } from '../metrics/figure_file.ts';
import { checkAccounts } from '../tables/accounts/check.ts';
import { Check, type CheckNews, REBUILD, RESTORE, WHOLE } from '../tables/environment/check_walk.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import { namesIn } from '../tables/environment/generation_folder.ts';
import { checkObservations, type LogCounters, readCounters } from '../tables/observations/check.ts';
import { openObservationEnvironment, readComplete, readRewrites } from '../tables/observations/environment.ts';
import { checkPlaces, IMPORT_EXTRACTS, IMPORT_IMPORTANCE } from '../tables/places/check.ts';
import { importancePath, pathsOfExtract } from '../tables/places/extract_files.ts';
import { currentLayer, placesFolder } from '../tables/places/generations.ts';
import { problemWithImportance } from '../tables/places/importance_table.ts';
import { type LayerTables, metaOf, openLayer } from '../tables/places/layer.ts';
import type { KeptExtract } from '../tables/places/layer_meta.ts';
import { checkRequests } from '../tables/requests/check.ts';
import { checkSources } from '../tables/sources/check.ts';
import { currentGeneration, openGeneration, openLiveGeneration } from '../tables/stations/generation.ts';
import { KnowledgeTables } from '../tables/stations/knowledge.ts';

/** Stations that `demo remove` takes out. */
const REMOVABLE = demoChanges('delete').length;

/** What helps against damage of a whole part, where that is no backup. */
const REMEDIES: Readonly<Record<string, string>> = {
  secret: `${RESTORE}, or delete the file: then state tokens handed out so far are void`,
  places: IMPORT_EXTRACTS,
  [FIGURES_FILE]: 'do nothing: the service begins them anew when it starts',
};

/**
 * Checks one part of a data folder (PARTS in check_folder.ts). A part that cannot be read is a finding.
 * @param isQuick leaves out what must be computed again
 * @param tell is told what is read and found
 */
export async function checkPart(
  folder: string,
  part: string,
  isQuick: boolean,
  tell: (news: CheckNews) => void,
): Promise<void> {
  const check = new Check(isQuick, tell);
  try {
    await checkTables(folder, part, check, tell);
  } catch (error) {
    check.table(part, REMEDIES[part] ?? RESTORE).find('file', WHOLE, whatOf(error as Error));
  }
  check.end();
}

async function checkTables(folder: string, part: string, check: Check, tell: (news: CheckNews) => void): Promise<void> {
  if (part === 'secret') {
    readSecrets(folder);
    return;
  }
  if (part === FIGURES_FILE) {
    readFigureFile(folder);
    return;
  }
  if (part === 'stations') {
    await checkStations(folder, check);
    return;
  }
  if (part === 'places') {
    await checkLiveLayer(folder, check);
    return;
  }
  const ofFeature = featureTables(part);
  if (ofFeature !== undefined) {
    const tables = await ofFeature.open(folder);
    if (tables === undefined) return;
    await ofFeature.check(tables, check);
    await tables.root.close();
    return;
  }
  if (!existsSync(join(folder, part, DATA_FILE))) {
    // Stations are created last, so a folder without them was killed when it was new. A checkpoint is optional.
    if (part !== 'checkpoint' && currentGeneration(folder) !== undefined) throw new Error('it is missing');
    return;
  }
  if (part === 'accounts') await checkAccounts(folder, check);
  if (part === 'requests') await checkRequests(folder, check);
  if (part === 'observations') await checkLog(join(folder, part), check, tell);
  if (part === 'checkpoint') {
    const checkpoint = openGeneration(join(folder, part));
    await checkGeneration(checkpoint, check, 'checkpoint ', REMOVABLE);
    await checkpoint.root.close();
  }
}

/**
 * Checks the log. If `forget` rewrites it meanwhile, what was found is told of neither log, and it is checked again.
 */
async function checkLog(path: string, { isQuick }: Check, tell: (news: CheckNews) => void): Promise<void> {
  for (let isSame = false; !isSame; ) {
    const found: CheckNews[] = [];
    const check = new Check(isQuick, news => {
      if ('finding' in news) found.push(news);
      else tell(news);
    });
    const { root, tables } = openObservationEnvironment(path);
    const rewrites = readRewrites(tables.meta);
    await checkObservations(root, tables, check);
    root.resetReadTxn();
    isSame = readRewrites(tables.meta) === rewrites;
    await root.close();
    check.end();
    if (isSame) for (const news of found) tell(news);
  }
}

async function checkStations(folder: string, check: Check): Promise<void> {
  if (currentGeneration(folder) === undefined) {
    requireNoGenerations(join(folder, 'stations'));
    return;
  }
  // The service appends to the log, then advances its progress, then drops old reports. So the progress is read between
  // two looks at the log.
  const before = await countersOfLog(folder);
  const generation = openLiveGeneration(folder)!;
  const { progress, log } = new KnowledgeTables(generation);
  generation.root.resetReadTxn();
  const after = await countersOfLog(folder);
  const meta = check.table('meta', RESTORE);
  if (before !== undefined && progress < before.dropped)
    meta.find(
      'counter',
      'progress',
      `reports ${progress + 1} to ${before.dropped} were dropped from the log before they took effect`,
    );
  // After "forget" the numbers are others.
  if (after !== undefined && after.rewrites === before?.rewrites && progress > after.last) {
    const what = `report ${progress} is said to have taken effect, and the log ends at ${after.last}`;
    meta.find('counter', 'progress', what, `${REBUILD}, or ${RESTORE}`);
  }
  if (after !== undefined && after.rewrites === before?.rewrites && log !== after.rewrites && log !== after.complete) {
    const what = `the tables were learned from rewrite ${log} of the log, and the log is rewrite ${after.rewrites}`;
    meta.find('counter', 'log', what, `${REBUILD}, or ${RESTORE}`);
  }
  await checkGeneration(generation, check, '', REMOVABLE);
  await checkSources(folder, generation, check);
  await generation.root.close();
}

/** @throws Error when there are generations, none of which is named as the live one */
function requireNoGenerations(folder: string): void {
  const left = namesIn(folder).filter(name => /^\d+$/.test(name));
  if (left.length > 0) throw new Error(`no generation is named as the live one, and there is ${left.join(', ')}`);
}

/** The counters of the log; undefined if it cannot be opened, which the check of the log reports. */
async function countersOfLog(
  folder: string,
): Promise<(LogCounters & { rewrites: number; complete: number | undefined }) | undefined> {
  const path = join(folder, 'observations');
  if (!existsSync(join(path, DATA_FILE))) return undefined;
  let log: ReturnType<typeof openObservationEnvironment>;
  try {
    log = openObservationEnvironment(path);
  } catch {
    return undefined;
  }
  log.root.resetReadTxn();
  const { meta } = log.tables;
  const counters = { ...readCounters(meta), rewrites: readRewrites(meta), complete: readComplete(meta) };
  // Whoever opens an environment while it is being closed waits for its end.
  await log.root.close();
  return counters;
}

async function checkLiveLayer(dataFolder: string, check: Check): Promise<void> {
  const folder = placesFolder(dataFolder);
  for (;;) {
    const live = currentLayer(folder);
    if (live === undefined) {
      requireNoGenerations(folder);
      return;
    }
    let tables: LayerTables;
    try {
      tables = openLayer(live);
    } catch (error) {
      // An import may have replaced and removed it meanwhile.
      if (currentLayer(folder) !== live) continue;
      throw error;
    }
    await checkPlaces(live, tables, check);
    const { extracts = [], importance = [] } = metaOf(tables);
    const copies = extracts.map(extract => problemWithCopy(dataFolder, extract, check.isQuick));
    const damaged = importance.map(kept => problemWithImportance(importancePath(dataFolder, kept.file), kept));
    await tables.root.close();
    // An import may have removed them meanwhile.
    if (currentLayer(folder) !== live) return;
    for (const [i, problem] of copies.entries()) {
      const { kind, name } = extracts[i];
      const table =
        kind === undefined
          ? check.table('extracts', IMPORT_EXTRACTS)
          : check.table(kind, `import it again with "sextant import ${kind}"`);
      if (problem !== undefined) table.find('file', name, problem);
    }
    for (const [i, problem] of damaged.entries())
      if (problem !== undefined) check.table('importance', IMPORT_IMPORTANCE).find('file', importance[i].name, problem);
    return;
  }
}

/** What is wrong with the copy of an extract or of addresses; of an extract nothing tells whether it is sound. */
function problemWithCopy(dataFolder: string, extract: KeptExtract, isQuick: boolean): string | undefined {
  const paths = pathsOfExtract(dataFolder, extract);
  if (!paths.every(path => existsSync(path))) return 'its copy is missing';
  const { kind, checksum } = extract;
  if (isQuick || kind === undefined) return undefined;
  try {
    return isAddressFileSound(paths[0], checksum!) ? undefined : 'its copy is damaged';
  } catch (error) {
    return `its copy cannot be read: ${(error as Error).message}`;
  }
}

/** The reason within an error message, without the advice that follows it. */
function whatOf(error: Error): string {
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return reason.replace(/\.( Restore .*)?$/, '');
}
