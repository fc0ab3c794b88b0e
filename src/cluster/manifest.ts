// Which tables are in force. The learner writes the manifest, each time on the condition that nobody has since it last
// did: so of two nodes that believe that they learn, one writes and the other notices. All that the manifest names lies
// in the object store under the hash of its bytes, and is never changed.
//
// The station tables are a base, which is a whole generation, and deltas: the rows that have changed since. A delta
// leads from a number to a later one; a node at some number takes the one that begins at it or before it.

import type { KV } from '@nats-io/kv';

/** Of the manifest, of the messages in the stream, and of the deltas. A node reads no later one. */
export const CLUSTER_FORMAT = 1;
const MANIFEST_KEY = 'manifest';

/** Bytes in the object store. */
export interface StoredFile {
  /** SHA-256 of the bytes, hexadecimal; also the name of the object. */
  hash: string;
  bytes: number;
}

/** Rows that have changed. */
export interface Delta extends StoredFile {
  /** Number of the tables that it may be written to, and that they have afterwards. */
  from: number;
  to: number;
  /** Position in the stream up to which the learner's log had reports then. */
  position: number;
}

/** A copy of the log. Its epoch changes when reports were taken out of it, or are kept out from then on. */
export interface PublishedLog extends StoredFile {
  epoch: number;
  position: number;
}

/** Tables beside those of stations, which come by imports; fingerprints by reports too. */
export const SHARED_GROUPS = ['places', 'buildings', 'fingerprints'] as const;
export type SharedGroup = (typeof SHARED_GROUPS)[number];

/** What all nodes have of such tables. */
export interface SharedTables {
  /** Files of the places by their names, or pieces of tables (tables/environment/table_pieces.ts) by their order. */
  files: Record<string, StoredFile>;
  /** Position in the stream up to which the learner's log had reports then. */
  position: number;
}

/** Station tables, and the log that they were learned from. */
export interface PublishedTables {
  /** Name of the base. */
  base: string;
  /** Files of the base: `stations`, `opted_out` and `sources/…`. */
  files: Record<string, StoredFile>;
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
  format: number;
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

/** Reads the manifest; undefined where the cluster has none yet. @throws Error when this version cannot read it */
export async function readManifest(keys: KV): Promise<ReadManifest | undefined> {
  const entry = await keys.get(MANIFEST_KEY);
  if (entry === null || entry.operation !== 'PUT') return undefined;
  const manifest = entry.json<Manifest>();
  if (manifest.format !== CLUSTER_FORMAT)
    throw otherFormat(`The manifest of the cluster, of version ${manifest.version},`, manifest.format, CLUSTER_FORMAT);
  return { manifest, revision: entry.revision };
}

/** Writes the manifest that follows a revision, 0 = the first one. @returns its revision @throws Error of NATS */
export function writeManifest(keys: KV, manifest: Manifest, revision: number): Promise<number> {
  const text = JSON.stringify(manifest);
  return revision === 0 ? keys.create(MANIFEST_KEY, text) : keys.update(MANIFEST_KEY, text, revision);
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
  const of = ({ files, log, deltas, shared = {} }: PublishedTables) => [
    ...Object.values(files),
    log,
    ...deltas,
    ...Object.values(shared).flatMap(group => Object.values(group.files)),
  ];
  return new Set([...of(manifest), ...(previous === undefined ? [] : of(previous))].map(({ hash }) => hash));
}
