// Reads OpenStreetMap files into features, in passes: relations first, which say what ways are needed; then nodes,
// whose positions are kept; then ways, which get their shapes from them. At the end the ways of relations are assembled
// into areas.
//
// Memory: as much as is given for positions of nodes, and, for several files or an unordered one, 16 to 32 bytes a
// feature to recognize objects that occur twice. Positions, shapes and features are on disk.
//
// Extracts are cut off somewhere, and maps have mistakes. A line with missing nodes is used up to its longest complete
// stretch; an area is not used, since nobody knows where it ends. An area with an open border is skipped, with the
// reason. If whole rings of an area are missing, the others are used: what they enclose belongs to it.

import { cutLineAcross, cutRing, isAcross } from '../../../geo/antimeridian.ts';
import type { Geometry } from '../../../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { ScratchFile } from '../../../tables/environment/scratch_file.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType } from '../../../tables/places/place.ts';

import { type MapFile, openMap } from './changed_file.ts';
import { FeatureFile, type NewFeature } from './feature_file.ts';
import type {
  FeatureClass,
  OsmCounts,
  OsmFeature,
  OsmFeatures,
  OsmPhase,
  OsmRelation,
  ReadOsmOptions,
  SkippedObject,
  Tags,
} from './features.ts';
import { MemberWays } from './member_ways.ts';
import { NodeStore } from './node_store.ts';
import { HOLDS_NODES, HOLDS_WAYS, type OnNode, type OnWay } from './objects.ts';
import { type AreaRelation, RelationTable } from './relation_table.ts';
import { assembleRings } from './rings.ts';
import { NewestVersions } from './versions.ts';

const POINT: Geometry = { kind: 'point' };
const CLASSES: readonly FeatureClass[] = ['area', 'road', 'house'];
/** Positions of 16 million nodes. */
const MEMORY_BYTES = 256 * 1_048_576;
/** Three nodes and the first again. */
const CLOSED_NODES_MIN = 4;
/** The map counts its nodes from 1. */
const NO_NODE = 0;
const LATITUDE_MAX = 90 * UNITS_PER_DEGREE;
const LONGITUDE_MAX = 180 * UNITS_PER_DEGREE;

/**
 * Reads OpenStreetMap files into features.
 * @returns features that stay on disk until they are closed
 * @throws Error that names the file if it is missing, truncated, damaged or not an OpenStreetMap file; and whatever
 *   `onProgress` throws, which ends the reading
 */
export async function readOsm(options: ReadOsmOptions): Promise<OsmFeatures> {
  const files: MapFile[] = [];
  try {
    for (const path of options.files) files.push(await openMap(path, options.changes?.get(path)));
    const asNamed = [...files];
    // Oldest first: a newer file knows which objects are no longer wanted.
    files.sort((a, b) => a.timestamp - b.timestamp);
    const reading = new Reading(options, files, asNamed);
    try {
      await reading.run();
    } catch (error) {
      reading.close();
      throw error;
    }
    return reading;
  } finally {
    for (const file of files) await file.close();
  }
}

class Reading implements OsmFeatures {
  readonly skipped: SkippedObject[] = [];
  readonly counts: OsmCounts;
  boundaries: ReadonlyMap<number, OsmRelation> = new Map();
  streets: readonly OsmRelation[] = [];
  private readonly options: ReadOsmOptions;
  private readonly files: readonly MapFile[];
  /** The files in the order of the options. */
  private readonly asNamed: readonly MapFile[];
  /** Place of the file being read among them. */
  private current = 0;
  private readonly scratch: Record<FeatureClass, FeatureFile>;
  private readonly newestNodes: NewestVersions;
  private readonly newestWays: NewestVersions;

  constructor(options: ReadOsmOptions, files: readonly MapFile[], asNamed: readonly MapFile[]) {
    this.options = options;
    this.files = files;
    this.asNamed = asNamed;
    const features = { area: 0, road: 0, house: 0 };
    this.counts = { nodes: 0, ways: 0, relations: 0, features, wanted: files.map(() => 0) };
    const isOrdered = files.length === 1 && files[0].isSorted;
    this.newestNodes = new NewestVersions(isOrdered);
    this.newestWays = new NewestVersions(isOrdered);
    const [area, road, house] = CLASSES.map(() => new FeatureFile(new ScratchFile(options.scratchFolder)));
    this.scratch = { area, road, house };
  }

  async run(): Promise<void> {
    const relations = new RelationTable(this.options.wants);
    await this.readFiles(
      'relations',
      file => file.bytes,
      async (file, age, onBytes) => {
        const before = relations.areas.size;
        const { current } = this;
        await file.scan(
          (id, version, tags, members) => relations.add(id, version || age, tags, members, current),
          onBytes,
        );
        this.counts.wanted[this.current] += relations.areas.size - before;
      },
    );
    this.counts.relations = relations.count;
    this.boundaries = relations.boundaries;
    this.streets = [...relations.streets.values()];
    const nodes = new NodeStore(this.options.scratchFolder, this.options.memoryBytes ?? MEMORY_BYTES);
    const ways = new MemberWays(relations.wayIds(), this.options.scratchFolder);
    try {
      await this.readNodes(nodes);
      await this.readWays(nodes, ways);
      this.takeAreas(relations, ways);
    } finally {
      nodes.close();
      ways.close();
    }
    for (const name of CLASSES) this.scratch[name].finish();
  }

  *read(featureClass: FeatureClass, isPassing = false): Generator<OsmFeature> {
    for (const { feature, version } of this.scratch[featureClass].read(isPassing)) {
      const newest = feature.type === OSM_NODE ? this.newestNodes : this.newestWays;
      if (feature.type === OSM_RELATION || newest.isNewest(feature.id, version)) yield feature;
    }
  }

  close(): void {
    for (const name of CLASSES) this.scratch[name].close();
  }

  private async readNodes(nodes: NodeStore): Promise<void> {
    await this.readFiles(
      'nodes',
      file => file.bytesOf(HOLDS_NODES),
      (file, age, onBytes) => {
        const take: OnNode = (id, version, longitude, latitude, tags) =>
          this.takeNode(nodes, id, version || age, longitude, latitude, tags);
        return file.readNodes(take, onBytes);
      },
    );
    nodes.finish();
  }

  private readWays(nodes: NodeStore, ways: MemberWays): Promise<void> {
    return this.readFiles(
      'ways',
      file => file.bytesOf(HOLDS_WAYS),
      (file, age, onBytes) => {
        const take: OnWay = (id, version, nodeIds, count, tags) =>
          this.takeWay(nodes, ways, id, version || age, nodeIds.subarray(0, count), tags);
        return file.readWays(take, onBytes);
      },
    );
  }

  private takeAreas(relations: RelationTable, ways: MemberWays): void {
    let done = 0;
    for (const relation of relations.areas.values()) {
      this.takeArea(relation, ways);
      this.options.onProgress({ phase: 'rings', done: ++done, total: relations.areas.size });
    }
  }

  /**
   * Reads all files in one pass.
   * @param bytesOf how much of a file the pass reads
   * @param read also receives the file's age, 1 for the oldest, which replaces versions that a file lacks
   */
  private async readFiles(
    phase: OsmPhase,
    bytesOf: (file: MapFile) => number,
    read: (file: MapFile, age: number, onBytes: (done: number) => void) => Promise<void>,
  ): Promise<void> {
    const total = this.files.reduce((sum, file) => sum + bytesOf(file), 0);
    let before = 0;
    for (const [number, file] of this.files.entries()) {
      this.current = this.asNamed.indexOf(file);
      await read(file, number + 1, done => this.options.onProgress({ phase, done: before + done, total }));
      before += bytesOf(file);
    }
  }

  private takeNode(
    nodes: NodeStore,
    id: number,
    version: number,
    longitude: number,
    latitude: number,
    tags: Tags | undefined,
  ): void {
    this.counts.nodes++;
    const isOnGlobe = Math.abs(longitude) <= LONGITUDE_MAX && Math.abs(latitude) <= LATITUDE_MAX;
    if (isOnGlobe) nodes.add(id, version, longitude, latitude);
    const featureClass = tags && this.options.wants(OSM_NODE, tags, false);
    if (featureClass !== undefined) this.counts.wanted[this.current]++;
    if (!this.newestNodes.meet(id, version, featureClass !== undefined)) return;
    if (!isOnGlobe) this.skip(OSM_NODE, id, 'Its position is not on the globe.');
    else
      this.write(featureClass!, {
        type: OSM_NODE,
        id,
        version,
        tags: tags!,
        geometry: POINT,
        longitude,
        latitude,
        nodeIds: undefined,
      });
  }

  private takeWay(
    nodes: NodeStore,
    ways: MemberWays,
    id: number,
    version: number,
    nodeIds: Float64Array,
    tags: Tags | undefined,
  ): void {
    this.counts.ways++;
    const isClosed = nodeIds.length >= CLOSED_NODES_MIN && nodeIds[0] === nodeIds[nodeIds.length - 1];
    const featureClass = tags && this.options.wants(OSM_WAY, tags, isClosed);
    if (featureClass !== undefined) this.counts.wanted[this.current]++;
    const isFeature = this.newestWays.meet(id, version, featureClass !== undefined);
    const isMember = ways.needs(id, version);
    if (!isFeature && !isMember) return;
    const { coordinates, first, missing } = shapeOf(nodes, nodeIds);
    if (isMember) ways.put(id, version, missing === 0 ? coordinates : null);
    if (!isFeature) return;
    const isArea = isClosed && featureClass !== 'road';
    if (isArea && missing > 0) this.skip(OSM_WAY, id, `${missing} of its ${nodeIds.length} nodes are missing.`, true);
    else if (isOnePoint(coordinates))
      this.skip(OSM_WAY, id, `It has fewer than two points; ${missing} are missing.`, missing > 0);
    else {
      const shown = nodeIds.subarray(first, first + coordinates.length / 2);
      const parts = isArea ? [{ geometry: areaOf(coordinates), nodeIds: shown }] : linesAcross(coordinates, shown);
      const way = { type: OSM_WAY, id, version, tags: tags!, longitude: 0, latitude: 0 } as const;
      for (const { geometry, nodeIds } of parts)
        this.write(featureClass!, { ...way, geometry, nodeIds: featureClass === 'house' ? undefined : nodeIds });
    }
  }

  private takeArea({ id, version, tags, featureClass, wayIds, isBorder, file }: AreaRelation, ways: MemberWays): void {
    const shapes = Array.from(wayIds, wayId => ways.shapeOf(wayId));
    const all = shapes.filter(shape => shape !== null);
    let rings = assembleRings(all);
    // A way with another role, such as a path through a park, may have left it open.
    if (typeof rings === 'string' && isBorder.includes(0)) {
      rings = assembleRings(shapes.filter((shape, number) => shape !== null && isBorder[number] === 1) as Int32Array[]);
    }
    const missing = shapes.length - all.length;
    if (typeof rings === 'string')
      this.skip(
        OSM_RELATION,
        id,
        missing === 0 ? rings : `${rings} ${missing} of its ${shapes.length} ways are missing.`,
        missing > 0,
        file,
      );
    else {
      const geometry: Geometry = { kind: 'area', rings };
      this.write(featureClass, {
        type: OSM_RELATION,
        id,
        version,
        tags,
        geometry,
        longitude: 0,
        latitude: 0,
        nodeIds: undefined,
      });
    }
  }

  private write(featureClass: FeatureClass, feature: NewFeature): void {
    this.counts.features[featureClass]++;
    this.scratch[featureClass].write(feature);
  }

  private skip(type: OsmType, id: number, reason: string, isCutOff = false, file = this.current): void {
    this.skipped.push({ type, id, reason, ...(isCutOff && { isCutOff }), file });
  }
}

/**
 * The longest stretch of a way without missing nodes.
 * @returns its coordinates, the index of its first node in the way, and how many nodes of the way are missing
 */
function shapeOf(nodes: NodeStore, nodeIds: Float64Array): { coordinates: Int32Array; first: number; missing: number } {
  const all = new Int32Array(nodeIds.length * 2);
  let missing = 0;
  let start = 0;
  let best = { first: 0, end: 0 };
  for (let i = 0; i < nodeIds.length; i++) {
    if (!nodes.find(nodeIds[i])) {
      missing++;
      start = i + 1;
      continue;
    }
    all[i * 2] = nodes.longitude;
    all[i * 2 + 1] = nodes.latitude;
    if (i + 1 - start > best.end - best.first) best = { first: start, end: i + 1 };
  }
  return { coordinates: all.subarray(best.first * 2, best.end * 2), first: best.first, missing };
}

function areaOf(ring: Int32Array): Geometry {
  return { kind: 'area', rings: cutRing(ring) };
}

/** A way, or its parts on both sides of the antimeridian. The points between them are no nodes. */
function linesAcross(line: Int32Array, nodeIds: Float64Array): { geometry: Geometry; nodeIds: Float64Array }[] {
  if (!isAcross(line)) return [{ geometry: { kind: 'line', coordinates: line }, nodeIds }];
  return cutLineAcross(line).map(({ coordinates, points }) => ({
    geometry: { kind: 'line', coordinates },
    nodeIds: Float64Array.from(points, point => (point < 0 ? NO_NODE : nodeIds[point])),
  }));
}

function isOnePoint(coordinates: Int32Array): boolean {
  for (let i = 2; i < coordinates.length; i++) if (coordinates[i] !== coordinates[i % 2]) return false;
  return true;
}
