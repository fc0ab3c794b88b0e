// What an import takes from OpenStreetMap files: objects with their tags and shapes, by class, and the relations that say more than a shape.

import type { Geometry } from '../../../geo/geometry.ts';
import type { OsmType } from '../../../tables/places/place.ts';

/** What an object is for the geocoder: something that contains, a road, or something that stands there (point, line or area of rank 30). */
export type FeatureClass = 'area' | 'road' | 'house';

export type Tags = Readonly<Record<string, string>>;

/** One object of the map. */
export interface OsmFeature {
  type: OsmType;
  id: number;
  tags: Tags;
  /** A node is a `point`, a way that is not closed a `line`. A closed way is an `area`, and a line where it is of the class road. A relation is an `area`. */
  geometry: Geometry;
  /** Degrees. Of a line the point half-way along it; of an area its centroid, or a point inside where that lies outside. */
  latitude: number;
  longitude: number;
  /** Of a way: its nodes, one for each coordinate of its shape. */
  nodeIds: Float64Array | undefined;
}

export interface OsmMember {
  type: OsmType;
  id: number;
  role: string;
}

/** A relation that names others. */
export interface OsmRelation {
  id: number;
  tags: Tags;
  /** Of a boundary or multipolygon only `label` and `admin_centre`; of an `associatedStreet` or `street` all. */
  members: readonly OsmMember[];
}

/** An object that could not be used. */
export interface SkippedObject {
  type: OsmType;
  id: number;
  /** A sentence. */
  reason: string;
}

/** What was read. */
export interface OsmCounts {
  /** Objects in all files; one that is in two of them counts twice. */
  nodes: number;
  ways: number;
  relations: number;
  /** Features. Where an object is there in several versions, fewer are read. */
  features: Record<FeatureClass, number>;
}

/** The features of all files, on disk, until `close`. */
export interface OsmFeatures {
  /** One class from its beginning, in the order of nodes, ways, relations; any number of times. */
  read(featureClass: FeatureClass): Iterable<OsmFeature>;
  /** Boundaries and multipolygons that were wanted and have `label` or `admin_centre` members, by id, also where their rings are broken. */
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

export interface ReadOsmOptions {
  /** `.osm.pbf` files. An object in several counts once, in its newest version. */
  files: readonly string[];
  /** An existing folder for scratch files. */
  scratchFolder: string;
  /**
   * The class of an object, or `undefined` where it is of no use. Asked for nodes with tags, ways with tags, and relations of the types boundary and multipolygon.
   * @param isClosed a way around three nodes or more that ends where it begins; true of relations, false of nodes
   */
  wants: (type: OsmType, tags: Tags, isClosed: boolean) => FeatureClass | undefined;
  onProgress: (progress: OsmProgress) => void;
}
