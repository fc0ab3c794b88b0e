// Imports building models: recognises the form of each file by its content, reads all of them, and puts the buildings
// into the tables in one transaction, in place of what an import of the same name has brought. If anything is wrong,
// nothing changes.

import { isUtf8 } from 'node:buffer';
import { readFileSync, rmSync } from 'node:fs';
import { firstBytes } from '../../../config/regular_file.ts';
import type { OsmProgress, SkippedObject } from '../../../geocoding/import/osm/features.ts';
import { closeEnvironment } from '../../../tables/environment/commit.ts';
import { nameOfFiles, refuseLoss } from '../../../tables/sources/source_name.ts';
import { makeScratchFolder } from '../../../tables/stations/generation.ts';
import { sizeOfFiles } from '../../../transfer/files/text_file.ts';
import type { BuildingModel } from '../../tables/buildings/building.ts';
import { openBuildings, openOrCreateBuildings } from '../../tables/buildings/building_tables.ts';
import { countLost, putSource, removeSource, type SourceChange } from '../../tables/buildings/change_source.ts';
import type { BuildingDraft } from './building_draft.ts';
import { readGeoJson } from './geojson.ts';
import { readImdf } from './imdf.ts';
import { readOsmBuildings } from './osm_indoor.ts';

/** What to import. */
interface BuildingImport {
  /** Data folder. */
  folder: string;
  files: readonly string[];
  /** Name of the source; by default that of the files. */
  source?: string | undefined;
  /** More than half of what it held may go. */
  replace?: boolean | undefined;
  /** Called often; an error that it throws ends the import. */
  onProgress(progress: BuildingProgress | OsmProgress): void;
}

/**
 * Progress beside that of extracts: features of files, then buildings being written. `total` is 0 where it is not
 * known.
 */
interface BuildingProgress {
  phase: 'features' | 'buildings';
  done: number;
  total: number;
}

/** The result of an import. */
export interface BuildingSummary extends Pick<SourceChange, 'removed'> {
  /** Name of the source. */
  source: string;
  imported: { buildings: number; floors: number; rooms: number; walls: number; doors: number };
  /** Objects of extracts that could not be used. */
  skipped: readonly SkippedObject[];
  /** Buildings in the tables. */
  buildings: number;
}

const HEAD_BYTES = 64;
const SEGMENT_NUMBERS = 4;
/** A file of GeoJSON is read as one text. */
const GEOJSON_BYTES_MAX = 256 * 1_048_576;
const FEATURES_PER_UPDATE = 1_000;

/**
 * Imports buildings.
 * @throws ReplacementRefused when too much would go; Error with full sentences when a file cannot be used, or the
 *   tables cannot be written; the buildings are then
 *   as before
 */
export async function importBuildings(wanted: BuildingImport): Promise<BuildingSummary> {
  sizeOfFiles(wanted.files);
  const name = wanted.source ?? nameOfFiles(wanted.files);
  const { drafts, skipped } = await readFiles(wanted);
  const models = drafts.map(finishDraft);
  if (models.length === 0) throw new Error(`There are no buildings in ${wanted.files.join(', ')}.`);
  const tables = await openOrCreateBuildings(wanted.folder);
  try {
    const { held, lost } = countLost(tables, name, models);
    if (wanted.replace !== true) refuseLoss(name, 'buildings', held, lost);
    const change = putSource(tables, name, models, done =>
      wanted.onProgress({ phase: 'buildings', done, total: models.length }),
    );
    return { source: name, imported: countsOf(models), skipped, ...change };
  } finally {
    await closeEnvironment(tables.root);
  }
}

/** Takes a source out. @throws Error when there is none of this name, or the tables cannot be written */
export async function removeBuildings(folder: string, name: string): Promise<SourceChange> {
  const tables = openBuildings(folder);
  try {
    const change = tables && removeSource(tables, name);
    if (change === undefined) throw new Error(`There are no buildings "${name}"; "sextant buildings list" names all.`);
    return change;
  } finally {
    if (tables !== undefined) await closeEnvironment(tables.root);
  }
}

async function readFiles({
  folder,
  files,
  onProgress,
}: BuildingImport): Promise<{ drafts: BuildingDraft[]; skipped: SkippedObject[] }> {
  const forms = files.map(path => ({ path, form: formOf(path) }));
  const pathsOf = (form: string): string[] => forms.filter(file => file.form === form).map(({ path }) => path);
  const onFeatures = (done: number): void => {
    if (done % FEATURES_PER_UPDATE === 0) onProgress({ phase: 'features', done, total: 0 });
  };
  const plain = pathsOf('geojson').map(path => {
    onFeatures(0);
    return { name: path, text: textOf(path) };
  });
  onFeatures(0);
  const drafts = plain.length === 0 ? [] : readGeoJson(plain, onFeatures);
  for (const path of pathsOf('imdf')) {
    onFeatures(0);
    drafts.push(...(await readImdf(path, onFeatures)));
  }
  const extracts = pathsOf('osm');
  if (extracts.length === 0) return { drafts, skipped: [] };
  const scratch = makeScratchFolder(folder);
  try {
    const found = await readOsmBuildings(extracts, scratch, onProgress);
    return { drafts: [...drafts, ...found.drafts], skipped: found.skipped };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Tells the form of a file by its first bytes. @throws Error when it is none that is known */
function formOf(path: string): 'geojson' | 'imdf' | 'osm' {
  const head = firstBytes(path, HEAD_BYTES);
  if (head.length === 0) throw new Error(`${path} is empty.`);
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return 'imdf';
  // The header of the first block holds its type as a text.
  if (head.includes('OSMHeader')) return 'osm';
  if (/^(\ufeff)?\s*\{/.test(head.toString())) return 'geojson';
  throw new Error(
    `${path} is none of the forms that are known: GeoJSON, an IMDF archive (.zip), an OpenStreetMap extract ` +
      `(.osm.pbf).`,
  );
}

function textOf(path: string): string {
  const bytes = sizeOfFiles([path]);
  if (bytes > GEOJSON_BYTES_MAX)
    throw new Error(`${path} takes ${bytes} bytes, and at most ${GEOJSON_BYTES_MAX} are read.`);
  const text = readFileSync(path);
  if (!isUtf8(text)) throw new Error(`${path} is not UTF-8, as GeoJSON is; save it so.`);
  return text.toString('utf8');
}

function finishDraft(draft: BuildingDraft): BuildingModel {
  try {
    return draft.finish();
  } catch (error) {
    const { name, buildingId, modelId } = draft.about;
    throw new Error(
      `The building ${name === '' ? (buildingId ?? modelId) : `"${name}"`} cannot be used: ` +
        `${(error as Error).message}.`,
      { cause: error },
    );
  }
}

function countsOf(models: readonly BuildingModel[]): BuildingSummary['imported'] {
  const floors = models.flatMap(model => model.floors);
  const sum = (count: (floor: (typeof floors)[number]) => number): number =>
    floors.reduce((total, floor) => total + count(floor), 0);
  return {
    buildings: models.length,
    floors: floors.length,
    rooms: sum(({ rooms }) => rooms.length),
    walls: sum(({ walls }) => walls.length / SEGMENT_NUMBERS),
    doors: sum(({ doors }) => doors.length / SEGMENT_NUMBERS),
  };
}
