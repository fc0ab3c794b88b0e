// The steps from one member of an object to the next, the same for the body and for the entries of its lists.
//
// A member is recognised by the bytes of its name and the closing quote, compared as words of eight bytes
// (member_words.ts). A known member has a number: a bit of its own in its object, and above it the length of the name
// with the quote. The bits tell whether a member stands twice: JSON.parse would take the last
// one, the scan declines.

import { BODY_NOWHERE } from '../memory';
import { byteAt, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, QUOTE, skipColon, skipName, skipSpace } from './text';

/** Where the length begins in the number of a member. Below are the bits. */
export const LENGTH: i32 = 24;
export const BITS: i32 = 0xffffff;
const ALL_BYTES: u64 = 0xffffffffffffffff;

/** True if these bytes stand here. @param word of `length` bytes, 1..8 */
export function isWord(p: i32, word: u64, length: u64): bool {
  return (load<u64>(p) & (ALL_BYTES >> (64 - 8 * length))) === word;
}

/** Steps into an object: to the quote of its first name, or to its closing brace. @param p behind the opening brace */
export function openObject(p: i32): i32 {
  p = skipSpace(p);
  return byteAt(p) === QUOTE || byteAt(p) === CLOSE_OBJECT ? p : BODY_NOWHERE;
}

/** Steps from the end of a value to the quote of the next name, or to the closing brace. */
export function nextMember(p: i32): i32 {
  p = skipSpace(p);
  if (byteAt(p) === CLOSE_OBJECT) return p;
  if (byteAt(p) !== COMMA) return BODY_NOWHERE;
  p = skipSpace(p + 1);
  return byteAt(p) === QUOTE ? p : BODY_NOWHERE;
}

/** Steps out of an object, from its closing brace. */
export function closeObject(p: i32): i32 {
  return byteAt(p) === CLOSE_OBJECT ? p + 1 : BODY_NOWHERE;
}

/**
 * Steps to the value of a member.
 * @param p behind the opening quote of the name
 * @param member its number; 0 if it is not known
 * @param met bits of the members that were met in this object
 */
export function memberValue(p: i32, member: i32, met: i32): i32 {
  if (member === 0) return skipColon(skipName(p));
  return met & member & BITS ? BODY_NOWHERE : skipColon(p + (member >> LENGTH));
}

/** Steps into a list: to its first entry, or to its closing bracket. */
export function openList(p: i32): i32 {
  return byteAt(p) === OPEN_LIST ? skipSpace(p + 1) : BODY_NOWHERE;
}

/** Steps from the end of an entry to the next one, or to the closing bracket. */
export function nextEntry(p: i32): i32 {
  p = skipSpace(p);
  if (byteAt(p) === CLOSE_LIST) return p;
  if (byteAt(p) !== COMMA) return BODY_NOWHERE;
  p = skipSpace(p + 1);
  return byteAt(p) === CLOSE_LIST ? BODY_NOWHERE : p;
}
