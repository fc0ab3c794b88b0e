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
import { Body } from './member_words';
import { closeObject, memberValue, nextEntry, nextMember, openList, openObject } from './members';
import { clear, clearCells, gather } from './observations';
import { byteAt, CLOSE_LIST, CLOSE_OBJECT, COMMA, isNull, OPEN_OBJECT, QUOTE, skipSpace, skipValue } from './text';
import { kind, readKind } from './words';

const DECLINED: i32 = -1;

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
    const member = Body.memberAt(p);
    // It may stand twice, since the caller parses both.
    if (member === Body.FOR_CALLER) {
      p = skipValue(memberValue(p, 0, 0));
      if (p === BODY_NOWHERE) return DECLINED;
      copyToRest(name, p);
      p = nextMember(p);
      continue;
    }
    p = memberValue(p, member, met);
    met |= member;
    switch (member) {
      case Body.WIFI_ACCESS_POINTS:
        p = scanList(p, Body.WIFI_ACCESS_POINTS, 0);
        break;
      case Body.CELL_TOWERS:
        cellList = p;
        p = scanList(p, Body.CELL_TOWERS, rootKind);
        break;
      case Body.BLUETOOTH_BEACONS:
        p = scanList(p, Body.BLUETOOTH_BEACONS, 0);
        break;
      case Body.RADIO_TYPE:
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
    if (scanList(cellList, Body.CELL_TOWERS, rootKind) === BODY_NOWHERE) return DECLINED;
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
    else if (list === Body.WIFI_ACCESS_POINTS) p = scanAccessPoint(p + 1);
    else if (list === Body.CELL_TOWERS) p = scanCell(p + 1, rootKind);
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
