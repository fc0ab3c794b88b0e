// The rules for cells. Requests may contain incomplete cells that can still be looked up: of an unsure radio type,
// neighbours without an id. To be learned from, a cell must be identified, but for an area code that it does not need,
// and lie where its network is.

import { NETWORK_NONE } from '../../wasm/range_constants.ts';
import { countriesOfMcc, isInCountry } from '../geo/country.ts';
import { KIND_CDMA, KIND_GSM } from '../radio/kind.ts';
import {
  CODE_ABSENT,
  FLAG_INFERRED,
  FLAG_NO_AREA,
  FLAG_NO_CELL_ID,
  FLAG_SERVING,
  SIGNAL_ABSENT,
} from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import { readCells } from '../radio/query/read_cells.ts';
import {
  ageAt,
  clearFlags,
  flagsAt,
  forgetArea,
  setFlags,
  signalAt,
  timingAt,
  writeMeasured,
  writeOfKind,
} from '../radio/query/reader.ts';
import type { QueryWriter } from '../radio/query/writer.ts';
import { CELL_RANGES, isIn } from '../radio/ranges.ts';
import { flagOf, wholeIn } from '../radio/read_value.ts';
import { areaOfKey, cellOfKey, mccOfKey, mncOfKey } from '../radio/station_key.ts';
import { isAreaUnknown, isUnknownCell } from '../radio/unknown_cell.ts';
import type { ReportDraft } from './draft.ts';
import { BORDER_METRES, type RuleName } from './rules.ts';
import { isApart, KIND_REFUSED } from './screen_stations.ts';
import type { Tally } from './tally.ts';

interface CellEntry {
  mobileCountryCode?: unknown;
  locationAreaCode?: unknown;
  cellId?: unknown;
  newRadioCellId?: unknown;
  serving?: unknown;
  age?: unknown;
}

/** No radio type has wider ids than nr. */
const WIDEST = CELL_RANGES.nr;

/**
 * Writes the cells and marks those that a rule refuses by KIND_REFUSED. The serving cell is the one that says so,
 * otherwise the first with an id. It stays the serving one even when it is refused.
 * @param draft the position and radio type of the cells
 * @param writer has written the access points and beacons already
 */
export function screenCells(
  entries: readonly unknown[],
  draft: ReportDraft,
  positionAgeMs: number,
  writer: QueryWriter,
  tally: Tally,
): void {
  const { memory } = writer;
  const networks = new NetworkCheck(draft.latitude, draft.longitude);
  const one: unknown[] = [undefined];
  let firstIdentified = -1;
  let isServingKnown = false;
  for (const value of entries) {
    const entry = value as CellEntry | null;
    one[0] = entry;
    if (typeof entry === 'object' && entry !== null && isApart(entry.age, positionAgeMs)) {
      tally.refuse('reading age');
      continue;
    }
    const index = writer.observations;
    const at = writer.at(index);
    const identified = readCells(one, draft.radioType, writer);
    if (writer.observations === index) {
      tally.refuse(hasNoArea(entry) ? 'no area' : 'unidentified');
      continue;
    }
    // The reader got each cell alone, so it marked each one with an id as serving.
    const isServing = flagOf(entry?.serving) === true;
    if (isServing) isServingKnown = true;
    else clearFlags(memory, at, FLAG_SERVING);
    if (identified > 0 && firstIdentified < 0) firstIdentified = at;
    const rule = refuseCell(memory, at, entry as CellEntry, networks);
    if (rule !== undefined) {
      tally.refuse(rule);
      memory.u8[at] = KIND_REFUSED;
    }
  }
  if (!isServingKnown && firstIdentified >= 0) setFlags(memory, firstIdentified, FLAG_SERVING);
}

/** True for a cell of gsm without a usable area, which the reader does not write. */
function hasNoArea(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { locationAreaCode, cellId } = entry as CellEntry;
  return wholeIn(locationAreaCode, WIDEST.locationAreaCode, 0) === 0 && wholeIn(cellId, WIDEST.cellId, -1) >= 0;
}

function refuseCell(memory: QueryMemory, at: number, entry: CellEntry, networks: NetworkCheck): RuleName | undefined {
  const { u8 } = memory;
  const kind = u8[at];
  const flags = flagsAt(memory, at);
  if (flags & FLAG_NO_CELL_ID) return 'neighbour';
  if (kind !== KIND_CDMA && mncOfKey(u8, at) === NETWORK_NONE) return 'unidentified';
  if ((flags & FLAG_NO_AREA) !== 0 || isAreaUnknown(kind, areaOfKey(u8, at))) forgetArea(memory, at);
  if (flags & FLAG_INFERRED) {
    if (kind !== KIND_GSM) return 'radio type';
    nameGsm(memory, at);
  }
  const mcc =
    kind === KIND_CDMA ? wholeIn(entry.mobileCountryCode, CELL_RANGES.cdma.mobileCountryCode, -1) : mccOfKey(u8, at);
  if (isUnknownCell(kind, mcc, mncOfKey(u8, at), areaOfKey(u8, at), cellOfKey(u8, at))) return 'fake identity';
  // A cdma system id is unique without a country.
  return mcc < 0 ? undefined : networks.refuse(mcc);
}

/**
 * Makes a cell that may be of any type one of gsm, which a missing type means in the formats of measurements. Values
 * that gsm does not have are dropped.
 */
function nameGsm(memory: QueryMemory, at: number): void {
  const { signalStrength, timingAdvance } = CELL_RANGES.gsm;
  const signalDbm = isIn(signalAt(memory, at), signalStrength) ? signalAt(memory, at) : SIGNAL_ABSENT;
  const timing = isIn(timingAt(memory, at), timingAdvance) ? timingAt(memory, at) : -1;
  writeMeasured(memory, at, signalDbm, CODE_ABSENT, ageAt(memory, at));
  writeOfKind(memory, at, timing, flagsAt(memory, at) & ~FLAG_INFERRED, 0);
}

/**
 * Tells whether networks of a country code can be heard at a position. The cells of a report mostly share one code, so
 * each code is looked up once.
 */
class NetworkCheck {
  private readonly latitude: number;
  private readonly longitude: number;
  private readonly rules = new Map<number, RuleName | undefined>();

  constructor(latitude: number, longitude: number) {
    this.latitude = latitude;
    this.longitude = longitude;
  }

  refuse(mcc: number): RuleName | undefined {
    if (!this.rules.has(mcc)) this.rules.set(mcc, this.check(mcc));
    return this.rules.get(mcc);
  }

  private check(mcc: number): RuleName | undefined {
    const countries = countriesOfMcc(mcc);
    if (countries.length === 0) return 'network without country';
    const isInside = countries.some(country => isInCountry(this.latitude, this.longitude, country, BORDER_METRES));
    return isInside ? undefined : 'outside its country';
  }
}
