// What words of a query say besides names (data/address_words.csv): words before numbers, parts of a house, words for
// what a street is.
//
//   beside a number   Nr. 7; flat 5, Top 5, 2. Stock, lgh 1102; 10, корп. 2; F-75005; Paris Cedex 05; 6 und 8; 83 b
//   a post-office box PO Box 12; Postfach 12 34 56; BP 12; а/я 15
//   beside a name     ul. Polna where the map has Polna; Main Street NW; Gen. Sikorski; the initial of a first name
//
// Most of them are short and mean something else elsewhere, so what stands around them decides: a part of a house has a
// value (5, A, second) behind or before it. They remain words of the query: whatever the map has of them is found by
// them first. They only need not be found (required_words.ts), and the value of a part is the number of the house only
// if no other number is (number_readings.ts).

import {
  type AddressRole,
  BEHIND,
  type Entry,
  entriesOf,
  isNumberSuffix,
  isNumberWord,
  NAME_ROLES,
  type NumberRole,
  phraseLength,
} from './address_table.ts';
import { ordinalValue } from './ordinals.ts';
import { boxEnd } from './post_boxes.ts';
import { HAS_DIGIT, type Word } from './text.ts';
import { wordsInRole } from './vocabulary.ts';

/** What the words of a query say besides names, as masks. */
export interface AddressWords {
  /** Words with a digit. */
  digits: number;
  /** Words that belong to a number: left wherever a number may be left. */
  besideNumber: number;
  /** Words that only say what a street is, where it lies or whom it honours. */
  besideName: number;
  /** Of the words beside a number, the values of parts of a house. */
  values: number;
  /** For each word the words that say what it is a value of; mostly 0. */
  owners: number[];
  /** Letters behind a number: 83 b. */
  suffixes: number;
  /** What follows a number in a name: 3-go Maja. */
  endings: number;
  /** A post-office box and its number. C.P. 12 may be one, and house 12. */
  boxes: number;
  /** Other words between two commas, where one says where in a house: Apartment Miller. */
  within: number;
  /** What each word says; undefined for names and numbers. */
  roles: (AddressRole | undefined)[];
  /** The form in which house numbers have each word, `k` for корпус; mostly empty. */
  forms: string[];
}

/** Roles of words that say where in a house. */
const HOUSE_ROLES: ReadonlySet<string> = new Set(['unit', 'floor', 'alone']);

/** Shorter words for a place in the house, such as `th`, say it only behind a number. */
const ALONE_LENGTH_MIN = 4;
/** A letter is the value of a part only behind words of this length, or a letter less with a dot: box A, sc. B. */
const LETTERED_LENGTH_MIN = 3;
/** Digits of a number behind CEDEX, and of a postcode. */
const POSTAL_DIGITS_MAX = 2;
const POSTCODE = /^[0-9]{3,7}[a-z]{0,2}$/;
const DIGITS = /^[0-9]+$/;
const LETTER = /^[a-z]$/;
const SUFFIX_LENGTH_MAX = 9;
const ROMAN = /^(i{1,3}|i?v|vi{1,3}|i?x)$/;
const ORDINAL_SIGN = /[ºª°]/;
/** Words of which is kept whether they may say something. */
const KNOWN_MAX = 10_000;

/** Reads what words say besides names. @param mayHave words of parts of a query in which addresses stand */
export function addressWords(words: readonly Word[], mayHave: (at: number) => boolean): AddressWords {
  return words.some(mayMean) ? new AddressReader(words, mayHave).read() : nothingIn(words);
}

/** What words say that are names and numbers. */
function nothingIn(words: readonly Word[]): AddressWords {
  const count = words.length;
  let digits = 0;
  for (let at = 0; at < count; at++) if (HAS_DIGIT.test(words[at].text)) digits |= 1 << at;
  const masks = { digits, besideNumber: 0, besideName: 0, values: 0, suffixes: 0, endings: 0, boxes: 0, within: 0 };
  return {
    ...masks,
    owners: new Array(count).fill(0),
    roles: new Array(count).fill(undefined),
    forms: new Array(count).fill(''),
  };
}

const knownMeanings = new Map<string, boolean>();

/** True for a word that says something besides a name or a number, perhaps only by how it follows the one before. */
function mayMean({ text, written, glue }: Word): boolean {
  if (glue !== ' ') return true;
  let isMeant = knownMeanings.get(text);
  if (isMeant === undefined) {
    isMeant = phraseLength(text) > 0 || LETTER.test(text) || ROMAN.test(text) || wordsInRole('unit').has(text);
    if (knownMeanings.size >= KNOWN_MAX) knownMeanings.clear();
    knownMeanings.set(text, isMeant);
  }
  // A number with a sign of ordinals.
  return isMeant || (text !== written && HAS_DIGIT.test(text));
}

/** Reads the words of one query, from left to right. */
class AddressReader {
  private readonly words: readonly Word[];
  private readonly mayHave: (at: number) => boolean;
  private readonly found: AddressWords;

  constructor(words: readonly Word[], mayHave: (at: number) => boolean) {
    this.words = words;
    this.mayHave = mayHave;
    this.found = nothingIn(words);
  }

  read(): AddressWords {
    const { words, found } = this;
    for (let at = 0; at < words.length; ) at += this.readAt(at);
    if (this.found.digits !== 0) this.readOrdinalSigns();
    // A number that is left for the house is none of a part of it.
    if ((this.found.digits & ~found.values) === 0) this.freeBehindSlash();
    this.readWithin();
    return found;
  }

  /** A part of the query in which a word says where in a house, and that has no number of a house, says only this. */
  private readWithin(): void {
    const { words, found } = this;
    const units = wordsInRole('unit');
    const isSaid = (at: number) => HOUSE_ROLES.has(found.roles[at]!) || units.has(words[at].text);
    if (!words.some((_, at) => isSaid(at))) return;
    const parts = new Set(words.flatMap(({ part }, at) => (this.mayHave(at) && isSaid(at) ? [part] : [])));
    words.forEach(({ part }, at) => {
      if (this.isPlainNumber(at)) parts.delete(part);
    });
    words.forEach(({ part }, at) => {
      if (parts.has(part) && (found.besideNumber & (1 << at)) === 0) found.within |= 1 << at;
    });
  }

  /** Reads the phrase at a word. @returns how many words it has */
  private readAt(at: number): number {
    const { words, found } = this;
    if (this.isEnding(at)) {
      found.endings |= 1 << at;
      return 1;
    }
    if (!this.mayHave(at)) return 1;
    const longest = Math.min(phraseLength(words[at].text), words.length - at);
    for (let count = longest; count >= 1; count--) {
      if (words[at + count - 1].part !== words[at].part) continue;
      const entries = entriesOf(count === 1 ? words[at].text : textOf(words, at, at + count));
      const role = this.found.digits !== 0 ? this.numberRole(entries, at, at + count) : undefined;
      if (role !== undefined) {
        this.mark(at, at + count, role);
        found.forms[at] = entries.find(entry => entry.role === role)?.as ?? '';
        return role === 'recipient' ? this.readRecipient(at, at + count) : count;
      }
      const name = NAME_ROLES.find(each => entries.some(entry => entry.role === each));
      if (name === undefined) continue;
      for (let i = at; i < at + count; i++) this.markName(i, name);
      return count;
    }
    if (words[at].text.length > SUFFIX_LENGTH_MAX) return 1;
    if (this.isRomanFloor(at)) this.mark(at, at + 1, 'floor');
    else if (this.isSuffix(at)) {
      this.mark(at, at + 1, 'suffix');
      found.suffixes |= 1 << at;
    } else if (LETTER.test(words[at].text) && [-1, 1].some(step => words[at + step]?.part === words[at].part))
      this.markName(at, 'initial');
    return 1;
  }

  /** What a phrase says beside a number, by what is around it; takes the values of parts of a house. */
  private numberRole(entries: readonly Entry[], from: number, to: number): NumberRole | undefined {
    const may = (role: NumberRole | 'box') => entries.some(entry => entry.role === role);
    const isNumberBefore = this.isNumber(from - 1, this.words[from].part);
    const isNumberBehind = this.isNumber(to, this.words[from].part);
    if (may('recipient')) return 'recipient';
    const end = may('box') ? boxEnd(this.words, to) : 0;
    if (end > 0) this.found.boxes |= maskOf(from, end);
    if (end > 0 && !may('number')) {
      this.takeBox(from, end);
      return 'postal';
    }
    if (may('corpus') && this.isValue(to, from) && this.hasNumberBefore(from)) return 'corpus';
    if (may('between') && isNumberBefore && isNumberBehind) return 'between';
    if (may('car') && this.isBeforePostcode(from)) return 'car';
    if (may('postal') && !DIGITS.test(this.words[from].text)) return this.takePostal(to);
    const isFirst = !this.hasNumberBefore(from);
    if (may('number') && isNumberBehind && (isFirst || !(may('unit') || may('floor')))) return 'number';
    if (may('unit') && may('alone') && this.isBeforeAddress(from, to)) return 'alone';
    if (may('unit') && this.takeValue(from, to, false)) return 'unit';
    const isBehind = entries.some(({ role, as }) => role === 'floor' && as === BEHIND);
    if (isBehind && this.takeLetterBefore(from, to)) return 'floor';
    if (may('floor') && this.takeValue(from, to, true)) return 'floor';
    if (may('alone') && this.isAlone(from, to)) return 'alone';
    const isLong = to - from > 1 || this.words[from].text.length > 1;
    return may('number') && isNumberBefore && isLong ? 'number' : undefined;
  }

  /** What follows in the part of a query names people: c/o Miller. @returns how many words are read */
  private readRecipient(from: number, to: number): number {
    let end = to;
    while (end < this.words.length && this.words[end].part === this.words[from].part && !this.hasDigit(end)) end++;
    this.mark(to, end, 'recipient');
    return end - from;
  }

  private takePostal(to: number): NumberRole {
    const number = this.words[to];
    if (number !== undefined && DIGITS.test(number.text) && number.text.length <= POSTAL_DIGITS_MAX) this.takeAt(to);
    return 'postal';
  }

  /** Takes a post-office box, which is the number of no house. */
  private takeBox(from: number, to: number): void {
    this.mark(from, to, 'postal');
    for (let at = from; at < to; at++) if (this.hasDigit(at)) this.takeAt(at);
  }

  /** Takes the value of a part of a house. @param isFloor its value may as well stand before it: 2 OG */
  private takeValue(from: number, to: number, isFloor: boolean): boolean {
    const before = from - 1;
    const { part } = this.words[from];
    const isBefore = this.isNumber(before, part) || (isFloor && this.isOrdinal(before, part));
    if (isBefore && this.isWrittenAsOrdinal(before)) return this.takeAt(before, maskOf(from, to));
    // Flat No. 5.
    const isCounted =
      to - from === 1 && this.isNumber(to + 1, part) && entriesOf(this.words[to].text).some(isNumberWord);
    if (isCounted) this.mark(to, to + 1, 'number');
    const value = isCounted ? to + 1 : to;
    if (this.isValue(value, from)) return this.takeFrom(value, maskOf(from, value));
    return isBefore && isFloor && this.takeAt(before, maskOf(from, to));
  }

  /** Takes a letter that is no part of a number: B lépcsőház. */
  private takeLetterBefore(from: number, to: number): boolean {
    const before = this.words[from - 1];
    if (before === undefined || before.part !== this.words[from].part || !LETTER.test(before.text)) return false;
    this.found.suffixes &= ~(1 << (from - 1));
    return this.takeAt(from - 1, maskOf(from, to));
  }

  /** Takes a value and what is joined to it: 5/6, 5-b. */
  private takeFrom(from: number, owner: number): boolean {
    this.takeAt(from, owner);
    for (let at = from + 1; at < this.words.length && this.words[at].glue !== ' '; at++) this.takeAt(at, owner);
    return true;
  }

  /** @param owner words that say what it is a value of */
  private takeAt(at: number, owner = 0): boolean {
    this.found.values |= 1 << at;
    this.found.owners[at] = owner;
    this.found.besideNumber |= 1 << at;
    this.found.besideName &= ~(1 << at);
    return true;
  }

  /** A place in the house that needs no value, which may stand before it: 2. tv. */
  private isAlone(from: number, to: number): boolean {
    const { words, found } = this;
    const letters = words.slice(from, to).reduce((sum, { text }) => sum + text.length, 0);
    const isBehind =
      from > 0 && (HAS_DIGIT.test(words[from - 1].text) || (found.besideNumber & (1 << (from - 1))) !== 0);
    if (letters < ALONE_LENGTH_MIN && !isBehind) return false;
    if (this.isNumber(from - 1, words[from].part) && this.isWrittenAsOrdinal(from - 1)) this.takeAt(from - 1);
    return true;
  }

  /** At the very beginning, before the number of the house: Penthouse 12 High Street, and not Penthouse 3, 12 .... */
  private isBeforeAddress(from: number, to: number): boolean {
    const { part } = this.words[from];
    return from === 0 && this.isNumber(to, part) && this.words[to + 1]?.part === part && !this.isNumber(to + 1, part);
  }

  /** Numbers with a sign of ordinals are parts of a house, and so are letters behind them: 3º 2ª, 2º D. */
  private readOrdinalSigns(): void {
    const { words, found } = this;
    const isSigned = words.map(
      ({ text, written }, at) => this.hasDigit(at) && text !== written && ORDINAL_SIGN.test(written),
    );
    if (!isSigned.includes(true) || !words.some(({ text }, at) => HAS_DIGIT.test(text) && !isSigned[at])) return;
    for (const [at, word] of words.entries()) {
      const isBehind = at > 0 && isSigned[at - 1] && LETTER.test(word.text) && word.part === words[at - 1].part;
      if (!(isSigned[at] || isBehind) || !this.mayHave(at)) continue;
      this.takeAt(at);
      found.roles[at] = 'unit';
    }
  }

  /** Unit 4/12 is a part of number 12 if there is no other number. */
  private freeBehindSlash(): void {
    for (let at = this.words.length - 1; at > 0; at--) {
      const isJoined = this.words[at].glue === '/' && HAS_DIGIT.test(this.words[at].text);
      if (!isJoined || (this.found.values & (1 << at)) === 0) continue;
      this.found.values &= ~(1 << at);
      this.found.besideNumber &= ~(1 << at);
      this.found.owners[at] = 0;
      return;
    }
  }

  private mark(from: number, to: number, role: NumberRole): void {
    for (let at = from; at < to; at++) {
      this.found.besideNumber |= 1 << at;
      this.found.roles[at] = role;
    }
  }

  private markName(at: number, role: AddressRole): void {
    this.found.besideName |= 1 << at;
    this.found.roles[at] = role;
  }

  private isPlainNumber(at: number): boolean {
    return this.hasDigit(at) && (this.found.values & (1 << at)) === 0;
  }

  private hasDigit(at: number): boolean {
    return (this.found.digits & (1 << at)) !== 0;
  }

  private hasNumberBefore(end: number): boolean {
    return (this.found.digits & ~this.found.values & maskOf(0, end)) !== 0;
  }

  private isNumber(at: number, part: number): boolean {
    const word = this.words[at];
    return word !== undefined && word.part === part && HAS_DIGIT.test(word.text);
  }

  private isOrdinal(at: number, part: number): boolean {
    const word = this.words[at];
    return word !== undefined && word.part === part && ordinalValue(word.text) !== undefined;
  }

  /** 2. or 2nd or 2º or second, and not 2. */
  private isWrittenAsOrdinal(at: number): boolean {
    const { text, written, isCut } = this.words[at];
    return isCut || !DIGITS.test(text) || ORDINAL_SIGN.test(written);
  }

  /** True for a number, or a letter behind a longer word. @param from the word that it is a value of */
  private isValue(at: number, from: number): boolean {
    const word = this.words[at];
    if (word === undefined || word.part !== this.words[from].part) return false;
    const { text, isCut } = this.words[from];
    if (HAS_DIGIT.test(word.text)) return true;
    const isLong = text.length >= LETTERED_LENGTH_MIN - (isCut ? 1 : 0);
    return isLong && (LETTER.test(word.text) || ROMAN.test(word.text));
  }

  private isEnding(at: number): boolean {
    const [before, word] = [this.words[at - 1], this.words[at]];
    if (before === undefined || word.glue !== '-' || !DIGITS.test(before.text)) return false;
    // One of our letters is more likely that of a house number: 10-A.
    if (HAS_DIGIT.test(word.text) || LETTER.test(word.written)) return false;
    return ordinalValue(before.text + word.text) !== undefined;
  }

  private isBeforePostcode(at: number): boolean {
    const next = this.words[at + 1];
    if (next === undefined || next.part !== this.words[at].part || next.glue !== '-') return false;
    const behind = this.words[at + 2];
    return POSTCODE.test(next.text + (behind?.glue === '-' && DIGITS.test(next.text) ? behind.text : ''));
  }

  /** 7/II is the second floor of 7, and 7 II is so at the end of a part. */
  private isRomanFloor(at: number): boolean {
    const { text, glue, part } = this.words[at];
    if (at === 0 || !this.hasDigit(at - 1) || !ROMAN.test(text)) return false;
    const isLast = this.words[at - 1].part === part && this.words[at + 1]?.part !== part;
    return glue === '/' || (isLast && text.length > 1);
  }

  /** A letter, or bis, behind a number. */
  private isSuffix(at: number): boolean {
    const [before, word, next] = [this.words[at - 1], this.words[at], this.words[at + 1]];
    if (before === undefined || before.part !== word.part || !DIGITS.test(before.text)) return false;
    const isBeforeNumber = next !== undefined && next.part === word.part && HAS_DIGIT.test(next.text);
    return isNumberSuffix(word.text) && !word.isCut && !isBeforeNumber && (this.found.values & (1 << (at - 1))) === 0;
  }
}

function textOf(words: readonly Word[], from: number, end: number): string {
  return words
    .slice(from, end)
    .map(({ text }) => text)
    .join(' ');
}

/** The words of a run. @param end behind its last one */
export function maskOf(from: number, end: number): number {
  return ((1 << (end - from)) - 1) << from;
}
