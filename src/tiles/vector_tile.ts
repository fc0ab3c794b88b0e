// Writes Mapbox vector tiles (version 2.1): layers of points, lines and areas with attributes, as Protocol Buffers.
//
// A layer has room for so many bytes. Whoever fills it begins with what is most important; what comes when it is full
// is left out.
//
// Source: https://github.com/mapbox/vector-tile-spec/tree/master/2.1

import { signedArea } from '../geo/rings.ts';
import { ByteWriter } from '../geocoding/index/varint.ts';
import { EXTENT } from './tile_plane.ts';

const VERSION = 2;
/** Kinds of geometry. */
const POINT = 1;
const LINE = 2;
const AREA = 3;
/** Commands of a geometry. */
const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 7;
/** Wire types of Protocol Buffers. */
const VARINT = 0;
const DOUBLE = 1;
const BYTES = 2;

/** What is said of a feature, by key. Whole numbers are 0 or above. */
export type Attributes = Readonly<Record<string, string | number>>;

/** An importance as an attribute: values that recur are written once. */
export function rounded(importance: number): number {
  return Math.round(importance * 100) / 100;
}

/** One layer of a tile. Coordinates are whole numbers in the tile's own system. */
export class TileLayer {
  private readonly name: string;
  private readonly room: number;
  private readonly features = new ByteWriter();
  private readonly feature = new ByteWriter();
  private readonly packed = new ByteWriter();
  private readonly keys = new Map<string, number>();
  private readonly values = new Map<string | number, number>();
  private valueBytes = 0;

  /** @param room most bytes that its features take together with the texts of their attributes */
  constructor(name: string, room: number) {
    this.name = name;
    this.room = room;
  }

  /** True when nothing more is taken. */
  get isFull(): boolean {
    return this.features.length + this.valueBytes >= this.room;
  }

  addPoint(x: number, y: number, attributes: Attributes): void {
    this.add(POINT, attributes, path => path.points([x, y], 2));
  }

  /** Adds lines of two points or more as one feature. */
  addLines(lines: readonly (readonly number[])[], attributes: Attributes): void {
    this.add(LINE, attributes, path => {
      for (const line of lines) path.points(line, line.length);
    });
  }

  /** Adds an area. @param rings closed ones: the outline, then its holes */
  addArea(rings: readonly (readonly number[])[], attributes: Attributes): void {
    this.add(AREA, attributes, path => {
      for (const [i, ring] of rings.entries()) path.ring(ring, i === 0);
    });
  }

  private add(kind: number, attributes: Attributes, draw: (path: Path) => void): void {
    if (this.isFull) return;
    const { feature, features, packed } = this;
    for (const [key, value] of Object.entries(attributes)) {
      packed.unsigned(numberOf(this.keys, key));
      const known = this.values.size;
      packed.unsigned(numberOf(this.values, value));
      if (this.values.size > known) this.valueBytes += typeof value === 'string' ? Buffer.byteLength(value) : 8;
    }
    if (packed.length > 0) field(feature, 2, packed);
    feature.unsigned((3 << 3) | VARINT);
    feature.unsigned(kind);
    draw(new Path(packed));
    field(feature, 4, packed);
    field(features, 2, feature);
  }

  /** Appends the layer to a tile, unless it is empty. */
  writeTo(tile: ByteWriter): void {
    if (this.features.length === 0) return;
    const layer = new ByteWriter();
    text(layer, 1, this.name);
    layer.put(this.features.view());
    for (const key of this.keys.keys()) text(layer, 3, key);
    for (const value of this.values.keys()) field(layer, 4, bytesOfValue(value));
    layer.unsigned((5 << 3) | VARINT);
    layer.unsigned(EXTENT);
    layer.unsigned((15 << 3) | VARINT);
    layer.unsigned(VERSION);
    field(tile, 3, layer);
  }
}

/** A tile of these layers. */
export function tileOf(layers: readonly TileLayer[]): Buffer {
  const tile = new ByteWriter();
  for (const layer of layers) layer.writeTo(tile);
  return tile.take();
}

/** The commands of one geometry. Each point is written as a step from the one before. */
class Path {
  private readonly out: ByteWriter;
  private x = 0;
  private y = 0;

  constructor(out: ByteWriter) {
    this.out = out;
  }

  /** A point, or a line of several. @param end how many of the numbers */
  points(line: readonly number[], end: number): void {
    this.command(MOVE_TO, 1);
    this.step(line, 0);
    const more = end / 2 - 1;
    if (more === 0) return;
    this.command(LINE_TO, more);
    for (let i = 2; i < end; i += 2) this.step(line, i);
  }

  /** A closed ring: outlines run clockwise on the screen, holes the other way. */
  ring(ring: readonly number[], isOutline: boolean): void {
    // Where y grows to the south, a ring with a positive area runs clockwise.
    const isTurned = signedArea(ring) > 0 !== isOutline;
    const path = isTurned ? reversed(ring) : ring;
    this.points(path, path.length - 2);
    this.command(CLOSE_PATH, 1);
  }

  private command(id: number, count: number): void {
    this.out.unsigned(id | (count << 3));
  }

  private step(line: readonly number[], i: number): void {
    this.out.signed(line[i] - this.x);
    this.out.signed(line[i + 1] - this.y);
    this.x = line[i];
    this.y = line[i + 1];
  }
}

function reversed(ring: readonly number[]): number[] {
  const turned: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) turned.push(ring[i], ring[i + 1]);
  return turned;
}

/** Numbers the members of a list as they come. */
function numberOf<T>(list: Map<T, number>, member: T): number {
  const known = list.get(member);
  if (known !== undefined) return known;
  list.set(member, list.size);
  return list.size - 1;
}

/** Writes a field of bytes, and empties their writer. */
function field(out: ByteWriter, number: number, content: ByteWriter): void {
  out.unsigned((number << 3) | BYTES);
  out.unsigned(content.length);
  out.put(content.view());
  content.clear();
}

function text(out: ByteWriter, number: number, value: string): void {
  out.unsigned((number << 3) | BYTES);
  out.text(value);
}

function bytesOfValue(value: string | number): ByteWriter {
  const out = new ByteWriter();
  if (typeof value === 'string') text(out, 1, value);
  else if (Number.isInteger(value)) {
    out.unsigned((5 << 3) | VARINT);
    out.unsigned(value);
  } else {
    out.unsigned((3 << 3) | DOUBLE);
    out.put(new Uint8Array(Float64Array.of(value).buffer));
  }
  return out;
}
