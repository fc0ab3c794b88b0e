// Reads the cells of a body and writes them as observations.
//
// A cell needs a network (country and network code; for cdma the system id alone, which is unique worldwide) and a cell
// id. Without a usable network code, a cell with area and id is kept for the fallback that looks in all networks. A
// cell without an id is kept as a neighbour that its scrambling code or physical cell id identifies. A cell without a
// usable area code is kept too, and marked to be matched by network and cell id. Only gsm cells need an area, because
// their ids are reused everywhere.

import { BITS_32_UNAVAILABLE, NETWORK_NONE, NR_AREA_ALSO } from '../../../wasm/range_constants.ts';
import { kindOfName, resolveKind } from '../cell_kind.ts';
import { KIND_CDMA, KIND_GSM, KIND_NR, KIND_WCDMA } from '../kind.ts';
import { AGE_MS, CELL_RANGES, cellRangesOfKind, isIn, type Range } from '../ranges.ts';
import { flagOf, roundedIn, wholeIn } from '../read_value.ts';
import { networkNumber } from '../station_key.ts';
import {
  AGE_ABSENT,
  CODE_ABSENT,
  FLAG_INFERRED,
  FLAG_NO_AREA,
  FLAG_NO_CELL_ID,
  FLAG_SERVING,
  SIGNAL_ABSENT,
} from './layout.ts';
import type { LeftOut, LeftOutReason } from './left_out.ts';
import type { Sent } from './members.ts';
import { setFlags } from './reader.ts';
import type { QueryWriter } from './writer.ts';

type CellEntry = Sent<'cell'>;

/** The widest ranges, which are those of nr. */
const WIDEST = CELL_RANGES.nr;
const ANY_AREA: Range = { min: 0, max: NR_AREA_ALSO, also: NR_AREA_ALSO };

/** What `readCell` returns for a cell that it skips. */
const NO_NETWORK = -1;
const NO_AREA = -2;
const NO_CELL = -3;
const SKIPPED: Readonly<Record<number, LeftOutReason>> = {
  [NO_NETWORK]: 'noNetwork',
  [NO_AREA]: 'noArea',
  [NO_CELL]: 'noCell',
};

/**
 * Writes the cells and marks the serving ones: those flagged, otherwise the first with a cell id.
 * @param rootRadioType `radioType` of the body, for cells without one
 * @param leftOut where cells are noted that are skipped
 * @returns the number of cells with a cell id
 */
export function readCells(
  entries: readonly unknown[],
  rootRadioType: unknown,
  writer: QueryWriter,
  leftOut?: LeftOut[],
): number {
  const list = 'cellTowers';
  const rootKind = kindOfName(rootRadioType);
  let identified = 0;
  let firstIdentified = -1;
  let isServingKnown = false;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as CellEntry | null;
    if (typeof entry !== 'object' || entry === null) {
      leftOut?.push({ list, entry: i, why: 'noObject' });
      continue;
    }
    const index = writer.observations;
    const flags = readCell(entry, rootKind, writer);
    if (flags < 0) {
      leftOut?.push({ list, entry: i, why: SKIPPED[flags] });
      continue;
    }
    if (flags & FLAG_SERVING) isServingKnown = true;
    if ((flags & FLAG_NO_CELL_ID) === 0) {
      identified++;
      if (firstIdentified < 0) firstIdentified = index;
    }
  }
  if (!isServingKnown && firstIdentified >= 0) setFlags(writer.memory, writer.at(firstIdentified), FLAG_SERVING);
  return identified;
}

/** @returns the FLAG_* bits written, or one of `SKIPPED` */
function readCell(entry: CellEntry, rootKind: number, writer: QueryWriter): number {
  const mcc = wholeIn(entry.mobileCountryCode, WIDEST.mobileCountryCode, -1);
  const mnc = wholeIn(entry.mobileNetworkCode, CELL_RANGES.cdma.mobileNetworkCode, -1);
  const own = kindOfName(entry.radioType);
  // Programs write gsm at the root whatever the network is; so it says no more than a missing type does.
  const isRootGsm = own === 0 && rootKind === KIND_GSM;
  const stated = isRootGsm ? 0 : own || rootKind;
  const named = stated || (isRootGsm ? 0 : kindOfMembers(mcc, mnc, readLongId(entry)));
  const sentCode = readCode(entry);
  const sentArea = wholeIn(entry.locationAreaCode, ANY_AREA, -1);
  const sentCell = readCellId(entry, named);
  const kind = resolveKind(named, sentArea, sentCell, isRootGsm && sentCell >= 0 ? -1 : sentCode);

  const ranges = cellRangesOfKind(kind);
  const hasNetwork = isIn(mnc, ranges.mobileNetworkCode);
  if (kind === KIND_CDMA ? !hasNetwork : mcc < 0) return NO_NETWORK;

  // An inferred cell stands for several types. A value is kept if it is valid for one of gsm, wcdma, lte and nbiot; lte
  // has the widest ranges.
  const isInferred =
    kind === KIND_WCDMA ? named !== KIND_WCDMA : stated === 0 && (kind === KIND_GSM || kind === KIND_CDMA);
  const allowed = isInferred && kind !== KIND_CDMA ? CELL_RANGES.lte : ranges;
  const code = isIn(sentCode, allowed.primaryScramblingCode) ? sentCode : CODE_ABSENT;
  let flags = isInferred ? FLAG_INFERRED : 0;
  if (!isIn(sentArea, ranges.locationAreaCode)) flags |= FLAG_NO_AREA;
  if (sentCell < 0) flags |= FLAG_NO_CELL_ID;
  if (kind === KIND_GSM && flags & FLAG_NO_AREA) return NO_AREA;
  if (flags & FLAG_NO_CELL_ID && code === CODE_ABSENT) return NO_CELL;
  if (!hasNetwork && flags & (FLAG_NO_AREA | FLAG_NO_CELL_ID)) return NO_NETWORK;
  if (flagOf(entry.serving) === true) flags |= FLAG_SERVING;

  const network = networkNumber(kind, Math.max(mcc, 0), hasNetwork ? mnc : NETWORK_NONE);
  writer.identifyCell(kind, network, flags & FLAG_NO_AREA ? 0 : sentArea, flags & FLAG_NO_CELL_ID ? 0 : sentCell);
  writer.addCell(
    roundedIn(entry.signalStrength, allowed.signalStrength, SIGNAL_ABSENT),
    code,
    roundedIn(entry.age, AGE_MS, AGE_ABSENT),
    roundedIn(entry.timingAdvance, allowed.timingAdvance, -1),
    flags,
  );
  return flags;
}

/**
 * The type of a cell that names none, as far as members tell that only one type has: long ids only nr; large network
 * codes, or no country, only cdma.
 */
function kindOfMembers(mcc: number, mnc: number, longId: number): number {
  if (longId >= 0) return KIND_NR;
  return mcc < 0 || mnc > WIDEST.mobileNetworkCode.max ? KIND_CDMA : 0;
}

/**
 * The cell id; -1 if neither member has an id that is valid for any radio type. For nr `newRadioCellId` comes first.
 */
function readCellId(entry: CellEntry, named: number): number {
  const longId = readLongId(entry);
  if (longId >= 0 && named === KIND_NR) return longId;
  const id = wholeIn(entry.cellId, WIDEST.cellId, -1);
  if (id < 0) return longId;
  return id === BITS_32_UNAVAILABLE && named !== KIND_NR ? -1 : id;
}

function readLongId(entry: CellEntry): number {
  return wholeIn(entry.newRadioCellId, WIDEST.cellId, -1);
}

/** Scrambling code or physical cell id under its documented or its earlier name; -1 if neither has one. */
function readCode(entry: CellEntry): number {
  const code = wholeIn(entry.primaryScramblingCode, WIDEST.primaryScramblingCode, -1);
  return code >= 0 ? code : wholeIn(entry.psc, WIDEST.primaryScramblingCode, -1);
}
