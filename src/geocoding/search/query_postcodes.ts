// The postcodes in a query: words that are a postcode of the map, or the first half of one (RG41, 1015, M5V), by the
// forms of the countries (data/postcodes.csv). They limit the answer (answer_rules.ts).
//
// Beside its town a postcode is meant, also where the map lacks the town's border: the gazetteer says where the town
// is.

import { RANK_CITY, RANK_COUNTY, RANK_POSTAL_AREA, RANK_POSTCODE } from '../../tables/places/ranks.ts';
import { areasCalled } from './area_terms.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import type { AddressWords } from './words/address_words.ts';
import { HAS_DIGIT, type Word } from './words/text.ts';
import { rowsOf } from './words/vocabulary.ts';

/** The forms of the countries' postcodes, folded and without blanks. */
interface Forms {
  /** Any of them. */
  whole: RegExp;
  /** Any first of two parts that tells one area from others: letters and figures, or at least four figures. */
  half: RegExp;
  /** Those that have such a first part. */
  ofTwo: readonly { whole: RegExp; half: RegExp }[];
}

/** Words that may be a postcode. */
interface Code {
  text: string;
  mask: number;
  part: number;
  isHalf: boolean;
}

/** Nearer than this the places of a postcode and a result belong together, degrees. */
const NEAR_DEGREES = 0.25;
/** Letters and figures of a code that is no house number. */
const CODE_LENGTH_MIN = 3;
/** Figures of the shortest first half that has no letters. */
const FIGURES_MIN = 4;
const CHARACTERS: Readonly<Record<string, string>> = { d: '[0-9]', l: '[a-z]', a: '[a-z0-9]' };
/** Tokens that begin with a first half: those of a whole town. */
const HALVES_MAX = 1_000;
/** Places of a postcode that a result is compared with. */
const PLACES_MAX = 50;

const NO_CODES: readonly Code[] = [];

let forms: Forms | undefined;

/** Tokens of a layer that are postcodes of which a word is the first half. @param text folded */
export function tokensOfHalf(index: SearchIndex, text: string): number[] {
  const { half, ofTwo } = formsOf();
  if (text.length < CODE_LENGTH_MIN || !half.test(text)) return [];
  const tokens: number[] = [];
  const first = index.lowerBound(text);
  // The word itself comes before those that begin with it.
  let token = first < index.tokens && index.hasLength(first, text.length) ? first + 1 : first;
  for (; token < index.tokens && index.startsWith(token, text) && tokens.length < HALVES_MAX; token++) {
    const longer = index.text(token);
    if (ofTwo.some(form => form.half.test(text) && form.whole.test(longer))) tokens.push(token);
  }
  return tokens;
}

/** The postcodes in one query, looked up in the layers only if a result leaves one. */
export class QueryPostcodes {
  private readonly indexes: readonly SearchIndex[];
  private readonly words: readonly Word[];
  private readonly boxes: number;
  /** Words with figures and those beside them, of which postcodes are made. */
  private readonly ofCodes: number;
  private codes: Code[] | undefined;
  private readonly places = new Map<Code, readonly { latitude: number; longitude: number }[]>();

  /** @param indexes of all layers */
  constructor(indexes: readonly SearchIndex[], words: readonly Word[], { boxes, digits }: AddressWords) {
    this.indexes = indexes;
    this.words = words;
    this.boxes = boxes;
    this.ofCodes = (digits | (digits << 1) | (digits >>> 1)) & ((1 << words.length) - 1);
  }

  /** The postcodes of which some words are not explained. @param mask words that are */
  leftBy(mask: number): readonly Code[] {
    if ((this.ofCodes & ~mask) === 0) return NO_CODES;
    this.codes ??= this.read();
    return this.codes.filter(code => (code.mask & ~mask) !== 0);
  }

  /** True if the map has a postcode. */
  isKnown(code: Code): boolean {
    return this.placesOf(code).length > 0;
  }

  /** True if the map has a postcode, and not near a document. @param index of the document */
  isElsewhere(code: Code, index: SearchIndex, document: number): boolean {
    const places = this.placesOf(code);
    return places.length > 0 && !places.some(place => isNear(place, index, document));
  }

  /**
   * The words beside a postcode that name its town, as another layer may know it. @param document of the postcode
   * @param left words that it must explain, and does not @returns none for any other document
   */
  townBeside(index: SearchIndex, document: number, left: number): number {
    const rank = index.addressRank(document);
    if (rank !== RANK_POSTCODE && rank !== RANK_POSTAL_AREA) return 0;
    const texts = this.words.filter((_, at) => (left & (1 << at)) !== 0).map(({ text }) => text);
    const isTown = (each: SearchIndex, area: number) => {
      const size = each.searchRank(area);
      const place = { latitude: each.latitude(area), longitude: each.longitude(area) };
      return size > RANK_COUNTY && each.addressRank(area) >= RANK_CITY && isNear(place, index, document);
    };
    const country = index.country(document);
    return this.indexes.some(each => areasCalled(each, texts, country).some(area => isTown(each, area))) ? left : 0;
  }

  private read(): Code[] {
    const { words } = this;
    const codes: Code[] = [];
    for (let at = 0; at < words.length; at++) {
      const { text, part } = words[at];
      if ((this.boxes & (1 << at)) !== 0 || text.length + (words[at + 1]?.text.length ?? 0) < CODE_LENGTH_MIN) continue;
      const both = words[at + 1]?.part === part ? text + words[at + 1].text : '';
      if (HAS_DIGIT.test(both) && this.isWhole(both) && !this.isWhole(text)) {
        codes.push({ text: both, mask: 3 << at, part, isHalf: false });
        at++;
      } else if (HAS_DIGIT.test(text) && text.length >= CODE_LENGTH_MIN) {
        const isWhole = this.isWhole(text);
        const isHalf = !isWhole || this.indexes.every(index => index.find(text) < 0);
        if (isWhole || formsOf().half.test(text)) codes.push({ text, mask: 1 << at, part, isHalf });
      }
    }
    return codes;
  }

  private isWhole(text: string): boolean {
    return formsOf().whole.test(text);
  }

  /** Where the map has a code; none if it does not have it. */
  private placesOf(code: Code): readonly { latitude: number; longitude: number }[] {
    let places = this.places.get(code);
    if (places === undefined) {
      places = this.indexes.flatMap(index => placesIn(index, code.text));
      this.places.set(code, places);
    }
    return places;
  }
}

/** Where a layer has a postcode, or postcodes of which a word is the first half. */
function placesIn(index: SearchIndex, text: string): { latitude: number; longitude: number }[] {
  const token = index.find(text);
  const places: { latitude: number; longitude: number }[] = [];
  const add = (document: number) => {
    const rank = index.addressRank(document);
    if ((rank === RANK_POSTCODE || rank === RANK_POSTAL_AREA) && places.length < PLACES_MAX)
      places.push({ latitude: index.latitude(document), longitude: index.longitude(document) });
  };
  for (const each of [...(token < 0 ? [] : [token]), ...tokensOfHalf(index, text)])
    if (places.length < PLACES_MAX) index.forEachDocument(each, add);
  return places;
}

function isNear(
  { latitude, longitude }: { latitude: number; longitude: number },
  index: SearchIndex,
  document: number,
): boolean {
  const shrink = Math.cos((latitude * Math.PI) / 180);
  return (
    Math.abs(index.latitude(document) - latitude) < NEAR_DEGREES &&
    Math.abs(index.longitude(document) - longitude) * shrink < NEAR_DEGREES
  );
}

function formsOf(): Forms {
  forms ??= readForms();
  return forms;
}

function readForms(): Forms {
  const all = rowsOf('postcodes.csv').map(([, pattern]) => {
    const parts = pattern.split(/[ -]/);
    const texts = parts.map(part => part.replaceAll(/[dla]/g, character => CHARACTERS[character]));
    const isTelling = /d/.test(parts[0]) && (/[la]/.test(parts[0]) || parts[0].length >= FIGURES_MIN);
    return { whole: texts.join(''), half: parts.length > 1 && isTelling ? texts[0] : '' };
  });
  const ofTwo = all.filter(({ half }) => half !== '');
  return {
    whole: anyOf(all.map(({ whole }) => whole)),
    half: anyOf(ofTwo.map(({ half }) => half)),
    ofTwo: ofTwo.map(({ whole, half }) => ({ whole: anyOf([whole]), half: anyOf([half]) })),
  };
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.join('|')})$`);
}
