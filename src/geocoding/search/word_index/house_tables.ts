// The parts of the index that find houses (those of each street, sorted on disk while they are collected) and kinds of
// places (the documents of each).

import { RecordSort } from '../../../tables/environment/record_sort.ts';
import { numberKey } from '../../../tables/environment/row.ts';
import type { LayerWriter } from '../../../tables/places/layer.ts';
import type { Place } from '../../../tables/places/place.ts';
import { ByteWriter } from '../../index/varint.ts';
import { houseNumbersOf } from '../words/house_number.ts';
import { GrowingWords, groupBy, numberIn } from './columns.ts';
import { type HouseLine, HouseWriter } from './houses.ts';
import { kindAround, kindInCell } from './layout.ts';
import type { DocumentLists } from './lists.ts';

/** The document, then the order of arrival. */
const KEY_BYTES = 8;
/** Place, number, and postcode + 1 with flags above it. */
const VALUE_BYTES = 12;
/** Houses in memory: 20 MB, and as much again while they are sorted. */
const SORTED_AT_ONCE = 2 ** 20;
const IN_RANGE = 0x80000000;
const PLAIN = 0x40000000;
const POSTCODE = 0x3fffffff;

/** A house that was collected. */
interface CollectedHouse {
  document: number;
  place: number;
  number: number;
  flags: number;
}

/** Collects houses and writes the table that finds them. */
export class HouseTables {
  private readonly numbers = new Map<string, number>();
  private readonly houses: RecordSort;
  private readonly lines = new Map<number, HouseLine[]>();

  /** @param scratchFolder existing */
  constructor(scratchFolder: string) {
    this.houses = new RecordSort(scratchFolder, KEY_BYTES, VALUE_BYTES, SORTED_AT_ONCE);
  }

  /** Adds a place under each of its house numbers. @param postcode token by order of arrival; -1 for none */
  addHouse(document: number, id: number, place: Place, postcode: number): void {
    const isPlain = place.category === 'place' || place.category === 'building';
    // In a block only the two numbers together say which house it is.
    const block = place.cityBlock === '' ? '' : `${place.cityBlock}-`;
    for (const { key, isInRange } of houseNumbersOf(place.houseNumber, place.countryCode, place.unit)) {
      const { added } = this.houses;
      const at = this.houses.next();
      const { view } = this.houses;
      view.setUint32(at, document);
      view.setUint32(at + 4, added);
      view.setUint32(at + 8, id);
      view.setUint32(at + 12, numberIn(this.numbers, block + key));
      view.setUint32(at + 16, (isInRange ? IN_RANGE : 0) | (isPlain ? PLAIN : 0) | (postcode + 1));
    }
  }

  /** Adds a line of house numbers; its postcode is a token by order of arrival. */
  addLine(document: number, line: HouseLine): void {
    const lines = this.lines.get(document);
    if (lines === undefined) this.lines.set(document, [line]);
    else lines.push(line);
  }

  /** Writes the table. @param tokens final number of each token by order of arrival */
  write(writer: LayerWriter, tokens: Uint32Array): void {
    const numbers = [...this.numbers.keys()];
    const houseWriter = new HouseWriter(new ByteWriter());
    const finish = (document: number) => {
      for (const line of this.lines.get(document) ?? [])
        houseWriter.line({ ...line, postcode: line.postcode < 0 ? -1 : tokens[line.postcode] });
      writer.append('houses', numberKey(document), houseWriter.take());
    };
    const withLines = [...this.lines.keys()].sort((a, b) => a - b);
    let nextLine = 0;
    let document = 0;
    /** Ends the document, and writes those before another that have lines alone. */
    const finishUpTo = (next: number) => {
      if (document !== 0) finish(document);
      for (; nextLine < withLines.length && withLines[nextLine] < next; nextLine++)
        if (withLines[nextLine] !== document) finish(withLines[nextLine]);
      document = next;
    };
    for (const house of this.inOrder()) {
      if (house.document !== document) finishUpTo(house.document);
      houseWriter.house({
        place: house.place,
        number: numbers[house.number],
        postcode: (house.flags & POSTCODE) === 0 ? -1 : tokens[(house.flags & POSTCODE) - 1],
        isInRange: (house.flags & IN_RANGE) !== 0,
        isPlain: (house.flags & PLAIN) !== 0,
      });
    }
    finishUpTo(Number.POSITIVE_INFINITY);
  }

  /** Gives disk and memory back. */
  close(): void {
    this.houses.close();
  }

  /** All houses by document, those of one in the order of arrival. */
  private *inOrder(): Generator<CollectedHouse> {
    for (const { bytes, count } of this.houses.batches()) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < count * (KEY_BYTES + VALUE_BYTES); at += KEY_BYTES + VALUE_BYTES)
        yield {
          document: view.getUint32(at),
          place: view.getUint32(at + 8),
          number: view.getUint32(at + 12),
          flags: view.getUint32(at + 16),
        };
    }
  }
}

/** Collects kinds and writes the table that finds them. */
export class KindTables {
  private readonly kinds = new Map<string, number>();
  /** Pairs of a kind and a document. */
  private readonly entries = new GrowingWords();

  /** Adds a document. @param kind such as `amenity=pharmacy` @param document not below the last one */
  add(kind: string, document: number): void {
    this.entries.push(numberIn(this.kinds, kind));
    this.entries.push(document);
  }

  /** Writes the list of each kind, after those of the tokens. */
  write(writer: LayerWriter, lists: DocumentLists): void {
    const { order, starts } = groupBy(this.entries.length / 2, this.kinds.size, entry => this.entries.get(2 * entry));
    const keys = [...this.kinds].map(([kind, number]) => ({ kind, number, key: Buffer.from(kind) }));
    for (const { kind, number, key } of keys.sort((a, b) => Buffer.compare(a.key, b.key))) {
      const documents = order
        .subarray(starts[number], starts[number + 1])
        .map(entry => this.entries.get(2 * entry + 1));
      writer.append('kinds', key, lists.encode(documents));
      lists.writeAround(writer, documents, around => kindAround(kind, around));
      lists.writeCells(writer, documents, cell => kindInCell(kind, cell));
    }
  }
}
