// What an import takes from OpenStreetMap files: objects with tags and shapes, by class, and relations that say more
// than a shape.

import type { Geometry } from '../../../geo/rings.ts';
import type { OsmType } from '../../../tables/places/place.ts';

/**
 * What an object is to the geocoder: an area that contains others, a road, or a feature of rank 30 (a point, line or
 * area).
 */
export type FeatureClass = 'area' | 'road' | 'house';

export type Tags = Readonly<Record<string, string>>;

/** One object of the map. */
export interface OsmFeature {
  type: OsmType;
  id: number;
  tags: Tags;
  /**
   * A node is a `point`, a way that is not closed a `line`. A closed way is an `area`, and a line where it is of the
   * class road. A relation is an `area`.
   */
  geometry: Geometry;
  /**
   * Degrees. For a line the point halfway along it; for an area its centroid, or a point inside if the centroid is
   * outside.
   */
  latitude: number;
  longitude: number;
  /** Nodes of a way, one for each point of its shape; not of a house, which nobody asks for. */
  nodeIds: Float64Array | undefined;
}

export interface OsmMember {
  type: OsmType;
  id: number;
  role: string;
}

/** A relation and its members. */
export interface OsmRelation {
  id: number;
  tags: Tags;
  /** For a boundary or multipolygon only `label` and `admin_centre`; for an `associatedStreet` or `street` all. */
  members: readonly OsmMember[];
}

/** An object that could not be used. */
export interface SkippedObject {
  type: OsmType;
  id: number;
  /** A sentence. */
  reason: string;
  /** Its file lacks parts of it, as it lies across the border of the extract. */
  isCutOff?: true;
  /** Place of its file in the order of the options. */
  file?: number;
}

/** What was read. */
export interface OsmCounts {
  /** Objects in all files; one that is in two files counts twice. */
  nodes: number;
  ways: number;
  relations: number;
  /** Features written. Fewer are read back if an object occurs in several versions. */
  features: Record<FeatureClass, number>;
  /** Wanted objects of each file, in the order of the options; one that is in two files counts twice. */
  wanted: number[];
}

/** The features of all files, on disk, until `close`. */
export interface OsmFeatures {
  /**
   * Reads one class from the start: nodes, ways, then relations. It may be read any number of times.
   * @param isPassing each feature is used before the next one only: what is not asked for costs less
   */
  read(featureClass: FeatureClass, isPassing?: boolean): Iterable<OsmFeature>;
  /**
   * Wanted boundaries and multipolygons that have `label` or `admin_centre` members, by id, including those whose rings
   * are broken.
   */
  readonly boundaries: ReadonlyMap<number, OsmRelation>;
  /** Relations `associatedStreet` and `street`. */
  readonly streets: readonly OsmRelation[];
  readonly skipped: readonly SkippedObject[];
  readonly counts: OsmCounts;
  /** Removes the scratch files. */
  close(): void;
}

export type OsmPhase = 'relations' | 'nodes' | 'ways' | 'rings';

export interface OsmProgress {
  phase: OsmPhase;
  /** Bytes of the files read in this phase; in the phase `rings` relations. */
  done: number;
  total: number;
}

/** The changes of a file. */
export interface MapChanges {
  path: string;
  /** Up to when it has them, seconds since 1970; 0 if nothing tells it. */
  timestamp: number;
}

export interface ReadOsmOptions {
  /** `.osm.pbf` files. An object in several files counts once, in its newest version. */
  files: readonly string[];
  /** Changes of files since they were made, by the path of the file, which is sorted. */
  changes?: ReadonlyMap<string, MapChanges> | undefined;
  /** An existing folder for scratch files. */
  scratchFolder: string;
  /** Memory for positions of nodes, bytes; what has no room is read from disk again and again. */
  memoryBytes?: number;
  /**
   * The class of an object, or `undefined` if it is not wanted. Called for tagged nodes and ways, and for boundary and
   * multipolygon relations.
   * @param isClosed true for relations and for ways of at least three nodes that end where they begin; false for nodes
   */
  wants: (type: OsmType, tags: Tags, isClosed: boolean) => FeatureClass | undefined;
  onProgress: (progress: OsmProgress) => void;
}
