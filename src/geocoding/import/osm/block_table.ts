// What all objects of a block of an OpenStreetMap PBF file share: its texts, which they name by number, and the steps in which their coordinates are counted.

import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { BadDataError } from '../../index/bad_data.ts';
import { ByteReader } from '../../index/varint.ts';
import { messageIn, readField, skipField, WIRE_BYTES, WIRE_VARINT } from './protobuf.ts';

/** Nanodegrees in a unit of ours. */
const NANODEGREES = 1e9 / UNITS_PER_DEGREE;

/** The table of texts of a block, and how its coordinates are counted. */
export class Block {
  readonly bytes: Buffer;
  readonly groups: ByteReader[] = [];
  private granularity = 100;
  private latitudeOffset = 0;
  private longitudeOffset = 0;
  /** Where the texts begin and end. */
  private readonly textAt: number[] = [];
  private readonly texts: (string | undefined)[] = [];

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

  /** @throws BadDataError when there is no text of this number */
  text(number: number): string {
    const known = this.texts[number];
    if (known !== undefined) return known;
    if (number * 2 >= this.textAt.length) throw new BadDataError(`A block of ${this.textAt.length / 2} texts names number ${number}.`);
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
