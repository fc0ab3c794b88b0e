// Features on disk, one after the other, so that the memory of an import does not grow with the map. Coordinates and
// ids are written as differences. A text is written once and then named by its number, as keys, streets and towns come
// again and again: so it is made once while reading, too. Now and then the numbers begin anew.

import { centreOf, middleOf } from '../../../geo/centre.ts';
import type { Geometry } from '../../../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { ScratchFile } from '../../../tables/environment/scratch_file.ts';
import type { OsmType } from '../../../tables/places/place.ts';
import { type ByteReader, ByteWriter } from '../../index/varint.ts';
import type { OsmFeature, Tags } from './features.ts';
import { readRecords } from './records.ts';

const BUFFER_BYTES = 1024 * 1024;
/** Texts that have numbers at a time: a few megabytes. */
const TEXTS_MAX = 2 ** 16;
/** Stands before a text that is new. */
const NEW_TEXT = 0;
const KINDS = ['point', 'line', 'area'] as const;

/** A feature as it is written. */
export interface NewFeature {
  type: OsmType;
  id: number;
  version: number;
  tags: Tags;
  geometry: Geometry;
  /** Position of a node, units. */
  longitude: number;
  latitude: number;
  nodeIds: Float64Array | undefined;
}

/** What features are written to. */
type FeatureStore = Pick<ScratchFile, 'append' | 'read' | 'close'>;

/** A file: call `write`, then `finish`, then `read`. */
export class FeatureFile {
  private readonly file: FeatureStore;
  private readonly out = new ByteWriter();
  private readonly record = new ByteWriter();
  private readonly numbers = new Map<string, number>();

  /** @param file empty, or one that was written before */
  constructor(file: FeatureStore) {
    this.file = file;
  }

  write(feature: NewFeature): void {
    this.record.clear();
    encode(feature, this.record, this.numbers);
    this.out.unsigned(this.record.length);
    this.out.put(this.record.view());
    if (this.out.length >= BUFFER_BYTES) this.flush();
  }

  finish(): void {
    this.flush();
  }

  /**
   * All features from the first, with their versions.
   * @param isPassing each is used before the next one only: then its shape is read when it is asked for
   */
  *read(isPassing = false): Generator<{ feature: OsmFeature; version: number }> {
    const texts: string[] = [];
    for (const record of readRecords((into, position) => this.file.read(into, position), 0))
      yield decode(record, texts, isPassing);
  }

  close(): void {
    this.file.close();
  }

  private flush(): void {
    this.file.append(this.out.view());
    this.out.clear();
  }
}

function encode(
  { type, id, version, tags, geometry, longitude, latitude, nodeIds }: NewFeature,
  out: ByteWriter,
  numbers: Map<string, number>,
): void {
  out.unsigned(type);
  out.signed(id);
  out.unsigned(version);
  let count = 0;
  for (const _ in tags) count++;
  out.unsigned(count);
  for (const key in tags) {
    encodeText(key, out, numbers);
    encodeText(tags[key], out, numbers);
  }
  out.unsigned(KINDS.indexOf(geometry.kind));
  const [x, y] =
    geometry.kind === 'point'
      ? [longitude, latitude]
      : geometry.kind === 'line'
        ? middleOf(geometry.coordinates)
        : centreOf(geometry.rings);
  out.signed(x);
  out.signed(y);
  if (geometry.kind === 'line') encodeCoordinates(geometry.coordinates, out);
  else if (geometry.kind === 'area') {
    out.unsigned(geometry.rings.length);
    for (const ring of geometry.rings) encodeCoordinates(ring, out);
  }
  out.unsigned(nodeIds === undefined ? 0 : nodeIds.length);
  for (let i = 0, last = 0; nodeIds !== undefined && i < nodeIds.length; last = nodeIds[i++])
    out.signed(nodeIds[i] - last);
}

/** Writes the number of a text, or the text where it is new. */
function encodeText(text: string, out: ByteWriter, numbers: Map<string, number>): void {
  const known = numbers.get(text);
  if (known !== undefined) {
    out.unsigned(known + 1);
    return;
  }
  out.unsigned(NEW_TEXT);
  out.text(text);
  if (numbers.size === TEXTS_MAX) numbers.clear();
  numbers.set(text, numbers.size);
}

function decodeText(reader: ByteReader, texts: string[]): string {
  const number = reader.unsigned();
  if (number !== NEW_TEXT) return texts[number - 1];
  const text = reader.text();
  if (texts.length === TEXTS_MAX) texts.length = 0;
  texts.push(text);
  return text;
}

function encodeCoordinates(coordinates: Int32Array, out: ByteWriter): void {
  out.unsigned(coordinates.length);
  for (let i = 0; i < coordinates.length; i++) out.signed(coordinates[i] - (i < 2 ? 0 : coordinates[i - 2]));
}

function decode(reader: ByteReader, known: string[], isPassing: boolean): { feature: OsmFeature; version: number } {
  const type = reader.unsigned() as OsmType;
  const id = reader.signed();
  const version = reader.unsigned();
  const tags: Record<string, string> = {};
  for (let left = reader.unsigned(); left > 0; left--) {
    const key = decodeText(reader, known);
    tags[key] = decodeText(reader, known);
  }
  const kind = KINDS[reader.unsigned()];
  const longitude = reader.signed() / UNITS_PER_DEGREE;
  const latitude = reader.signed() / UNITS_PER_DEGREE;
  const own = { type, id, tags, latitude, longitude };
  if (isPassing) return { feature: new PassingFeature(own, kind, reader), version };
  return { feature: { ...own, ...decodeShape(kind, reader) }, version };
}

type Shape = Pick<OsmFeature, 'geometry' | 'nodeIds'>;

function decodeShape(kind: Geometry['kind'], reader: ByteReader): Shape {
  const geometry = decodeGeometry(kind, reader);
  const nodes = reader.unsigned();
  const nodeIds = nodes === 0 ? undefined : new Float64Array(nodes);
  for (let i = 0, nodeId = 0; nodeIds !== undefined && i < nodes; i++) nodeIds[i] = nodeId += reader.signed();
  return { geometry, nodeIds };
}

/** A feature whose shape is read when it is asked for. */
class PassingFeature implements OsmFeature {
  readonly type: OsmType;
  readonly id: number;
  readonly tags: Tags;
  readonly latitude: number;
  readonly longitude: number;
  private readonly kind: Geometry['kind'];
  private readonly reader: ByteReader;
  private shape: Shape | undefined;

  constructor(
    { type, id, tags, latitude, longitude }: Omit<OsmFeature, keyof Shape>,
    kind: Geometry['kind'],
    reader: ByteReader,
  ) {
    this.type = type;
    this.id = id;
    this.tags = tags;
    this.latitude = latitude;
    this.longitude = longitude;
    this.kind = kind;
    this.reader = reader;
  }

  get geometry(): Geometry {
    this.shape ??= decodeShape(this.kind, this.reader);
    return this.shape.geometry;
  }

  get nodeIds(): Float64Array | undefined {
    this.shape ??= decodeShape(this.kind, this.reader);
    return this.shape.nodeIds;
  }
}

function decodeGeometry(kind: Geometry['kind'], reader: ByteReader): Geometry {
  if (kind === 'point') return { kind };
  if (kind === 'line') return { kind, coordinates: decodeCoordinates(reader) };
  return { kind, rings: Array.from({ length: reader.unsigned() }, () => decodeCoordinates(reader)) };
}

function decodeCoordinates(reader: ByteReader): Int32Array {
  const coordinates = new Int32Array(reader.unsigned());
  for (let i = 0; i < coordinates.length; i++) coordinates[i] = reader.signed() + (i < 2 ? 0 : coordinates[i - 2]);
  return coordinates;
}
