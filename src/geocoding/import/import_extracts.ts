// Imports extracts, or takes one out. Addresses cross the borders of extracts, so the places are always built from all
// of them: the folder keeps a copy of each (tables/places/extract_files.ts). New places are built next to the live ones
// and replace them once everything is on disk. If anything fails, the live ones stay.

import { rmSync, statSync } from 'node:fs';
import {
  addressesPath,
  changesPath,
  copiesIn,
  extractPath,
  importancePath,
  keepExtractFile,
  livePlaces,
  removeUnusedExtracts,
} from '../../tables/places/extract_files.ts';
import { buildLayer, currentLayer, placesFolder, retireLayer } from '../../tables/places/generations.ts';
import { LayerReader } from '../../tables/places/layer.ts';
import type { KeptExtract, KeptImportance, LayerMeta } from '../../tables/places/layer_meta.ts';
import { namedLicence } from '../../tables/places/licences.ts';
import { nameOfFiles, ReplacementRefused, refuseLoss } from '../../tables/sources/source_name.ts';
import { makeScratchFolder } from '../../tables/stations/generation.ts';
import type { AddressSource } from './houses/address_file.ts';
import { importBeside } from './import_beside.ts';
import type { ImportProgress, OsmImportSummary } from './import_osm.ts';
import { LayerBuilder } from './layer_builder.ts';
import { describeMap } from './osm/file.ts';

const LICENCE = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';

/** A change of the extracts. */
export interface ExtractChange {
  /** Data folder. */
  folder: string;
  /** Called often; an exception from it ends the change. */
  onProgress(progress: ImportProgress | { phase: 'index'; done: number; total: number }): void;
}

export interface ImportExtracts extends ExtractChange {
  /** `.osm.pbf` files. */
  files: readonly string[];
  /**
   * Name under which the files are one extract; by default each is one of its own, under its own name. What had the
   * name before is replaced.
   */
  source?: string | undefined;
  /** More than half of what had the names may go. */
  replace?: boolean | undefined;
}

/** What an import did. */
export interface ExtractSummary extends OsmImportSummary {
  /** Places that can be found by their position. */
  places: number;
}

/** An extract, and paths to read it from. */
export interface Extract {
  kept: KeptExtract;
  paths: string[];
  /** Of its changes. */
  changes?: string;
}

/** Extracts by name. */
export type Extracts = Map<string, Extract>;

/** What places are built from. */
interface PlacesToBuild {
  extracts: Extracts;
  /** Tables of importance; undefined = none. */
  importance: readonly KeptImportance[] | undefined;
}

/**
 * Imports extracts beside those that the data folder has.
 * @throws ReplacementRefused when too much would go; Error with a full sentence; the live layer is unchanged
 */
export async function importExtracts({
  folder,
  files,
  source,
  replace,
  onProgress,
}: ImportExtracts): Promise<ExtractSummary> {
  for (const file of files) requireFile(file);
  const before = placesBefore(folder);
  const importedAt = new Date().toISOString();
  return asPlaces(folder, async () => {
    const extracts = keptExtracts(folder, before);
    const names = files.map(file => source ?? nameOfFiles([file]));
    const replaced = replace ? [] : [...new Set(names)].flatMap(name => extracts.get(name)?.kept ?? []);
    for (const name of names) extracts.delete(name);
    for (const [i, path] of files.entries()) {
      const extract = extracts.get(names[i]) ?? {
        kept: { name: names[i], files: [], objects: 0, importedAt },
        paths: [],
      };
      const total = statSync(path).size;
      const onPiece = () => onProgress({ phase: 'relations', done: 0, total });
      extract.kept.files.push(await keepExtractFile(folder, path, onPiece));
      extract.paths.push(path);
      extracts.set(names[i], extract);
    }
    for (const name of new Set(names)) {
      const { kept, paths } = extracts.get(name)!;
      if (paths.length > 1) continue;
      const { isSorted: _, box: _box, updates: _updates, ...reached } = await describeMap(paths[0]);
      Object.assign(kept, reached);
    }
    const built = await buildExtracts(folder, { extracts, importance: before?.importance }, onProgress, replaced);
    return skippingOf(built, extracts, names);
  });
}

/**
 * Takes an extract or a table of importance out, and builds the places again from the others.
 * @param name in a list of the layer
 * @returns the places that are left
 * @throws Error with a full sentence; the live layer is unchanged
 */
export async function removeExtract({
  folder,
  name,
  onProgress,
}: ExtractChange & { name: string }): Promise<{ places: number }> {
  const before = livePlaces(folder);
  return asPlaces(folder, async () => {
    const extracts = keptExtracts(folder, before);
    extracts.delete(name);
    const importance = (before?.importance ?? []).filter(kept => kept.name !== name);
    if (extracts.size + importance.length > 0) return buildExtracts(folder, { extracts, importance }, onProgress);
    retireLayer(placesFolder(folder));
    return { places: 0 };
  });
}

/** The live places; damaged ones are to be replaced. */
function placesBefore(folder: string): LayerMeta | undefined {
  try {
    return livePlaces(folder);
  } catch {
    return undefined;
  }
}

/**
 * Runs a change. Afterwards no copies stay that the live layer does not name; if it fails, those that it has added go.
 */
export async function asPlaces<T>(folder: string, change: () => Promise<T>): Promise<T> {
  const copies = copiesIn(folder);
  let result: T;
  try {
    result = await change();
  } catch (error) {
    removeUnusedExtracts(folder, placesBefore(folder), copies);
    if (error instanceof ReplacementRefused) throw error;
    throw new Error(
      `The places could not be imported: ${(error as Error).message.replace(/\.?$/, '.')} They are as they ` +
        `were before.`,
      { cause: error },
    );
  }
  removeUnusedExtracts(folder, livePlaces(folder));
  return result;
}

/** The extracts that the folder has copies of. */
export function keptExtracts(folder: string, meta: LayerMeta | undefined): Extracts {
  return new Map(
    (meta?.extracts ?? []).map(kept => {
      const { kind, files, changes } = kept;
      const paths = files.map(file => (kind === undefined ? extractPath : addressesPath)(folder, file));
      return [kept.name, { kept, paths, ...(changes && { changes: changesPath(folder, changes.file) }) }];
    }),
  );
}

/**
 * Builds the places of extracts and makes them the live ones. Without an extract that is a layer without places, which
 * keeps the tables of importance until one comes.
 * @param replaced extracts of the live layer of which at least half must be in the new one
 */
export async function buildExtracts(
  folder: string,
  { extracts, importance = [] }: PlacesToBuild,
  onProgress: ExtractChange['onProgress'],
  replaced: readonly KeptExtract[] = [],
): Promise<ExtractSummary> {
  [...extracts.values()].forEach(requireCopy);
  const scratchFolder = makeScratchFolder(folder);
  const maps = [...extracts.values()].filter(({ kept }) => kept.kind === undefined);
  const files = maps.flatMap(({ paths }) => paths);
  const addresses = addressesOf(extracts);
  const tables = importance.map(({ file }) => importancePath(folder, file));
  const changes = new Map(
    maps.flatMap(({ kept: { upTo }, paths, changes: path }) => {
      const timestamp = upTo === undefined ? 0 : Date.parse(upTo) / 1_000;
      return path === undefined ? [] : [[paths[0], { path, timestamp }]];
    }),
  );
  try {
    return await buildLayer(placesFolder(folder), async path => {
      const builder = LayerBuilder.start(path);
      try {
        const read = { files, changes, addresses, importance: tables };
        const summary = await importBeside(builder, { ...read, scratchFolder, onProgress });
        const of = files.length > 0 ? files : [...extracts.keys()];
        if (builder.count === 0 && of.length > 0) throw new Error(`There are no places in ${of.join(', ')}.`);
        if (replaced.length > 0) await requireKept(builder, currentLayer(placesFolder(folder))!, replaced);
        const about = { ...aboutOf(extracts, summary.objects), ...(importance.length > 0 && { importance }) };
        const { count } = await builder.finish(about, (done, total) => onProgress({ phase: 'index', done, total }));
        return { ...summary, places: count };
      } catch (error) {
        await builder.abandon();
        throw error;
      }
    });
  } finally {
    rmSync(scratchFolder, { recursive: true, force: true });
  }
}

/** What a layer says of itself. @param objects by file of a map */
function aboutOf(extracts: Extracts, objects: readonly number[]): Pick<LayerMeta, 'licence' | 'sources' | 'extracts'> {
  const kept = countObjects([...extracts.values()], objects);
  const isMap = kept.some(({ kind }) => kind === undefined);
  const licence = isMap ? LICENCE : kept.map(({ name }) => namedLicence({ extracts: kept }, name)).join('; ');
  return { licence, sources: [...extracts.keys()], extracts: kept };
}

/** The sources of addresses among extracts. */
function addressesOf(extracts: Extracts): AddressSource[] {
  return [...extracts.values()].flatMap(({ kept: { kind, name, checksum, objects }, paths: [path] }) =>
    kind === undefined ? [] : [{ name, path, checksum: checksum!, isPostcodes: kind === 'postcodes', count: objects }],
  );
}

/** A summary with what was skipped of these extracts: of the others it was told when they were imported. */
export function skippingOf(summary: ExtractSummary, extracts: Extracts, names: readonly string[]): ExtractSummary {
  const maps = [...extracts].filter(([, { kept }]) => kept.kind === undefined);
  const isNew = maps.flatMap(([name, { paths }]) => paths.map(() => names.includes(name)));
  const skipped = summary.skipped.filter(({ file }) => isNew[file!]).map(({ file: _, ...object }) => object);
  return { ...summary, skipped };
}

/** What is missing of the live layer was in the extracts that are replaced: the others come again. */
async function requireKept(builder: LayerBuilder, live: string, replaced: readonly KeptExtract[]): Promise<void> {
  const reader = new LayerReader(live);
  try {
    const held = replaced.reduce((sum, { objects }) => sum + objects, 0);
    refuseLoss(replaced.map(({ name }) => name).join(' '), 'objects', held, builder.countMissing(reader));
  } finally {
    await reader.close();
  }
}

/** The extracts with the numbers of their objects. @param objects by file */
function countObjects(extracts: readonly Extract[], objects: readonly number[]): KeptExtract[] {
  const left = [...objects];
  return extracts.map(({ kept, paths }) => {
    if (kept.kind !== undefined) return kept;
    return { ...kept, objects: left.splice(0, paths.length).reduce((sum, number) => sum + number, 0) };
  });
}

/** @throws Error for places that came finished */
export function requireCopy({ kept: { name, files } }: Extract): void {
  if (files.length === 0)
    throw new Error(
      `The places of "${name}" came finished, without the extract that they were built from. Import that extract ` +
        `under this name, or take them out: sextant sources remove "${name}".`,
    );
}

function requireFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`There is no file ${path}.`);
  if (!stat.isFile()) throw new Error(`${path} is no file.`);
}
