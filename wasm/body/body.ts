// Scans the body of a positioning request in memory, without building values (`scanBody`). Access points, beacons and
// cells become the observations of a query at once. The other members that mean something, which most requests do not
// send, are copied behind each other into a small object of JSON, which the caller parses. Members that mean nothing
// are stepped over, but must be JSON.
//
// The scan may decline any body, and then the caller parses the whole one. What it accepts it reads as JSON.parse and
// the readers in src/ do, to the last bit. It declines whatever is unusual: members that stand twice, escapes in names,
// numbers that are not read exactly with little work, deep nesting.

import { BODY_NOWHERE, BODY_REST, BODY_TEXT, MAX_BODY } from '../memory';
import { scanAccessPoint } from './access_points';
import { scanBeacon } from './beacons';
import { markServing, scanCell } from './cells';
import { closeObject, isWord, LENGTH, memberValue, nextEntry, nextMember, openList, openObject } from './members';
import { clear, clearCells, gather } from './observations';
import { byteAt, CLOSE_LIST, CLOSE_OBJECT, COMMA, isNull, OPEN_OBJECT, QUOTE, skipSpace, skipValue } from './text';
import { kind, readKind } from './words';

const DECLINED: i32 = -1;

const ACCESS_POINTS: i32 = 1 | (17 << LENGTH);
const CELLS: i32 = 2 | (11 << LENGTH);
const BEACONS: i32 = 4 | (17 << LENGTH);
const RADIO_TYPE: i32 = 8 | (10 << LENGTH);
/** A member for the caller. It may stand twice, since the caller parses both. */
const FOR_CALLER: i32 = 0x800000;

/** Behind the last member that was copied. */
let restEnd: i32 = 0;

/**
 * Scans a body of `length` bytes, which lie at BODY_TEXT.
 * @returns bytes of the object of other members at BODY_REST, `{}` if there are none; -1 if the scan declines
 */
export function scanBody(length: i32): i32 {
  if (length < 0 || length > MAX_BODY) return DECLINED;
  const end = BODY_TEXT + length;
  store<u8>(end, 0);
  clear();
  restEnd = BODY_REST;
  let met = 0;
  let rootKind = 0;
  let cellList: i32 = 0;
  let areCellsStale = false;
  let p = skipSpace(BODY_TEXT);
  if (byteAt(p) !== OPEN_OBJECT) return DECLINED;
  p = openObject(p + 1);
  while (byteAt(p) === QUOTE) {
    const name = p++;
    const member = memberAt(p);
    if (member === FOR_CALLER) {
      p = skipValue(memberValue(p, 0, 0));
      if (p === BODY_NOWHERE) return DECLINED;
      copyToRest(name, p);
      p = nextMember(p);
      continue;
    }
    p = memberValue(p, member, met);
    met |= member;
    switch (member) {
      case ACCESS_POINTS:
        p = scanList(p, ACCESS_POINTS, 0);
        break;
      case CELLS:
        cellList = p;
        p = scanList(p, CELLS, rootKind);
        break;
      case BEACONS:
        p = scanList(p, BEACONS, 0);
        break;
      case RADIO_TYPE:
        p = readKind(p);
        rootKind = kind;
        areCellsStale = cellList !== 0 && kind !== 0;
        break;
      default:
        p = skipValue(p);
    }
    p = nextMember(p);
  }
  if (skipSpace(closeObject(p)) !== end) return DECLINED;
  // The type that the body names for its cells stood behind them.
  if (areCellsStale) {
    clearCells();
    if (scanList(cellList, CELLS, rootKind) === BODY_NOWHERE) return DECLINED;
  }
  markServing();
  gather();
  return closeRest();
}

/** Scans one of the three lists. Entries that are no objects count as nothing. @param list its member */
function scanList(p: i32, list: i32, rootKind: i32): i32 {
  if (isNull(p)) return p + 4;
  p = openList(p);
  if (byteAt(p) === CLOSE_LIST) return p + 1;
  while (true) {
    if (byteAt(p) !== OPEN_OBJECT) p = skipValue(p);
    else if (list === ACCESS_POINTS) p = scanAccessPoint(p + 1);
    else if (list === CELLS) p = scanCell(p + 1, rootKind);
    else p = scanBeacon(p + 1);
    p = nextEntry(p);
    if (byteAt(p) === CLOSE_LIST) return p + 1;
    if (p === BODY_NOWHERE) return p;
  }
}

/** Copies a member, from the opening quote of its name to behind its value. */
function copyToRest(from: i32, to: i32): void {
  store<u8>(restEnd, restEnd === BODY_REST ? <u8>OPEN_OBJECT : <u8>COMMA);
  memory.copy(restEnd + 1, from, to - from);
  restEnd += 1 + (to - from);
}

function closeRest(): i32 {
  if (restEnd === BODY_REST) store<u8>(restEnd++, <u8>OPEN_OBJECT);
  store<u8>(restEnd, <u8>CLOSE_OBJECT);
  return <i32>(restEnd + 1 - BODY_REST);
}

/** @param p behind the opening quote of a name @returns 0 for a member that means nothing */
function memberAt(p: i32): i32 {
  const word = load<u64>(p);
  if (word === 0x7079546f69646172) return isWord(p + 8, 0x2265, 2) ? RADIO_TYPE : 0; // radioTyp e"
  if (word === 0x65776f546c6c6563) return isWord(p + 8, 0x227372, 3) ? CELLS : 0; // cellTowe rs"
  if (word === 0x6563634169666977)
    return load<u64>(p, 8) === 0x73746e696f507373 && isWord(p + 16, 0x22, 1) ? ACCESS_POINTS : 0; // wifiAcce ssPoints "
  if (word === 0x746f6f7465756c62)
    return load<u64>(p, 8) === 0x736e6f6361654268 && isWord(p + 16, 0x22, 1) ? BEACONS : 0; // bluetoot hBeacons "
  return isForCaller(p, word) ? FOR_CALLER : 0;
}

function isForCaller(p: i32, word: u64): bool {
  if (isWord(p, 0x22737067, 4)) return true; // gps"
  if (word === 0x6b6361626c6c6166) return isWord(p + 8, 0x2273, 2); // fallback s"
  if (word === 0x6d617473656d6974) return isWord(p + 8, 0x2270, 2); // timestam p"
  if (word === 0x61636f4c7473616c) return isWord(p + 8, 0x226e6f6974, 5); // lastLoca tion"
  if (word === 0x6d694c6465657073) return isWord(p + 8, 0x227469, 3); // speedLim it"
  if (word === 0x6e656469666e6f63) return isWord(p + 8, 0x226563, 3); // confiden ce"
  if (word === 0x2273726f736e6573 || word === 0x22656d616e6f6567) return true; // sensors" geoname"
  if (word === 0x2273736572646461 || word === 0x2273746964657263) return true; // address" credits"
  if (word === 0x2273657269707865 || word === 0x226e69616c707865) return true; // expires" explain"
  if (isWord(p, 0x226469, 3) || isWord(p, 0x22726e, 3)) return true; // id" nr", which the positions of a batch have
  return isWord(p, 0x22726f6f646e69, 7) || isWord(p, 0x226574617473, 6); // indoor" state"
}
