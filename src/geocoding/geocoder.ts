// signatures follow
import type { LayerShareState } from '../tables/layer_share.ts';
import type { AddressRow, FoundPlace, Geoname, ReverseQuestion, SearchQuestion } from './question.ts';

/** Answers questions about places, in one thread, from the layers that the process shares. */
export class Geocoder {
  /**
   * Opens the layers as they are now.
   * @param state of this process, in which a `LayerShareSource` answers
   * @throws Error with a sentence when a layer cannot be used
   */
  static open(_state: LayerShareState): Promise<Geocoder> {
    throw new Error('Signature only.');
  }

  /** The place at a point, as fine as the question's zoom; undefined on the open sea. */
  reverse(_question: ReverseQuestion): FoundPlace | undefined {
    throw new Error('Signature only.');
  }

  /** The rows of the address of a point, as `reverse` with zoom 18 has them; undefined on the open sea. */
  address(_latitude: number, _longitude: number, _languages: readonly string[]): readonly AddressRow[] | undefined {
    throw new Error('Signature only.');
  }

  /** The town around a point, names in English; undefined where nothing is known. */
  geoname(_latitude: number, _longitude: number): Geoname | undefined {
    throw new Error('Signature only.');
  }

  /** The places that answer a question in words, best first. */
  search(_question: SearchQuestion): FoundPlace[] {
    throw new Error('Signature only.');
  }

  /** Ends the read transactions: before the thread waits. A new layer is taken at the next question after it. */
  release(): void {
    throw new Error('Signature only.');
  }

  close(): Promise<void> {
    throw new Error('Signature only.');
  }
}
