// Looks for the question that costs the most. A set of questions is mutated again and again: words are added, dropped,
// swapped, broken, repeated or cut, and options change. A mutation that costs at least as much as the cheapest of the
// set takes its place.

import { freeTextQuestion, type SearchQuestion } from '../../src/geocoding/search/question.ts';
import { uniform } from '../../test/kits/random.ts';
import type { Subject } from './checkouts.ts';
import { mistyped } from './questions.ts';

/** A question, and what it costs. */
export interface Costly {
  question: SearchQuestion;
  microseconds: number;
}

const KEPT = 24;
/** The clock of the processor's time has ticks of some milliseconds, so a question is asked so many times. */
const RUNS = 5;
/** The same for those that are left at the end. */
const RUNS_AT_LAST = 20;
const COMMON = 'street strasse rue main san saint de la new restaurant hotel bank 1 2 10 a of the in'.split(' ');
const FOREIGN = 'qzxv улица Straße 東京 ñandú xyzzyx aaaaaaaaaaaa bbbbbbb strassse avnue'.split(' ');
const LIMITS = [1, 10, 50];
const VIEW = { west: 9, south: 47, east: 10, north: 48 };
const WORDS_MAX = 40;

/**
 * The costliest question that is found.
 * @param words of the places that are loaded
 * @param rounds mutations that are tried
 */
export function searchWorst(subject: Subject, words: readonly string[], seed: number, rounds: number): Costly {
  const random = uniform(seed);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const anyWord = () => (random() < 0.5 ? any(words) : random() < 0.7 ? any(COMMON) : any(FOREIGN));
  const costOf = (question: SearchQuestion, runs = RUNS): Costly => {
    const before = process.threadCpuUsage();
    for (let run = 0; run < runs; run++) subject.ask(question);
    const { user, system } = process.threadCpuUsage(before);
    return { question, microseconds: (user + system) / runs };
  };
  const mutated = (question: SearchQuestion): SearchQuestion => {
    const text = question.text.split(' ');
    const at = Math.floor(random() * text.length);
    const kind = Math.floor(random() * 9);
    if (kind === 0) return { ...question, isAutocomplete: !question.isAutocomplete };
    if (kind === 1) return { ...question, limit: any(LIMITS) };
    if (kind === 2) return { ...question, viewbox: VIEW, isBounded: random() < 0.5 };
    if (kind === 3) text.splice(at, 1);
    else if (kind === 4) text[at] = mistyped(text[at] || 'a', random);
    else if (kind === 5) text[at] = text[at].slice(0, Math.ceil(random() * text[at].length));
    else if (kind === 6) text.push(...text.slice(0, WORDS_MAX - text.length));
    else text.splice(at, kind - 7, anyWord());
    return { ...question, text: text.slice(0, WORDS_MAX).join(' ') };
  };
  const kept = Array.from({ length: KEPT }, () => costOf(freeTextQuestion(`${anyWord()} ${anyWord()}`)));
  for (let round = 0; round < rounds; round++) {
    const next = costOf(mutated(any(kept).question));
    const cheapest = kept.reduce((least, each, at) => (each.microseconds < kept[least].microseconds ? at : least), 0);
    if (next.microseconds >= kept[cheapest].microseconds) kept[cheapest] = next;
  }
  return kept
    .map(({ question }) => costOf(question, RUNS_AT_LAST))
    .reduce((most, each) => (each.microseconds > most.microseconds ? each : most));
}
