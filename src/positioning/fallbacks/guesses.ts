// The guesses of each fallback: known cells that resemble an unknown one, each with its typical error.
//
// The same id alone is no resemblance. Under another area code it lies 52 km away at the median for LTE in Belgium, and
// 11 km for GSM in the United Kingdom. So a cell found under another area code counts in three cases only: the
// network's own statistics say that such cells are near (src/tables/stations/id_distances.ts), the cell lies in the
// area that serves the device, or its ids are unique in a network and all cells with this id lie together.

import { distanceMetres } from '../../geo/distance.ts';
import { isCell, KIND_CDMA, KIND_GSM, KIND_WCDMA } from '../../radio/kind.ts';
import type { CellIndex, IndexedCell } from '../../tables/stations/cell_index.ts';
import { idClass, stridesOf, typicalMetres } from '../../tables/stations/id_distances.ts';
import type { Station } from '../../tables/stations/station.ts';
import type { UnknownCell } from './cells.ts';
import type { Guess } from './guessed_position.ts';

/**
 * Limits: rows read to each side of a cell id, areas with the same id in one network, and in each network of a country.
 */
const ROWS = 256;
const AREAS = 64;
const AREAS_ANYWHERE = 8;
/** Ids with a larger difference are used only if there is no nearer one. */
const NEAR_IDS = 255;
const CELL_MAX = 2 ** 36 - 1;
/** Resemblances with a larger typical error are ignored. */
const TYPICAL_METRES_MAX = 20_000;
/** So are those with a typical error of more than this many times the distance of the area's cells from its centre. */
const AREA_SHARE_MAX = 1.25;
/** Largest typical error at which the same id under another area code counts by statistics alone. */
const REUSED_METRES_MAX = 5_000;
/** Cells count as one when all lie within this distance of the first. */
const TOGETHER_METRES = 10_000;
/**
 * An area with this many cells is located. Its cells lie within this many times its 50 % distance plus the margin,
 * nearer for a namesake.
 */
const AREA_CELLS_MIN = 5;
const AREA_REACH = 5;
const STRICT_AREA_REACH = 2;
const AREA_MARGIN_METRES = 2_000;
/** Ids from here on are longer than 16 bits and unique in a network. */
const SHORT_IDS = 65_536;
/** RNCs that spread further than this are ignored. */
const RNC_METRES_MAX = 15_000;
/**
 * Typical error of the same cell under another identity, as a part of its 50 % radius; larger where the match is less
 * sure. The factors are for gsm and wcdma, whose cells are larger and less well measured.
 */
const SAME_CELL_PART = 0.305;
const OTHER_RADIO_PART = 0.42;
/** A short id that was completed is the cell itself. */
const FULL_ID_PART = 1;
const GSM_FACTOR = 2;
const WCDMA_FACTOR = 3.3;
const R50_METRES_FLOOR = 100;
/** Prior size of an area, and the number of cells that it counts for: a few cells say little about an area's size. */
const USUAL_AREA_METRES = 5_000;
const USUAL_AREA_CELLS = 2;

/** `w4f`: the device sends the 16 low bits of a WCDMA id. */
export function guessFullId(cell: UnknownCell, index: CellIndex): Guess[] {
  if (cell.kind !== KIND_WCDMA || cell.cell >= SHORT_IDS) return [];
  const found = index.acrossRncs(cell, cell.cell).filter(each => each.cell !== cell.cell);
  // An area lies in one RNC, so area code and short id identify the cell.
  const own = found.filter(({ area }) => area === cell.area);
  return together(own.length > 0 ? own : inServingArea(found, cell, STRICT_AREA_REACH), FULL_ID_PART);
}

/** `nbcidf`: ids that differ a little, in the same area or in one with a similar code. */
export function guessByNeighbourIds(cell: UnknownCell, index: CellIndex): Guess[] {
  const distances = index.idDistances(cell);
  const strides = cell.area < 0 ? [] : stridesOf(distances);
  const limit = Math.min(
    TYPICAL_METRES_MAX,
    isLocated(cell.servingArea) ? AREA_SHARE_MAX * cell.servingArea.r50Metres : TYPICAL_METRES_MAX,
  );
  const guesses: Guess[] = [];
  for (const isUp of [true, false]) {
    let hasAny = false;
    const found = index.outward(cell, Math.max(cell.area, 0), cell.cell, isUp, ROWS, (id, area) => {
      if (id === cell.cell && area === cell.area) return 'leave';
      const isNear = Math.abs(id - cell.cell) <= NEAR_IDS;
      if (area === cell.area && strides.some(({ difference }) => difference === Math.abs(id - cell.cell)))
        return 'leave';
      // Of those with a larger difference only the first counts, and only if there is no nearer one.
      if (!isNear && hasAny) return 'end';
      const k = idClass(cell.kind, id, area, cell.cell, cell.area < 0 ? area : cell.area);
      if (k <= 0 || (cell.area < 0 && !isNear) || typicalMetres(distances, k) > limit) return 'leave';
      hasAny = true;
      return 'take';
    });
    for (const { cell: id, area, latitude, longitude } of inServingArea(found, cell, AREA_REACH)) {
      const k = idClass(cell.kind, id, area, cell.cell, cell.area < 0 ? area : cell.area);
      guesses.push({ latitude, longitude, typicalMetres: typicalMetres(distances, k) });
    }
  }
  for (const { difference, metres } of strides) {
    if (metres > limit) continue;
    const found = [cell.cell - difference, cell.cell + difference]
      .filter(id => id >= 0 && id <= CELL_MAX)
      .map(id => index.cell(cell, cell.area, id))
      .filter(each => each !== undefined);
    for (const { latitude, longitude } of inServingArea(found, cell, AREA_REACH))
      guesses.push({ latitude, longitude, typicalMetres: metres });
  }
  // Without an area code only their agreement shows that they belong together.
  return cell.area >= 0 || areTogether(guesses) ? guesses : [];
}

/** `cidf`: the same id under other area codes of the network. */
export function guessByCellId(cell: UnknownCell, index: CellIndex): Guess[] {
  const found = index.areasOf(cell, cell.cell, AREAS).filter(({ area }) => area !== cell.area);
  const distances = index.idDistances(cell);
  const isKnownReuse = ({ area }: IndexedCell) =>
    cell.area >= 0 &&
    area !== cell.area &&
    typicalMetres(distances, idClass(cell.kind, cell.cell, area, cell.cell, cell.area)) <= REUSED_METRES_MAX;
  const near = inServingArea(found.filter(isKnownReuse), cell, AREA_REACH);
  return near.length > 0 ? namesakes(near, cell) : unambiguous(found, cell);
}

/**
 * `cidf`, when nothing else is left: an id that stands in its network once, also where the area code says that the
 * device is elsewhere. Either the code is wrong or the id is used twice, and any radius between the two places holds
 * half of that.
 */
export function guessByUniqueId(cell: UnknownCell, index: CellIndex): Guess[] {
  if (!hasUniqueIds(cell)) return [];
  const guesses = namesakes(index.areasOf(cell, cell.cell, AREAS), cell);
  const { servingArea } = cell;
  if (!isLocated(servingArea)) return guesses;
  return guesses.map(guess => {
    const apart = distanceMetres(guess.latitude, guess.longitude, servingArea.latitude, servingArea.longitude);
    return { ...guess, typicalMetres: Math.max(guess.typicalMetres, apart / 2) };
  });
}

/** `mncf`: the same area code and id in another network of the country. */
export function guessByOtherNetworks(cell: UnknownCell, index: CellIndex): Guess[] {
  if (cell.kind === KIND_CDMA || cell.area < 0) return [];
  const found = index
    .networksOf(cell.kind, cell.mcc)
    .filter(({ mnc }) => mnc !== cell.mnc)
    .map(network => index.cell(network, cell.area, cell.cell))
    .filter(each => each !== undefined);
  return namesakes(inServingArea(found, cell, AREA_REACH), cell);
}

/** `ratf`: the same network, area code and id under another radio type. */
export function guessByOtherRadios(cell: UnknownCell, index: CellIndex): Guess[] {
  if (cell.kind === KIND_CDMA) return [];
  const guesses: Guess[] = [];
  for (let kind = KIND_GSM; isCell(kind); kind++) {
    if (kind === cell.kind || kind === KIND_CDMA) continue;
    const network = { ...cell, kind };
    const found =
      cell.area < 0
        ? index.areasOf(network, cell.cell, AREAS)
        : [index.cell(network, cell.area, cell.cell)].filter(each => each !== undefined);
    guesses.push(...asGuesses(inServingArea(found, cell, AREA_REACH), OTHER_RADIO_PART * kindFactor(kind)));
  }
  return areTogether(guesses) ? guesses : [];
}

/** `rncidf`: cells of the same RNC, preferably in the serving area. */
export function guessByRnc(cell: UnknownCell, index: CellIndex): Guess[] {
  if (cell.kind !== KIND_WCDMA || cell.cell < SHORT_IDS) return [];
  const rnc = Math.floor(cell.cell / SHORT_IDS);
  const choose = (id: number, area: number) =>
    Math.floor(id / SHORT_IDS) !== rnc ? 'end' : id === cell.cell && area === cell.area ? 'leave' : 'take';
  const found = [true, false].flatMap(isUp =>
    index.outward(cell, Math.max(cell.area, 0), cell.cell, isUp, ROWS, choose),
  );
  const serving = found.filter(({ area }) => area === cell.area);
  return middleOf(serving.length > 0 ? serving : inServingArea(found, cell, AREA_REACH), RNC_METRES_MAX);
}

/** `lacf`: the centre of the location area. */
export function guessByArea({ servingArea }: UnknownCell): Guess[] {
  if (servingArea === undefined) return [];
  const { latitude, longitude, r50Metres, samples } = servingArea;
  const square = samples * r50Metres * r50Metres + USUAL_AREA_CELLS * USUAL_AREA_METRES * USUAL_AREA_METRES;
  return [{ latitude, longitude, typicalMetres: Math.sqrt(square / (samples + USUAL_AREA_CELLS)) }];
}

/** `cidxf`: the same id anywhere in the networks of the country. */
export function guessByIdAnywhere(cell: UnknownCell, index: CellIndex): Guess[] {
  if (!hasUniqueIds(cell)) return [];
  const found = index
    .networksOf(cell.kind, cell.mcc)
    .flatMap(network =>
      index
        .areasOf(network, cell.cell, AREAS_ANYWHERE)
        .filter(each => !(network.mnc === cell.mnc && each.area === cell.area)),
    );
  return unambiguous(found, cell);
}

/** Namesakes in the serving area. If the area is not known, all namesakes of an id that is unique in its network. */
function unambiguous(found: readonly IndexedCell[], cell: UnknownCell): Guess[] {
  if (isLocated(cell.servingArea)) return namesakes(inServingArea(found, cell, STRICT_AREA_REACH), cell);
  return hasUniqueIds(cell) ? namesakes(found, cell) : [];
}

function hasUniqueIds({ kind, cell }: UnknownCell): boolean {
  return kind !== KIND_GSM && kind !== KIND_CDMA && cell >= SHORT_IDS;
}

function isLocated(area: Station | undefined): area is Station {
  return area !== undefined && area.samples >= AREA_CELLS_MIN;
}

/** The cells that lie in the serving area; all cells if that area is not located. */
function inServingArea(
  found: readonly IndexedCell[],
  { servingArea }: UnknownCell,
  areaReach: number,
): readonly IndexedCell[] {
  if (!isLocated(servingArea)) return found;
  const { latitude, longitude, r50Metres } = servingArea;
  const reach = areaReach * (r50Metres + AREA_MARGIN_METRES);
  return found.filter(each => distanceMetres(latitude, longitude, each.latitude, each.longitude) <= reach);
}

/** Guesses by cells with the same id under another area, network or radio type. */
function namesakes(found: readonly IndexedCell[], { kind }: UnknownCell): Guess[] {
  return together(found, SAME_CELL_PART * kindFactor(kind));
}

/** How much larger and less well measured the cells of a radio type are. */
function kindFactor(kind: number): number {
  return kind === KIND_GSM ? GSM_FACTOR : kind === KIND_WCDMA ? WCDMA_FACTOR : 1;
}

/** Guesses if all cells lie together, otherwise none. @param part typical error as a part of their own radius */
function together(found: readonly IndexedCell[], part: number): Guess[] {
  return areTogether(found) ? asGuesses(found, part) : [];
}

function asGuesses(found: readonly IndexedCell[], part: number): Guess[] {
  return found.map(({ latitude, longitude, r50Metres }) => ({
    latitude,
    longitude,
    typicalMetres: part * Math.max(r50Metres, R50_METRES_FLOOR),
  }));
}

function areTogether([first, ...others]: readonly { latitude: number; longitude: number }[]): boolean {
  return others.every(
    each => distanceMetres(first.latitude, first.longitude, each.latitude, each.longitude) <= TOGETHER_METRES,
  );
}

/** The median position of some cells, and their median distance from it. */
function middleOf(found: readonly IndexedCell[], metresMax: number): Guess[] {
  if (found.length === 0) return [];
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const latitude = middle(found.map(each => each.latitude));
  const longitude = middle(found.map(each => each.longitude));
  const typical = middle(found.map(each => distanceMetres(latitude, longitude, each.latitude, each.longitude)));
  return typical > metresMax ? [] : [{ latitude, longitude, typicalMetres: typical }];
}
