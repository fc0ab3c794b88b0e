// Scans one cell, as src/radio/query/read_cells.ts and src/radio/cell_kind.ts read it. A cell needs a network and a
// cell id. A cell without an id is kept as a neighbour that its code identifies, one without a usable area is matched
// by network and id. A type whose ids are too small for the cell's is wrong, and the true type is inferred.

import { BODY_CELLS, BODY_NOWHERE, SIGNAL_ABSENT } from '../memory';
import {
  AGE_ABSENT,
  CODE_ABSENT,
  FLAG_INFERRED,
  FLAG_NO_AREA,
  FLAG_NO_CELL_ID,
  FLAG_SERVING,
  KIND_CDMA,
  KIND_GSM,
  KIND_LTE,
  KIND_NR,
  KIND_WCDMA,
  OBSERVATION_BYTES,
  OBSERVATION_FLAGS,
} from '../observation_constants';
import {
  AGE_MS_MAX,
  BITS_16_MAX,
  BITS_28_MAX,
  BITS_32_UNAVAILABLE,
  BITS_36_MAX,
  CELL_SIGNAL_MAX,
  CODE_MAX,
  COUNTRY_CODE_MAX,
  LTE_SIGNAL_MIN,
  NETWORK_CODE_MAX,
  NETWORK_NONE,
  NR_AREA_ALSO,
  NR_CODE_MAX,
  NR_TIMING_MAX,
  SYSTEM_ID_MAX,
} from '../range_constants';
import { cellMax, codeMax, hasArea, networkMax, signalMin, timingMax } from './cell_ranges';
import { Cell } from './member_words';
import { closeObject, memberValue, nextMember, openObject } from './members';
import { readNumber, roundedIn, wholeTo } from './numbers';
import { cells, nextCell, writeKey, writeValues } from './observations';
import { byteAt, QUOTE, skipValue } from './text';
import { flag, kind, readFlag, readKind } from './words';

// One cell as it is read: values that are valid for any kind, -1 if there is none.
let named: i32 = 0;
let country: i64 = -1;
let network: i64 = -1;
let area: i64 = -1;
let shortId: i64 = -1;
let longId: i64 = -1;
let code: i64 = -1;
let psc: i64 = -1;
let timing: i64 = -1;
let signalDbm: i64 = SIGNAL_ABSENT;
let ageMs: i64 = AGE_ABSENT;
let isServing: bool = false;

/**
 * Scans a cell and writes its observation. @param p behind the opening brace @param rootKind of cells that name no
 * radio type; 0 for none
 */
export function scanCell(p: i32, rootKind: i32): i32 {
  named = 0;
  country = -1;
  network = -1;
  area = -1;
  shortId = -1;
  longId = -1;
  code = -1;
  psc = -1;
  timing = -1;
  signalDbm = SIGNAL_ABSENT;
  ageMs = AGE_ABSENT;
  isServing = false;
  let met = 0;
  p = openObject(p);
  while (byteAt(p) === QUOTE) {
    const member = Cell.memberAt(++p);
    p = readMember(memberValue(p, member, met), member);
    met |= member;
    p = nextMember(p);
  }
  p = closeObject(p);
  return writeCell(rootKind) ? p : BODY_NOWHERE;
}

function readMember(p: i32, member: i32): i32 {
  if (member === 0) return skipValue(p);
  if (member === Cell.RADIO_TYPE) {
    p = readKind(p);
    named = kind;
    return p;
  }
  if (member === Cell.SERVING) {
    p = readFlag(p);
    isServing = flag;
    return p;
  }
  p = readNumber(p);
  switch (member) {
    case Cell.MOBILE_COUNTRY_CODE:
      country = wholeTo(COUNTRY_CODE_MAX);
      break;
    case Cell.MOBILE_NETWORK_CODE:
      network = wholeTo(SYSTEM_ID_MAX);
      break;
    case Cell.LOCATION_AREA_CODE:
      area = wholeTo(NR_AREA_ALSO);
      break;
    case Cell.CELL_ID:
      shortId = wholeTo(BITS_36_MAX);
      break;
    case Cell.NEW_RADIO_CELL_ID:
      longId = wholeTo(BITS_36_MAX);
      break;
    case Cell.SIGNAL_STRENGTH:
      signalDbm = roundedIn(LTE_SIGNAL_MIN, CELL_SIGNAL_MAX, SIGNAL_ABSENT);
      break;
    case Cell.PRIMARY_SCRAMBLING_CODE:
      code = wholeTo(NR_CODE_MAX);
      break;
    case Cell.PSC:
      psc = wholeTo(NR_CODE_MAX);
      break;
    case Cell.TIMING_ADVANCE:
      timing = roundedIn(0, NR_TIMING_MAX, -1);
      break;
    case Cell.AGE:
      ageMs = roundedIn(0, AGE_MS_MAX, AGE_ABSENT);
      break;
  }
  return p;
}

/** Writes the cell that was read, if it can be used. @returns false if there is no space */
function writeCell(rootKind: i32): bool {
  // Programs write gsm at the root whatever the network is; so it says no more than a missing type does.
  const isRootGsm = named === 0 && rootKind === KIND_GSM;
  const stated = isRootGsm ? 0 : named !== 0 ? named : rootKind;
  named = stated !== 0 || isRootGsm ? stated : kindOfMembers();
  const id = cellId();
  if (code < 0) code = psc;
  const trueKind = resolveKind(id, isRootGsm && id >= 0 ? -1 : code);
  const hasNetwork = network >= 0 && network <= networkMax(trueKind);
  if (trueKind === KIND_CDMA ? !hasNetwork : country < 0) return true;

  // An inferred cell stands for several types. A value is kept if it is valid for one of gsm, wcdma, lte and nbiot; lte
  // has the widest ranges.
  const isInferred =
    trueKind === KIND_WCDMA ? named !== KIND_WCDMA : stated === 0 && (trueKind === KIND_GSM || trueKind === KIND_CDMA);
  const allowed = isInferred && trueKind !== KIND_CDMA ? KIND_LTE : trueKind;
  if (code < 0 || code > codeMax(allowed)) code = CODE_ABSENT;
  let flags = isInferred ? FLAG_INFERRED : 0;
  if (!hasArea(trueKind, area)) flags |= FLAG_NO_AREA;
  if (id < 0) flags |= FLAG_NO_CELL_ID;
  if (trueKind === KIND_GSM && flags & FLAG_NO_AREA) return true;
  if (flags & FLAG_NO_CELL_ID && code === CODE_ABSENT) return true;
  if (!hasNetwork) {
    if (flags & (FLAG_NO_AREA | FLAG_NO_CELL_ID)) return true;
    network = NETWORK_NONE;
  }
  if (isServing) flags |= FLAG_SERVING;

  const at = nextCell();
  if (at === 0) return false;
  writeCellKey(at, trueKind, flags & FLAG_NO_AREA ? 0 : area, flags & FLAG_NO_CELL_ID ? 0 : id);
  if (signalDbm < signalMin(allowed)) signalDbm = SIGNAL_ABSENT;
  if (timing > timingMax(allowed)) timing = -1;
  writeValues(at, signalDbm, code, ageMs, timing, flags, 0);
  return true;
}

/**
 * The type of a cell that names none, as far as members tell that only one type has: long ids only nr; large network
 * codes, or no country, only cdma.
 */
function kindOfMembers(): i32 {
  if (longId >= 0) return KIND_NR;
  return country < 0 || network > NETWORK_CODE_MAX ? KIND_CDMA : 0;
}

/** The cell id; -1 if neither member has one. For nr the long one comes first. */
function cellId(): i64 {
  if (longId >= 0 && named === KIND_NR) return longId;
  if (shortId < 0) return longId;
  return shortId === BITS_32_UNAVAILABLE && named !== KIND_NR ? -1 : shortId;
}

/** The kind under which the cell is looked up. @param scrambling code; -1 for none */
function resolveKind(id: i64, scrambling: i64): i32 {
  if (named !== 0 && id <= cellMax(named)) return named;
  if (named === 0 && scrambling < 0 && id >= 0 && id <= BITS_16_MAX && hasArea(KIND_GSM, area)) return KIND_GSM;
  const fitsCell = id < 0 ? scrambling >= 0 && scrambling <= CODE_MAX : id <= BITS_28_MAX;
  const fitsArea = hasArea(KIND_WCDMA, area) || !hasArea(KIND_NR, area);
  return fitsCell && fitsArea ? KIND_WCDMA : KIND_NR;
}

/** The key: the kind, three bytes of network, five of cell id, three of area, the first byte of each number highest. */
function writeCellKey(at: i32, cellKind: i32, cellArea: i64, id: i64): void {
  const net = <u64>(cellKind === KIND_CDMA ? network : ((country < 0 ? 0 : country) << 10) | network);
  const first = ((<u64>cellKind) << 56) | (net << 32) | (<u64>id >> 8);
  const second = ((<u64>id) << 56) | ((<u64>cellArea) << 32);
  writeKey(at, bswap<u64>(first), bswap<u64>(second), 0);
}

/** Marks the serving cells: those that say so, otherwise the first one with a cell id. */
export function markServing(): void {
  const end = BODY_CELLS + OBSERVATION_BYTES * cells;
  for (let at: i32 = BODY_CELLS; at < end; at += OBSERVATION_BYTES)
    if (load<u16>(at, OBSERVATION_FLAGS) & FLAG_SERVING) return;
  for (let at: i32 = BODY_CELLS; at < end; at += OBSERVATION_BYTES) {
    const flags = <i32>load<u16>(at, OBSERVATION_FLAGS);
    if (flags & FLAG_NO_CELL_ID) continue;
    store<u16>(at, <u16>(flags | FLAG_SERVING), OBSERVATION_FLAGS);
    return;
  }
}
