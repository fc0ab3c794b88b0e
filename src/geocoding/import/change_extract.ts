// Applies changes of the map to an extract. They are kept beside its copy, each object in its newest version, and the
// places are built from both as if a later extract had been imported (osm/changed_file.ts).

import { rmSync } from 'node:fs';
import { type Box, boxOf, isInBox } from '../../geo/box.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import { ScratchFile } from '../../tables/environment/scratch_file.ts';
import { changesPath, keepWritten, livePlaces } from '../../tables/places/extract_files.ts';
import type { KeptExtract } from '../../tables/places/layer_meta.ts';
import { OSM_NODE } from '../../tables/places/place.ts';
import { makeScratchFolder } from '../../tables/stations/generation.ts';
import {
  asPlaces,
  buildExtracts,
  type Extract,
  type ExtractChange,
  type ExtractSummary,
  type Extracts,
  keptExtracts,
  requireCopy,
  skippingOf,
} from './import_extracts.ts';
import { ChangeFile, NewChanges, type ObjectChange } from './osm/change_file.ts';
import { describeMap } from './osm/file.ts';

/** A file of changes. */
interface ChangesToApply {
  path: string;
  /** Its number among the files of its publisher; undefined where nothing tells it. */
  sequence: number | undefined;
}

interface ChangeExtract extends ExtractChange {
  /** In the order in which they are applied. */
  files: readonly ChangesToApply[];
  /** Name of the extract; by default the only one. */
  source?: string | undefined;
  /** Number of the file that comes before the first, where that of the extract is another publisher's. */
  after?: number | undefined;
  /** Up to when the last file goes, ISO 8601; by default its last change tells it. */
  upTo?: string | undefined;
  /** Files may be missing between, may have been applied before, and may be of another region. */
  force?: boolean | undefined;
  /**
   * Reads a file. @returns when its last and its first object was changed, milliseconds since 1970; 0 if it does not
   * say
   */
  read(path: string, take: (change: ObjectChange) => void): Promise<{ newestMs: number; oldestMs: number }>;
}

/** What changes did to an extract. */
export interface ChangesSummary extends ExtractSummary {
  /** The extract that was changed. */
  changed: KeptExtract;
  /** Objects in the files. */
  objectsRead: number;
}

/** Up to where an extract has the map's changes. */
interface Reached {
  name: string;
  sequence: number | undefined;
  /** Milliseconds since 1970; 0 if nothing tells it. */
  newestMs: number;
  /** Region of the extract, degrees; undefined if it does not say. */
  box: Box | undefined;
  /** Where its publisher has more; undefined if it does not say. */
  updates: string | undefined;
}

/** The publisher of a small region may have nothing to say for some hours. */
const GAP_MS = 86_400_000;
/** Objects beyond the edge come with those inside: degrees, and share of the box. */
const EDGE_DEGREES = 0.1;
const EDGE_SHARE = 0.1;

/**
 * Applies changes to an extract that the data folder has, and builds the places again.
 * @throws Error with a full sentence; the live layer and the extract are unchanged
 */
export async function changeExtract(options: ChangeExtract): Promise<ChangesSummary> {
  const { folder, source, after, upTo, onProgress } = options;
  const before = livePlaces(folder);
  return asPlaces(folder, async () => {
    const extracts = keptExtracts(folder, before);
    const extract = extractNamed(extracts, source);
    const reached = await reachedBy(extract);
    if (after !== undefined) reached.sequence = after;
    const { path, objectsRead, ...changes } = await addChanges(options, extract, reached);
    if (upTo !== undefined) reached.newestMs = Math.max(reached.newestMs, Date.parse(upTo));
    const { name, files, objects } = extract.kept;
    const changed = { name, files, objects, importedAt: new Date().toISOString(), changes, ...statedBy(reached) };
    extracts.set(name, { ...extract, kept: changed, changes: path });
    const summary = skippingOf(
      await buildExtracts(folder, { extracts, importance: before?.importance }, onProgress),
      extracts,
      [name],
    );
    return { ...summary, changed, objectsRead };
  });
}

/**
 * Up to where an extract of a data folder has the map's changes. @param source as of `changeExtract`
 * @throws Error with a full sentence for one that cannot be changed
 */
export async function reachedBySource(folder: string, source: string | undefined): Promise<Reached> {
  return reachedBy(extractNamed(keptExtracts(folder, livePlaces(folder)), source));
}

function extractNamed(extracts: Extracts, source: string | undefined): Extract {
  const maps = new Map([...extracts].filter(([, { kept }]) => kept.kind === undefined));
  const names = [...maps.keys()].map(name => `"${name}"`).join(', ');
  if (maps.size === 0)
    throw new Error('There is no extract whose copy was kept; import one first: sextant import osm.');
  if (source === undefined && maps.size > 1)
    throw new Error(`There are several extracts; say with --source which is changed: ${names}.`);
  const extract = source === undefined ? [...maps.values()][0] : maps.get(source);
  if (extract === undefined) throw new Error(`There is no extract "${source}"; there are ${names}.`);
  requireCopy(extract);
  return extract;
}

/** @throws Error for an extract that cannot be changed */
async function reachedBy({ kept: { name, changes, ...kept }, paths }: Extract): Promise<Reached> {
  if (paths.length > 1)
    throw new Error(
      `The extract "${name}" has ${paths.length} files; only one of a single file can be changed. Join them: ` +
        'osmium merge.',
    );
  const { isSorted, box, updates, ...described } = await describeMap(paths[0]);
  if (!isSorted)
    throw new Error(`The extract "${name}" does not say that its objects are sorted; sort it: osmium sort.`);
  const { sequence, upTo } = changes === undefined ? described : kept;
  return { name, sequence, newestMs: upTo === undefined ? 0 : Date.parse(upTo), box, updates };
}

/** The same as it is kept. */
function statedBy({ sequence, newestMs }: Reached): Pick<KeptExtract, 'sequence' | 'upTo'> {
  const upTo = newestMs === 0 ? undefined : new Date(newestMs).toISOString();
  return { ...(sequence !== undefined && { sequence }), ...(upTo !== undefined && { upTo }) };
}

/** Keeps the changes of an extract and of the files as one file. @param reached is moved on */
async function addChanges(
  { folder, files, force, read }: ChangeExtract,
  { changes: path }: Extract,
  reached: Reached,
): Promise<{ file: number; path: string; objects: number; objectsRead: number }> {
  if (!force) requireSequence(files, reached);
  const scratchFolder = makeScratchFolder(folder);
  const scratch = new ScratchFile(scratchFolder);
  const before = path === undefined ? undefined : new ChangeFile(path);
  try {
    const added = new NewChanges(scratch);
    let objectsRead = 0;
    for (const { path, sequence } of files) {
      const region = new ChangedRegion(reached.box);
      const { newestMs, oldestMs } = await read(path, change => {
        added.add(change);
        region.add(change);
        objectsRead++;
      });
      if (!force) requireRegion(path, { newestMs, oldestMs, region }, reached);
      if (!force && (sequence === undefined || reached.sequence === undefined)) {
        requireNewer(path, newestMs, reached);
        requireNext(path, oldestMs, reached);
      }
      reached.sequence = sequence;
      reached.newestMs = Math.max(reached.newestMs, newestMs);
    }
    let objects = 0;
    const kept = await keepWritten(folder, changesPath, to => {
      objects = added.mergeInto(to, before);
    });
    return { ...kept, objects, objectsRead };
  } finally {
    before?.close();
    scratch.close();
    rmSync(scratchFolder, { recursive: true, force: true });
  }
}

/** @throws Error for a numbered file that does not follow what was applied before it */
function requireSequence(files: readonly ChangesToApply[], { name, sequence: first }: Reached): void {
  let last = first;
  for (const { path, sequence } of files) {
    if (sequence !== undefined && last !== undefined && sequence <= last)
      throw new Error(`${path} is file ${sequence} of the changes, and "${name}" has them up to ${last} already.`);
    if (sequence !== undefined && last !== undefined && sequence > last + 1)
      throw new Error(
        `${path} is file ${sequence} of the changes, and "${name}" has them up to ${last}: apply those between ` +
          'first, or go on without them with --force.',
      );
    last = sequence;
  }
}

/** @throws Error for a file without a number whose changes are no newer than those applied before it */
function requireNewer(path: string, newestMs: number, reached: Reached): void {
  if (newestMs === 0 || newestMs > reached.newestMs) return;
  const [last, upTo] = [newestMs, reached.newestMs].map(dateOf);
  throw new Error(
    `The last change in ${path} is of ${last}, and "${reached.name}" has the changes up to ${upTo} already. With ` +
      '--force it is applied nevertheless.',
  );
}

/** @throws Error for a file without a number whose changes begin so late that others are missing before */
function requireNext(path: string, oldestMs: number, { name, newestMs }: Reached): void {
  if (oldestMs === 0 || newestMs === 0 || oldestMs <= newestMs + GAP_MS) return;
  throw new Error(
    `The first change in ${path} is of ${dateOf(oldestMs)}, and "${name}" has the changes up to ${dateOf(newestMs)}: ` +
      'apply those between first, or go on without them with --force.',
  );
}

/** Where the nodes of a file of changes are. */
class ChangedRegion {
  /** Around all nodes, degrees. */
  readonly box: Box = boxOf([]);
  nodes = 0;
  /** Nodes in the region of the extract, or near its edge. */
  inside = 0;
  private readonly wide: Box | undefined;

  /** @param of the extract */
  constructor(of: Box | undefined) {
    if (of === undefined) return;
    const [edgeX, edgeY] = [of.east - of.west, of.north - of.south].map(size => EDGE_DEGREES + EDGE_SHARE * size);
    this.wide = { west: of.west - edgeX, east: of.east + edgeX, south: of.south - edgeY, north: of.north + edgeY };
  }

  add({ type, isDeleted, longitude, latitude }: ObjectChange): void {
    if (type !== OSM_NODE || isDeleted) return;
    const { box, wide } = this;
    const [x, y] = [longitude / UNITS_PER_DEGREE, latitude / UNITS_PER_DEGREE];
    this.nodes++;
    if (wide === undefined || isInBox(wide, x, y)) this.inside++;
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
}

/** @throws Error for a file most of whose nodes are outside of the extract */
function requireRegion(
  path: string,
  { newestMs, oldestMs, region }: { newestMs: number; oldestMs: number; region: ChangedRegion },
  reached: Reached,
): void {
  if (reached.box === undefined || region.inside * 2 >= region.nodes) return;
  const times = oldestMs === 0 ? '' : `, from ${dateOf(oldestMs)} to ${dateOf(newestMs)}`;
  const upTo = reached.newestMs === 0 ? '' : `, up to ${dateOf(reached.newestMs)}`;
  throw new Error(
    `${path} has changes of another region: ${describeBox(region.box)}${times}; "${reached.name}" is of ` +
      `${describeBox(reached.box)}${upTo}, and has ${region.inside} of the ${region.nodes} nodes. ` +
      'With --force they are applied nevertheless.',
  );
}

function dateOf(time: number): string {
  return new Date(time).toISOString();
}

/** South-west and north-east corners, latitude first. */
function describeBox({ south, west, north, east }: Box): string {
  const at = (latitude: number, longitude: number) => `${latitude.toFixed(2)},${longitude.toFixed(2)}`;
  return `${at(south, west)} to ${at(north, east)}`;
}
