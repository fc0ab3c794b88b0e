// Places that answer points alone, on their way from one machine to another: records and shapes. What of a layer
// follows from them is left out: the indexes of search by words, which are not made again, and those by position, which
// are made where the places are taken in.
//
// Blocks, each behind its length in four bytes, of whole places: length of the record, the record, a number of what the
// shape is (`Head`), and each line of it as the number of its points and their differences (index/varint.ts), of which
// the first is that to the position of the place. A record has no box where that is the one around the shape.

import { type Box, boxOf } from '../../geo/box.ts';
import { type Geometry, linesOf } from '../../geo/rings.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../../geo/units.ts';
import type { Place } from '../../tables/places/place.ts';
import { decodePlace, encodePlace, placeBuilder } from '../../tables/places/place_record.ts';
import { BadDataError, ByteReader, ByteWriter } from '../index/varint.ts';

/** A block is closed at this size. */
const BLOCK_BYTES = 1_048_576;
/** The largest shape and record that a map has are far below. */
const BLOCK_BYTES_MAX = 256 * 1_048_576;
const LENGTH_BYTES = 4;
const SIDES = ['west', 'south', 'east', 'north'] as const;
const KINDS = ['point', 'line', 'area'] as const;

/** What is said of a shape: the digits of a number, the last first. */
interface Head {
  /** The box of the place is the one around it. */
  isBoxed: boolean;
  kind: Geometry['kind'];
  lines: number;
}

/** Writes places as blocks. */
export function* blocksOfPlaces(places: Iterable<{ place: Place; geometry: Geometry }>): Generator<Buffer> {
  const writer = new ByteWriter();
  const builder = placeBuilder();
  for (const { place, geometry } of places) {
    const isBoxed = hasBoxOf(place, geometry);
    const record = encodePlace(isBoxed ? { ...place, ...boxAt(place) } : place, builder);
    writer.unsigned(record.length);
    writer.put(record);
    writeShape(writer, place, geometry, isBoxed);
    if (writer.length >= BLOCK_BYTES) yield blockOf(writer);
  }
  if (writer.length > 0) yield blockOf(writer);
}

function blockOf(writer: ByteWriter): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(writer.length);
  const block = Buffer.concat([length, writer.view()]);
  writer.clear();
  return block;
}

function hasBoxOf(place: Place, geometry: Geometry): boolean {
  if (geometry.kind === 'point') return false;
  const box = boxOf(linesOf(geometry));
  return SIDES.every(side => unitsOf(place[side]) === box[side]);
}

/** The box of a place that is a point, of which a record says nothing. */
function boxAt({ latitude, longitude }: Place): Box {
  return { west: longitude, south: latitude, east: longitude, north: latitude };
}

function writeShape(writer: ByteWriter, place: Place, geometry: Geometry, isBoxed: boolean): void {
  const lines = linesOf(geometry);
  writer.unsigned(numberOf({ isBoxed, kind: geometry.kind, lines: lines.length }));
  let [x, y] = [unitsOf(place.longitude), unitsOf(place.latitude)];
  for (const line of lines) {
    writer.unsigned(line.length / 2);
    for (let i = 0; i < line.length; i += 2) {
      writer.signed(line[i] - x);
      writer.signed(line[i + 1] - y);
      [x, y] = [line[i], line[i + 1]];
    }
  }
}

function numberOf({ isBoxed, kind, lines }: Head): number {
  return (lines * KINDS.length + KINDS.indexOf(kind)) * 2 + Number(isBoxed);
}

function headOf(number: number): Head {
  const rest = Math.floor(number / 2);
  return { isBoxed: number % 2 === 1, kind: KINDS[rest % KINDS.length], lines: Math.floor(rest / KINDS.length) };
}

/** A place that was read. */
interface ReadPlace {
  place: Place;
  geometry: Geometry;
}

/**
 * Reads places from blocks, which come in pieces of any size.
 * @throws BadDataError where they are no such blocks
 */
export async function* placesOfBlocks(pieces: AsyncIterable<Buffer>): AsyncGenerator<ReadPlace[]> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let wanted = LENGTH_BYTES;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    while (bytes >= wanted) {
      const all: Buffer = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
      const length = all.readUInt32LE();
      if (length > BLOCK_BYTES_MAX) throw new BadDataError(`a block of ${length} bytes`);
      wanted = LENGTH_BYTES + length;
      if (bytes >= wanted) {
        yield [...placesIn(new ByteReader(all, LENGTH_BYTES, wanted))];
        bytes -= wanted;
        waiting = [all.subarray(wanted)];
        wanted = LENGTH_BYTES;
      } else waiting = [all];
    }
  }
  if (bytes > 0) throw new BadDataError('it ends within a block');
}

function* placesIn(reader: ByteReader): Generator<ReadPlace> {
  while (reader.at < reader.end) {
    const length = reader.unsigned();
    const start = reader.skip(length);
    const place = decodePlace(reader.bytes.subarray(start, start + length));
    const head = headOf(reader.unsigned());
    const geometry = readShape(reader, place, head);
    if (head.isBoxed) {
      const box = boxOf(linesOf(geometry));
      for (const side of SIDES) place[side] = box[side] / UNITS_PER_DEGREE;
    }
    yield { place, geometry };
  }
}

function readShape(reader: ByteReader, place: Place, { kind, lines: count }: Head): Geometry {
  let [x, y] = [unitsOf(place.longitude), unitsOf(place.latitude)];
  const lines = Array.from({ length: count }, () => {
    const points = reader.unsigned();
    // A number takes a byte at least.
    if (2 * points > reader.end - reader.at) throw new BadDataError('a shape is longer than its block');
    const line = new Int32Array(2 * points);
    for (let i = 0; i < line.length; i += 2) {
      line[i] = x += reader.signed();
      line[i + 1] = y += reader.signed();
    }
    return line;
  });
  if (kind === 'area') return { kind, rings: lines };
  if (lines.length !== (kind === 'line' ? 1 : 0)) throw new BadDataError('a shape has too many lines');
  return kind === 'line' ? { kind, coordinates: lines[0] } : { kind };
}
