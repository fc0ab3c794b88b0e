// Questions to a geocoder, by class: addresses of houses as on a letter, names of places with their town or country,
// both with a typing error, and beginnings of names. The typing error is two letters swapped, one missing, one too many
// or one replaced, in the longest word of the street or name.

import { freeTextQuestion, type SearchQuestion } from '../../src/geocoding/search/question.ts';
import { LayerReader } from '../../src/tables/places/layer.ts';
import type { Place } from '../../src/tables/places/place.ts';
import { RANK_CITY, RANK_COUNTRY } from '../../src/tables/places/ranks.ts';
import { uniform } from '../../test/kits/random.ts';

/** The classes of questions, in the order of the tables. */
export const CLASSES = ['addresses', 'addresses mistyped', 'names', 'names mistyped', 'autocomplete'] as const;
export type QuestionClass = (typeof CLASSES)[number];

/** Questions of each class. */
export type Questions = Record<QuestionClass, SearchQuestion[]>;

/** Most places that are looked at for one question of the right sort. */
const TRIES = 10_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS_BEGUN_MIN = 2;
const LETTERS_BEGUN_MAX = 7;

/**
 * Draws questions about the places of two layers. Addresses come from the extract; names come from both in turns.
 * @param extract folder of the extract's layer
 * @param world folder of the gazetteer's layer
 */
export async function drawQuestions(extract: string, world: string, count: number, seed: number): Promise<Questions> {
  const random = uniform(seed);
  const readers = [extract, world].map(folder => new LayerReader(folder));
  const questions: Questions = {
    addresses: [],
    'addresses mistyped': [],
    names: [],
    'names mistyped': [],
    autocomplete: [],
  };
  for (let i = 0; i < count; i++) {
    const address = addressOf(readers[0], random);
    questions.addresses.push(freeTextQuestion(`${address.street} ${address.rest}`));
    questions['addresses mistyped'].push(freeTextQuestion(`${mistyped(address.street, random)} ${address.rest}`));
    const { name, around } = nameOf(readers[i % 2], random);
    questions.names.push(freeTextQuestion(`${name}, ${around}`));
    questions['names mistyped'].push(freeTextQuestion(`${mistyped(name, random)}, ${around}`));
    const begun = i % 4 < 2 ? name : address.street;
    const letters = LETTERS_BEGUN_MIN + Math.floor(random() * (LETTERS_BEGUN_MAX + 1 - LETTERS_BEGUN_MIN));
    questions.autocomplete.push(freeTextQuestion(begun.slice(0, letters), { isAutocomplete: true }));
  }
  await Promise.all(readers.map(reader => reader.close()));
  return questions;
}

/** The words that some places of a layer are named by. */
export async function wordsOfPlaces(folder: string, count: number, seed: number): Promise<string[]> {
  const random = uniform(seed);
  const reader = new LayerReader(folder);
  const words = Array.from({ length: count }, () => nameOf(reader, random)).flatMap(({ name, around }) => [
    ...name.split(' '),
    around,
  ]);
  await reader.close();
  return words;
}

function addressOf(reader: LayerReader, random: () => number): { street: string; rest: string } {
  return pick(reader, random, place => {
    if (place.houseNumber === '' || place.parent === 0) return undefined;
    const road = reader.place(place.parent)!;
    const rows = place.rows.length === 0 ? road.rows : place.rows;
    const town = rows.map(row => reader.place(row)!).find(({ addressRank }) => addressRank <= RANK_CITY);
    if (!road.names.name || !town?.names.name) return undefined;
    return { street: road.names.name, rest: `${place.houseNumber}, ${place.postcode} ${town.names.name}` };
  });
}

function nameOf(reader: LayerReader, random: () => number): { name: string; around: string } {
  return pick(reader, random, place => {
    const [name, around] = [place.names.name, aroundOf(reader, place)];
    return name && around ? { name, around } : undefined;
  });
}

function aroundOf(reader: LayerReader, place: Place): string | undefined {
  const rows = place.rows.length === 0 && place.parent !== 0 ? reader.place(place.parent)!.rows : place.rows;
  const areas = rows.map(row => reader.place(row)!).filter(({ names }) => names.name);
  return (areas.find(({ addressRank }) => addressRank <= RANK_CITY && addressRank > RANK_COUNTRY) ?? areas[0])?.names
    .name;
}

/** The first of random places that yields something. */
function pick<T>(reader: LayerReader, random: () => number, wanted: (place: Place) => T | undefined): T {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = wanted(reader.place(1 + Math.floor(random() * reader.meta.count))!);
    if (found !== undefined) return found;
  }
  throw new Error(`None of ${TRIES} places of the layer can be asked for.`);
}

/** A text with one typing error in its longest word. */
export function mistyped(text: string, random: () => number): string {
  const word = text.split(' ').reduce((longest, each) => (each.length > longest.length ? each : longest));
  const letters = [...word];
  const at = Math.floor(random() * (letters.length - 1));
  const letter = LETTERS[Math.floor(random() * LETTERS.length)];
  const kind = Math.floor(random() * 4);
  if (kind === 0) letters.splice(at, 2, letters[at + 1] ?? letter, letters[at]);
  else if (kind === 1) letters.splice(at, 1);
  else letters.splice(at, kind - 2, letter);
  return text.replace(word, letters.join(''));
}
