// Which tables are in force. The learner writes the manifest, each time on the condition that nobody has since it last
// did: so of two nodes that believe that they learn, one writes and the other notices. All that the manifest names lies
// in the object store under the hash of its bytes, and is never changed. So do its lists of files, which may have
// thousands of names: a message of NATS has an end, and the manifest is one.
//
// The station tables are a base, which is a whole generation, and deltas: the rows that have changed since. A delta
// leads from a number to a later one; a node at some number takes the one that begins at it or before it.

import { hash as hashOf } from 'node:crypto';
import type { KV } from '@nats-io/kv';
import { FEATURE_GROUPS, type FeatureGroup } from '../features.ts';
import type { StreamMark } from '../tables/observations/environment.ts';
import { fetchPiece, ObjectGone, type StoredFile, storePiece } from './objects.ts';
import type { ClusterStores } from './stores.ts';

/** Of the messages in the stream, and of the deltas. A node reads no later one. */
export const CLUSTER_FORMAT = 1;
/** Of the manifest. In the first one its lists of files are part of it. */
const MANIFEST_FORMAT = 2;
/** Key of the manifest in its store. */
export const MANIFEST_KEY = 'manifest';

/** Name of the file of the station tables in a base, and of the list of stations whose owners object. */
export const STATIONS_FILE = 'stations';
export const OPTED_OUT_FILE = 'opted_out';
/** Folder of the imported stations of each source, in a base and in a data folder. */
export const SOURCES_FOLDER = 'sources';

/** Files by their names. */
type Files = Record<string, StoredFile>;

/** Rows that have changed. */
export interface Delta extends StoredFile {
  /** Number of the tables that it may be written to, and that they have afterwards. */
  from: number;
  to: number;
  /** Position in the stream up to which the learner's log had reports then. */
  position: number;
}

/** Epoch of a log that is none of the cluster, and is fetched. */
export const NO_EPOCH = -1;

/** A copy of the log. Its epoch changes when reports were taken out of it, or are kept out from then on. */
export interface PublishedLog extends StoredFile {
  epoch: number;
  position: number;
}

/** Tables beside those of stations, which come by imports; some by reports too. */
export type SharedGroup = 'places' | FeatureGroup;
export const SHARED_GROUPS: readonly SharedGroup[] = ['places', ...FEATURE_GROUPS];

/** What all nodes have of such tables. */
export interface SharedTables {
  /** Files of the places by their names, or pieces of tables (tables/environment/table_pieces.ts) by their order. */
  files: Files;
  /** Position in the stream up to which the learner's log had reports then. */
  position: number;
}

/** Station tables, and the log that they were learned from. */
export interface PublishedTables {
  /** Name of the base. */
  base: string;
  /** Files of the base: `stations`, `opted_out` and `sources/…`. */
  files: Files;
  /** Position in the stream up to which the learner's log had reports when the base was made. */
  position: number;
  /** A copy of the log, for nodes that have none or that of another epoch, and its position in the stream. */
  log: PublishedLog;
  deltas: Delta[];
  /** A group is absent until the learner has published it. */
  shared?: Partial<Record<SharedGroup, SharedTables>>;
}

/** The manifest. */
export interface Manifest extends PublishedTables {
  /** Version of the program that wrote it. */
  version: string;
  /** Format of the station tables. */
  tablesFormat: number;
  /** Name of the cluster, drawn when it began. */
  cluster: string;
  /** Grows with each learner. */
  term: number;
  /** Name of the node that wrote it. */
  learner: string;
  /** Milliseconds since 1970. */
  writtenMs: number;
  /** Of the log of whoever wrote it. */
  logMark?: StreamMark | undefined;
  /** The tables before this base, for `cluster rollback`; absent where there were none, or they must not come back. */
  previous?: PublishedTables;
}

/** A manifest as it was read, with the number by which only its next version can be written. */
export interface ReadManifest {
  manifest: Manifest;
  revision: number;
}

/** What a node says of what another version has written. @param format of it @param own what this version reads */
export function otherFormat(what: string, format: unknown, own: number): Error {
  const remedy =
    Number(format) > own
      ? 'upgrade this node'
      : 'export with the version that wrote it, and import with this one into a new cluster';
  return new Error(`${what} has format ${format}, and this version reads format ${own}; ${remedy}.`);
}

/** Tables as they are written, with lists of files as objects. */
type Written<T extends { files: Files }> = Omit<T, 'files'> & { files: StoredFile };
type WrittenTables = Written<Omit<PublishedTables, 'shared'>> & {
  shared?: Partial<Record<SharedGroup, Written<SharedTables>>>;
};

/** A manifest as it is written. */
interface WrittenManifest extends Omit<Manifest, 'files' | 'shared' | 'previous'>, WrittenTables {
  format: number;
  previous?: WrittenTables;
}

/** Where the manifest and its lists are. */
type Stores = Pick<ClusterStores, 'keys' | 'objects' | 'messageBytesMax'>;

/** Reads the manifest; undefined where the cluster has none yet. @throws Error when this version cannot read it */
export async function readManifest({ keys, objects }: Stores): Promise<ReadManifest | undefined> {
  const entry = await keys.get(MANIFEST_KEY);
  if (entry === null || entry.operation !== 'PUT') return undefined;
  const { format, ...written } = entry.json<WrittenManifest>();
  if (format !== MANIFEST_FORMAT)
    throw otherFormat(`The manifest of the cluster, of version ${written.version},`, format, MANIFEST_FORMAT);
  const { previous, ...now } = written;
  const used = new Map<string, Files>();
  const list = async (stored: StoredFile): Promise<Files> => {
    const found = objects.lists.get(stored.hash) ?? (await fetchList(objects, stored));
    // Whoever needs a file of a list that is gone does not find that either.
    if (found === undefined) return { [STATIONS_FILE]: stored };
    used.set(stored.hash, found);
    return found;
  };
  const manifest: Manifest = {
    ...(await readTables(now, list)),
    ...(previous !== undefined && { previous: await readTables(previous, list) }),
  };
  objects.lists = used;
  return { manifest, revision: entry.revision };
}

/** A list as an object. */
function listOf(files: Files): { hash: string; text: Buffer } {
  const text = Buffer.from(JSON.stringify(files));
  return { hash: hashOf('sha256', text), text };
}

async function readTables<T extends WrittenTables>(
  { files, shared, ...rest }: T,
  list: (files: StoredFile) => Promise<Files>,
): Promise<Omit<T, 'files' | 'shared'> & Pick<PublishedTables, 'files' | 'shared'>> {
  const groups: PublishedTables['shared'] = {};
  for (const [group, tables] of Object.entries(shared ?? {}))
    groups[group as SharedGroup] = { ...tables, files: await list(tables.files) };
  return { ...rest, files: await list(files), ...(shared !== undefined && { shared: groups }) };
}

/** @returns undefined where it is gone @throws Error of NATS */
async function fetchList(objects: ClusterStores['objects'], { hash }: StoredFile): Promise<Files | undefined> {
  try {
    return JSON.parse((await fetchPiece(objects, hash)).toString());
  } catch (error) {
    if (error instanceof ObjectGone) return undefined;
    throw error;
  }
}

/**
 * Writes the manifest that follows a revision, 0 = the first one.
 * @returns its revision
 * @throws Error of NATS, or when it is too large for its servers
 */
export async function writeManifest(stores: Stores, manifest: Manifest, revision: number): Promise<number> {
  const { keys, messageBytesMax } = stores;
  const { previous, ...now } = manifest;
  const written: WrittenManifest = {
    format: MANIFEST_FORMAT,
    ...(await writeTables(stores, now)),
    ...(previous !== undefined && { previous: await writeTables(stores, previous) }),
  };
  const text = JSON.stringify(written);
  const most = messageBytesMax();
  if (text.length > most)
    throw new Error(
      `The manifest of the cluster would have ${text.length} bytes, and its servers take messages of ${most}: raise ` +
        '"max_payload" in their configuration.',
    );
  return revision === 0 ? keys.create(MANIFEST_KEY, text) : keys.update(MANIFEST_KEY, text, revision);
}

async function writeTables<T extends PublishedTables>(
  { objects }: Stores,
  { files, shared, ...rest }: T,
): Promise<Omit<T, 'files' | 'shared'> & WrittenTables> {
  const store = async (list: Files): Promise<StoredFile> => {
    const { hash, text } = listOf(list);
    if (!objects.lists.has(hash)) await storePiece(objects, hash, text);
    objects.lists.set(hash, list);
    return { hash, bytes: text.length };
  };
  const groups: WrittenTables['shared'] = {};
  for (const [group, tables] of Object.entries(shared ?? {}))
    groups[group as SharedGroup] = { ...tables, files: await store(tables.files) };
  return { ...rest, files: await store(files), ...(shared !== undefined && { shared: groups }) };
}

/** Calls back when the manifest may have changed. @returns ends it */
export async function watchManifest(keys: KV, changed: () => void): Promise<() => void> {
  const watch = await keys.watch({ key: MANIFEST_KEY });
  const look = async () => {
    for await (const _ of watch) changed();
  };
  // When the connection ends, whoever reads the manifest meets the same failure.
  look().catch(changed);
  return () => watch.stop();
}

/** The tables of a manifest alone. */
export function tablesOf({ base, files, position, log, deltas, shared }: PublishedTables): PublishedTables {
  return { base, files, position, log, deltas, shared: shared ?? {} };
}

/** Number of the tables after all deltas. */
export function lastNumber({ deltas }: Pick<PublishedTables, 'deltas'>): number {
  return deltas.at(-1)?.to ?? 0;
}

/** The deltas that a node at some number needs, in order. */
export function deltasAfter({ deltas }: Pick<PublishedTables, 'deltas'>, applied: number): Delta[] {
  return deltas.filter(({ to }) => to > applied);
}

/** Hashes of all objects that a manifest needs. */
export function hashesOf({ previous, ...manifest }: Manifest): Set<string> {
  const of = ({ files, log, deltas, shared = {} }: PublishedTables) => {
    const lists = [files, ...Object.values(shared).map(group => group.files)];
    return [log, ...deltas, ...lists.map(listOf), ...lists.flatMap(list => Object.values(list))];
  };
  return new Set([...of(manifest), ...(previous === undefined ? [] : of(previous))].map(({ hash }) => hash));
}
