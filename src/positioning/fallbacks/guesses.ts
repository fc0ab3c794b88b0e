// What each fallback guesses: cells that resemble one that is not known, with how far off such a resemblance typically is.
//
// The same id far away is no resemblance: LTE ids of other area codes lie 52 km off at the median in Belgium, GSM ids 11 km in the United Kingdom. So a
// cell found under another area code counts only when the network's own numbers say that such cells are near (src/tables/stations/id_distances.ts), when it
// lies in the area that serves the device, or when ids of its kind are unique in a network and all that bear it lie together.

import { distanceMetres } from '../../geo/distance.ts';
import { isCell, KIND_CDMA, KIND_GSM, KIND_WCDMA } from '../../radio/kind.ts';
import type { CellIndex, IndexedCell } from '../../tables/stations/cell_index.ts';
import { idClass, stridesOf, typicalMetres } from '../../tables/stations/id_distances.ts';
import type { Station } from '../../tables/stations/station.ts';
import type { UnknownCell } from './cells.ts';
import type { Guess } from './guessed_position.ts';

/** Rows read to each side of a cell id, areas of one id in a network, and in each network of a country. */
const ROWS = 256;
const AREAS = 64;
const AREAS_ANYWHERE = 8;
/** Ids further off are looked at only where there is no nearer one. */
const NEAR_IDS = 255;
const CELL_MAX = 2 ** 36 - 1;
/** Resemblances that are typically further off than this say nothing. */
const TYPICAL_METRES_MAX = 20_000;
/** Neither do those that are typically further off than this many times the distance of the area's cells from its centre. */
const AREA_SHARE_MAX = 1.25;
/** What an exact id under another area code must be, typically, to count by the numbers alone. */
const REUSED_METRES_MAX = 5_000;
/** Cells that are one lie within this of the first. */
const TOGETHER_METRES = 10_000;
/** Areas of so many cells tell where they are; a cell of theirs lies within so many times their 50 % distance and this; a mere namesake nearer. */
const AREA_CELLS_MIN = 5;
const AREA_REACH = 5;
const STRICT_AREA_REACH = 2;
const AREA_MARGIN_METRES = 2_000;
/** Ids with more bits than a short one are unique in a network. */
const SHORT_IDS = 65_536;
/** RNCs that spread further than this are no place. */
const RNC_METRES_MAX = 15_000;
/**
 * The same cell under another name: parts of its own 50 % radius that are typical, by how surely it is the same. Ids of gsm and wcdma name larger and
 * less well measured cells.
 */
const SAME_CELL_PART = 0.305;
const OTHER_RADIO_PART = 0.42;
/** A short id found in full is the cell itself. */
const FULL_ID_PART = 1;
const GSM_FACTOR = 2;
const WCDMA_FACTOR = 3.3;
const R50_METRES_FLOOR = 100;
/** Area centres: what few cells say about an area's size is little. */
const USUAL_AREA_METRES = 5_000;
const USUAL_AREA_CELLS = 2;

/** `w4f`: the unit sends the 16 low bits of a WCDMA id. */
export function guessFullId(cell: UnknownCell, index: CellIndex): Guess[] {
  if (cell.kind !== KIND_WCDMA || cell.cell >= SHORT_IDS) return [];
  const found = index.acrossRncs(cell, cell.cell).filter(each => each.cell !== cell.cell);
  // An area lies in one RNC, so with its code the short id is whole.
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
      if (area === cell.area && strides.some(({ difference }) => difference === Math.abs(id - cell.cell))) return 'leave';
      // Of those further off the first will do, and only where there is no nearer one.
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
  // Without an area code nothing but their agreement says that they are of one place.
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
  return near.length > 0 ? namesakes(near, cell, SAME_CELL_PART) : unambiguous(found, cell);
}

/** `mncf`: the same area code and id in another network of the country. */
export function guessByOtherNetworks(cell: UnknownCell, index: CellIndex): Guess[] {
  if (cell.kind === KIND_CDMA || cell.area < 0) return [];
  const found = index
    .networksOf(cell.kind, cell.mcc)
    .filter(({ mnc }) => mnc !== cell.mnc)
    .map(network => index.cell(network, cell.area, cell.cell))
    .filter(each => each !== undefined);
  return namesakes(inServingArea(found, cell, AREA_REACH), cell, SAME_CELL_PART);
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

/** `rncidf`: cells of the same RNC, those of the serving area before all others. */
export function guessByRnc(cell: UnknownCell, index: CellIndex): Guess[] {
  if (cell.kind !== KIND_WCDMA || cell.cell < SHORT_IDS) return [];
  const rnc = Math.floor(cell.cell / SHORT_IDS);
  const choose = (id: number, area: number) =>
    Math.floor(id / SHORT_IDS) !== rnc ? 'end' : id === cell.cell && area === cell.area ? 'leave' : 'take';
  const found = [true, false].flatMap(isUp => index.outward(cell, Math.max(cell.area, 0), cell.cell, isUp, ROWS, choose));
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
      index.areasOf(network, cell.cell, AREAS_ANYWHERE).filter(each => !(network.mnc === cell.mnc && each.area === cell.area)),
    );
  return unambiguous(found, cell);
}

/** Namesakes: those in the serving area, or where that is not known, all of an id that is unique. */
function unambiguous(found: readonly IndexedCell[], cell: UnknownCell): Guess[] {
  if (isLocated(cell.servingArea)) return namesakes(inServingArea(found, cell, STRICT_AREA_REACH), cell, SAME_CELL_PART);
  return hasUniqueIds(cell) ? namesakes(found, cell, SAME_CELL_PART) : [];
}

function hasUniqueIds({ kind, cell }: UnknownCell): boolean {
  return kind !== KIND_GSM && kind !== KIND_CDMA && cell >= SHORT_IDS;
}

function isLocated(area: Station | undefined): area is Station {
  return area !== undefined && area.samples >= AREA_CELLS_MIN;
}

/** Those that lie in the serving area, where that is known well enough to tell; else all. */
function inServingArea(found: readonly IndexedCell[], { servingArea }: UnknownCell, areaReach: number): readonly IndexedCell[] {
  if (!isLocated(servingArea)) return found;
  const { latitude, longitude, r50Metres } = servingArea;
  const reach = areaReach * (r50Metres + AREA_MARGIN_METRES);
  return found.filter(each => distanceMetres(latitude, longitude, each.latitude, each.longitude) <= reach);
}

/** Guesses by cells that are the same under another name. */
function namesakes(found: readonly IndexedCell[], { kind }: UnknownCell, part: number): Guess[] {
  return together(found, part * kindFactor(kind));
}

/** How much larger and less well measured than others the cells of a radio type are. */
function kindFactor(kind: number): number {
  return kind === KIND_GSM ? GSM_FACTOR : kind === KIND_WCDMA ? WCDMA_FACTOR : 1;
}

/** Guesses when all lie together; none when they do not. @param part of their own radius that is typical */
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
  return others.every(each => distanceMetres(first.latitude, first.longitude, each.latitude, each.longitude) <= TOGETHER_METRES);
}

/** The middle of some cells and their median distance from it. */
function middleOf(found: readonly IndexedCell[], metresMax: number): Guess[] {
  if (found.length === 0) return [];
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const latitude = middle(found.map(each => each.latitude));
  const longitude = middle(found.map(each => each.longitude));
  const typical = middle(found.map(each => distanceMetres(latitude, longitude, each.latitude, each.longitude)));
  return typical > metresMax ? [] : [{ latitude, longitude, typicalMetres: typical }];
}
