// What all objects of a PBF block share: the string table, to which they refer by number, and the scale of their
// coordinates.

import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { BadDataError, ByteReader } from '../../index/varint.ts';
import { messageIn, readField, skipField, WIRE_BYTES, WIRE_VARINT } from './protobuf.ts';

/** Nanodegrees in a unit. */
const NANODEGREES = 1e9 / UNITS_PER_DEGREE;
/** Room for the nodes of a way, at first. */
const NODES_AT_START = 256;

/** The string table and the coordinate scale of a block. */
export class Block {
  readonly bytes: Buffer;
  readonly groups: ByteReader[] = [];
  private granularity = 100;
  private latitudeOffset = 0;
  private longitudeOffset = 0;
  /** Start and end of each string. */
  private readonly textAt: number[] = [];
  private readonly texts: (string | undefined)[] = [];
  private nodes = new Float64Array(NODES_AT_START);

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const reader = new ByteReader(bytes);
    while (reader.at < reader.end) {
      const { field, wire } = readField(reader);
      if (field === 1 && wire === WIRE_BYTES) this.addTexts(messageIn(reader));
      else if (field === 2 && wire === WIRE_BYTES) this.groups.push(messageIn(reader));
      else if (field === 17 && wire === WIRE_VARINT) this.granularity = reader.unsigned();
      else if (field === 19 && wire === WIRE_VARINT) this.latitudeOffset = reader.int64();
      else if (field === 20 && wire === WIRE_VARINT) this.longitudeOffset = reader.int64();
      else skipField(reader, wire);
    }
  }

  /** Room for the nodes of a way, the same for all ways of the block. @param count at most so many */
  nodesOfWay(count: number): Float64Array {
    if (count > this.nodes.length) this.nodes = new Float64Array(2 * count);
    return this.nodes;
  }

  private addTexts(table: ByteReader): void {
    while (table.at < table.end) {
      const { field, wire } = readField(table);
      if (field !== 1 || wire !== WIRE_BYTES) {
        skipField(table, wire);
        continue;
      }
      const length = table.unsigned();
      const start = table.skip(length);
      this.textAt.push(start, start + length);
    }
  }

  /** @throws BadDataError if there is no string with this number */
  text(number: number): string {
    const known = this.texts[number];
    if (known !== undefined) return known;
    if (number * 2 >= this.textAt.length)
      throw new BadDataError(`A block of ${this.textAt.length / 2} texts names number ${number}.`);
    const text = this.bytes.toString('utf8', this.textAt[number * 2], this.textAt[number * 2 + 1]);
    this.texts[number] = text;
    return text;
  }

  latitude(value: number): number {
    return Math.round((this.latitudeOffset + value * this.granularity) / NANODEGREES);
  }

  longitude(value: number): number {
    return Math.round((this.longitudeOffset + value * this.granularity) / NANODEGREES);
  }
}
