// The parts of the index that find houses (those of each street, 16 bytes each while they are collected) and kinds of
// places (the documents of each).

import type { LayerWriter } from '../../../tables/places/layer.ts';
import type { Place } from '../../../tables/places/place.ts';
import { ByteWriter } from '../../index/varint.ts';
import { houseNumbersOf } from '../words/house_number.ts';
import { GrowingWords, groupBy, numberIn } from './columns.ts';
import { type HouseLine, HouseWriter } from './houses.ts';
import { kindAround, numberKey } from './layout.ts';
import type { DocumentLists } from './lists.ts';

const HOUSE_WORDS = 4;
const IN_RANGE = 0x80000000;
const PLAIN = 0x40000000;
const POSTCODE = 0x3fffffff;

/** Collects houses and writes the table that finds them. */
export class HouseTables {
  private readonly numbers = new Map<string, number>();
  /** Document, place, number, and postcode + 1 with flags above it. */
  private readonly houses = new GrowingWords();
  private readonly lines = new Map<number, HouseLine[]>();

  /** Adds a place under each of its house numbers. @param postcode token by order of arrival; -1 for none */
  addHouse(document: number, id: number, place: Place, postcode: number): void {
    const isPlain = place.category === 'place' || place.category === 'building';
    // In a block only the two numbers together say which house it is.
    const block = place.cityBlock === '' ? '' : `${place.cityBlock}-`;
    for (const { key, isInRange } of houseNumbersOf(place.houseNumber, place.countryCode, place.unit)) {
      this.houses.push(document);
      this.houses.push(id);
      this.houses.push(numberIn(this.numbers, block + key));
      this.houses.push((isInRange ? IN_RANGE : 0) | (isPlain ? PLAIN : 0) | (postcode + 1));
    }
  }

  /** Adds a line of house numbers; its postcode is a token by order of arrival. */
  addLine(document: number, line: HouseLine): void {
    const lines = this.lines.get(document);
    if (lines === undefined) this.lines.set(document, [line]);
    else lines.push(line);
  }

  /** Writes the table. @param tokens final number of each token by order of arrival */
  write(writer: LayerWriter, documentCount: number, tokens: Uint32Array): void {
    const numbers = [...this.numbers.keys()];
    const houseWriter = new HouseWriter(new ByteWriter());
    const { order, starts } = groupBy(this.houses.length / HOUSE_WORDS, documentCount, house =>
      this.houses.get(house * HOUSE_WORDS),
    );
    for (let document = 1; document < documentCount; document++) {
      const lines = this.lines.get(document);
      if (starts[document] === starts[document + 1] && lines === undefined) continue;
      for (let i = starts[document]; i < starts[document + 1]; i++) {
        const at = order[i] * HOUSE_WORDS;
        const flags = this.houses.get(at + 3);
        houseWriter.house({
          place: this.houses.get(at + 1),
          number: numbers[this.houses.get(at + 2)],
          postcode: (flags & POSTCODE) === 0 ? -1 : tokens[(flags & POSTCODE) - 1],
          isInRange: (flags & IN_RANGE) !== 0,
          isPlain: (flags & PLAIN) !== 0,
        });
      }
      for (const line of lines ?? [])
        houseWriter.line({ ...line, postcode: line.postcode < 0 ? -1 : tokens[line.postcode] });
      writer.append('houses', numberKey(document), houseWriter.take());
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
    }
  }
}
