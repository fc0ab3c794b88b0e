// The unknown cells of a request, with what is known of their identity, in the order in which fallbacks try them.

import { INFERRED_KINDS } from '../../radio/cell_kind.ts';
import { KIND_CDMA, KIND_WCDMA } from '../../radio/kind.ts';
import { FLAG_INFERRED, FLAG_NO_AREA, FLAG_NO_CELL_ID, FLAG_SERVING } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { areaOfKey, cellOfKey, isUnknownAt, mccOfKey, mncOfKey } from '../../radio/station_key.ts';
import type { CellIndex, NetworkId } from '../../tables/stations/cell_index.ts';
import type { Station } from '../../tables/stations/station.ts';

/** Number of cells of a request that fallbacks try; each takes some range scans. */
const CELLS_MAX = 6;

/** A cell that is in no table. */
export interface UnknownCell extends NetworkId {
  /** Area code; -1 when it was not sent. */
  area: number;
  cell: number;
  isServing: boolean;
  /** Its location area, if that is known. */
  servingArea: Station | undefined;
}

/**
 * The cells with an id that may be one: the serving cell, then the strongest. A cell whose radio type was inferred as
 * one of four gives one entry for each; of one that may be of any type, gsm is guessed.
 */
export function unknownCells(query: QueryReader, index: CellIndex): UnknownCell[] {
  const { u8 } = query.memory;
  const observations = Array.from({ length: query.cells }, (_, c) => {
    const i = query.firstCell + c;
    return { at: query.at(i), flags: query.observationFlags(i), signalDbm: query.signalDbm(i) };
  }).filter(({ at, flags }) => (flags & FLAG_NO_CELL_ID) === 0 && !isUnknownAt(u8, at));
  observations.sort((a, b) => (b.flags & FLAG_SERVING) - (a.flags & FLAG_SERVING) || b.signalDbm - a.signalDbm);
  return observations.slice(0, CELLS_MAX).flatMap(({ at, flags }) => {
    const kinds = flags & FLAG_INFERRED && u8[at] === KIND_WCDMA ? INFERRED_KINDS : [u8[at]];
    return kinds.map(kind => {
      const network = { kind, mcc: kind === KIND_CDMA ? -1 : mccOfKey(u8, at), mnc: mncOfKey(u8, at) };
      const area = flags & FLAG_NO_AREA ? -1 : areaOfKey(u8, at);
      const servingArea = area < 0 ? undefined : index.area(network, area);
      return { ...network, area, cell: cellOfKey(u8, at), isServing: (flags & FLAG_SERVING) !== 0, servingArea };
    });
  });
}
